/* SPDX-License-Identifier: MIT
 *
 * Levels are what is like the first page but for its size and shows as much; other sub-images (labels, thumbnails that were
 * cropped) are none. A level that cannot be read is left out.
 */
#include "core/files/tiff/pages.h"

#include "core/base/file_error.h"
#include "core/base/fork.h"
#include "core/base/parallel.h"
#include "core/files/tiff/groups.h"

#include <tiffio.h>

enum { MAX_LEVELS = 32 };

typedef struct {
  FilesTiffPage first;
  const GArray *chain; /* the reduced pages; NULL: sub-images */
  guint sub;           /* which of them */
} Level;

typedef struct {
  guint level;
  FilesTiffPlane plane; /* its sample is 0 unless it has a decoder of its own */
  FilesTiffDecoder *decoder;
} Open;

struct FilesTiffPages {
  FilesTiffLayout *layout;
  FilesTiffSeries *series;
  FilesTiffFormat format;
  GArray *levels;       /* Level */
  GMutex lock;          /* guards all below */
  FilesTiffFile *other; /* the file of the set that was opened last, or NULL */
  guint16 other_number;
  GHashTable *other_pages; /* by the numbers of the set's files, positions of their directories: GArray of guint64 */
  GQueue open;             /* Open, the one used last comes first */
};

/* ---- Finding a page ---- */

/* The pages of another file of a set, which stays open until a third one is wanted. Its chain of directories is followed
 * only once: channels in a file each are read in turn. The lock is held. */
static GArray *
open_other (FilesTiffPages *p, guint16 number, GError **error)
{
  gpointer key = GUINT_TO_POINTER (number);
  GArray *pages;
  if (!p->other || p->other_number != number) {
    g_clear_pointer (&p->other, files_tiff_file_unref);
    p->other = files_tiff_file_open (p->layout->others->pdata[number - 1], error);
    p->other_number = number;
  }
  if (!p->other)
    return NULL;
  if (!p->other_pages)
    p->other_pages = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  pages = g_hash_table_lookup (p->other_pages, key);
  if (!pages && (pages = files_tiff_walk (p->other, error)))
    g_hash_table_insert (p->other_pages, key, pages);
  return pages;
}

/* The full-sized page of a plane, into job->page, and the file that it is in. The lock is held. */
static gboolean
find_page (FilesTiffPages *p, const FilesTiffPlane *plane, FilesTiffJob *job, GError **error)
{
  GArray *pages = p->layout->pages;
  job->file = p->layout->file;
  if (p->series->consecutive) {
    job->page = p->layout->first;
    return TRUE;
  }
  if (plane->file > 0) {
    if (!(pages = open_other (p, plane->file, error)))
      return FALSE;
    job->file = p->other;
  }
  if (plane->page >= pages->len)
    return file_fail (error, FILE_ERROR_DAMAGED, job->file->path,
                      "is truncated: the set that it belongs to needs its page %u, and it has only %u.",
                      plane->page + 1, pages->len);
  return files_tiff_page_read (job->file, g_array_index (pages, guint64, plane->page), job->number, &job->page, error);
}

/* From the full-sized page to that of a level. The lock is held. */
static gboolean
find_level (FilesTiffPages *p, const Level *level, const FilesTiffPlane *plane, FilesTiffJob *job, GError **error)
{
  guint64 at;
  if (level->chain) {
    guint number = g_array_index (level->chain, guint32, files_tiff_series_rank (p->series, plane->page));
    at = g_array_index (p->layout->pages, guint64, number);
  } else if (!files_tiff_numbers (job->file, &job->page.sub_pages, level->sub, 1, &at)) {
    return file_fail (error, FILE_ERROR_DAMAGED, job->file->path,
                      "is damaged: page %" G_GINT64_FORMAT " has fewer sub-images than the others of its image.",
                      job->number);
  }
  return files_tiff_page_read (job->file, at, job->number, &job->page, error);
}

static gboolean
is_alike (const FilesTiffPage *a, const FilesTiffPage *b)
{
  return files_tiff_page_shown_rows (a) == files_tiff_page_shown_rows (b)
         && files_tiff_page_shown_columns (a) == files_tiff_page_shown_columns (b) && a->bits == b->bits
         && a->samples == b->samples && a->format == b->format;
}

/* Makes the page one strip without gaps, the n-th of those that follow each other; of separate planes, that of a sample. */
static void
point_to_consecutive (FilesTiffJob *job, guint64 n, guint sample)
{
  FilesTiffPage *page = &job->page;
  guint planes = page->planar == PLANARCONFIG_SEPARATE ? page->samples : 1;
  guint64 row = ((guint64) page->columns * page->bits * (page->samples / planes) + 7) / 8, at = 0;
  files_tiff_numbers (job->file, &page->offsets, 0, 1, &at);
  at += (n * planes + (planes > 1 ? sample : 0)) * row * page->rows;
  page->offsets = (FilesTiffField){.type = TIFF_LONG8, .here = TRUE, .count = 1, .value = at};
  page->counts.count = 0;
  page->chunk_rows = page->rows;
  if (planes > 1) {
    page->planar = PLANARCONFIG_CONTIG;
    page->samples = 1;
    job->format.samples = 1;
  }
}

/* The lock is held. */
static FilesTiffDecoder *
open_page (FilesTiffPages *p, guint n, const FilesTiffPlane *plane, GError **error)
{
  const Level *level = &g_array_index (p->levels, Level, n);
  FilesTiffJob job = {.format = p->format, .number = (gint64) plane->page + 1};
  if (!find_page (p, plane, &job, error) || (n > 0 && !find_level (p, level, plane, &job, error)))
    return NULL;
  if (!is_alike (&job.page, &level->first)) {
    file_fail (error, FILE_ERROR_DAMAGED, job.file->path,
               "is damaged: page %" G_GINT64_FORMAT " has another size or type than the others of its image.",
               job.number);
    return NULL;
  }
  if (!files_tiff_decodable (&job, error))
    return NULL;
  if (p->series->consecutive)
    point_to_consecutive (&job, plane->page, plane->sample);
  return files_tiff_decoder_new (&job, error);
}

/* ---- What is open ---- */

static void
open_free (gpointer data)
{
  files_tiff_decoder_unref (((Open *) data)->decoder);
  g_free (data);
}

/* The lock is held. */
static Open *
find_open (FilesTiffPages *p, guint level, const FilesTiffPlane *plane)
{
  for (GList *l = p->open.head; l; l = l->next) {
    Open *open = l->data;
    if (open->level == level && open->plane.page == plane->page && open->plane.file == plane->file
        && open->plane.sample == plane->sample) {
      g_queue_unlink (&p->open, l);
      g_queue_push_head_link (&p->open, l);
      return open;
    }
  }
  return NULL;
}

FilesTiffDecoder *
files_tiff_pages_open (FilesTiffPages *p, guint level, const FilesTiffPlane *plane, GError **error)
{
  FilesTiffPlane key = {plane->page, p->series->consecutive ? plane->sample : 0, plane->file};
  FilesTiffDecoder *decoder = NULL;
  Open *open;
  g_mutex_lock (&p->lock);
  open = find_open (p, level, &key);
  if (open) {
    decoder = files_tiff_decoder_ref (open->decoder);
  } else if ((decoder = open_page (p, level, &key, error))) {
    open = g_new (Open, 1);
    *open = (Open){level, key, files_tiff_decoder_ref (decoder)};
    g_queue_push_head (&p->open, open);
    if (p->open.length > MAX (4, parallel_threads ()))
      open_free (g_queue_pop_tail (&p->open));
  }
  g_mutex_unlock (&p->lock);
  return decoder;
}

/* ---- Levels ---- */

/* Adds a level when the page can be one, smaller than the last. */
static void
add_level (FilesTiffPages *p, const FilesTiffPage *page, const GArray *chain, guint sub)
{
  const FilesTiffPage *all = files_tiff_pages_level (p, 0), *last = files_tiff_pages_level (p, p->levels->len - 1);
  const FilesTiffJob job = {p->layout->file, *page, p->format, 1};
  const Level level = {*page, chain, sub};
  if (p->levels->len < MAX_LEVELS && page->bits == all->bits && page->samples == all->samples
      && page->format == all->format && page->photometric == all->photometric && page->alpha == all->alpha
      && page->orientation == all->orientation && page->rows <= last->rows && page->columns <= last->columns
      && (page->rows < last->rows || page->columns < last->columns)
      && files_tiff_same_shape (page->rows, page->columns, all->rows, all->columns)
      && files_tiff_decodable (&job, NULL))
    g_array_append_val (p->levels, level);
}

static void
find_levels (FilesTiffPages *p, const FilesTiffFile *file)
{
  const FilesTiffField subs = files_tiff_pages_level (p, 0)->sub_pages;
  FilesTiffPage page;
  guint64 at;
  for (guint i = 0; i < MIN (subs.count, MAX_LEVELS); i++)
    if (files_tiff_numbers (file, &subs, i, 1, &at) && files_tiff_page_read (file, at, 1, &page, NULL))
      add_level (p, &page, NULL, i);
  for (guint i = 0; p->series->reduced && i < p->series->reduced->len; i++) {
    const GArray *chain = p->series->reduced->pdata[i];
    at = g_array_index (p->layout->pages, guint64, g_array_index (chain, guint32, 0));
    if (files_tiff_page_read (file, at, 1, &page, NULL))
      add_level (p, &page, chain, 0);
  }
}

/* ---- Opening ---- */

FilesTiffSeries *
files_tiff_pages_series (FilesTiffPages *p)
{
  return p->series;
}

const FilesTiffPage *
files_tiff_pages_level (const FilesTiffPages *p, guint n)
{
  return n < p->levels->len ? &g_array_index (p->levels, Level, n).first : NULL;
}

const FilesTiffFormat *
files_tiff_pages_format (const FilesTiffPages *p)
{
  return &p->format;
}

static gboolean
pages_start (FilesTiffPages *p, GError **error)
{
  const FilesTiffPlane *plane = &g_array_index (p->series->planes, FilesTiffPlane, 0);
  FilesTiffJob job = {.number = (gint64) plane->page + 1};
  Level full = {.chain = NULL};
  if (!find_page (p, plane, &job, error) || !files_tiff_format (job.file, &job.page, &job.format, error)
      || !files_tiff_decodable (&job, error))
    return FALSE;
  if (p->series->imagej && p->layout->imagej->offset != 0)
    files_tiff_format_offset (&job.format, (gint32) p->layout->imagej->offset);
  p->format = job.format;
  full.first = job.page;
  g_array_append_val (p->levels, full);
  if (!p->series->consecutive)
    find_levels (p, job.file);
  return TRUE;
}

FilesTiffPages *
files_tiff_pages_new (FilesTiffLayout *layout, guint series, GError **error)
{
  g_autoptr (FilesTiffPages) p = g_new0 (FilesTiffPages, 1);
  p->layout = files_tiff_layout_ref (layout);
  p->series = files_tiff_series_copy (layout->series->pdata[series]);
  p->levels = g_array_new (FALSE, FALSE, sizeof (Level));
  g_mutex_init (&p->lock);
  fork_guard (&p->lock, NULL, NULL);
  return pages_start (p, error) ? g_steal_pointer (&p) : NULL;
}

void
files_tiff_pages_free (FilesTiffPages *p)
{
  g_queue_clear_full (&p->open, open_free);
  g_clear_pointer (&p->other, files_tiff_file_unref);
  g_clear_pointer (&p->other_pages, g_hash_table_unref);
  g_array_unref (p->levels);
  files_tiff_series_free (p->series);
  files_tiff_layout_unref (p->layout);
  fork_unguard (&p->lock);
  g_mutex_clear (&p->lock);
  g_free (p);
}

/* SPDX-License-Identifier: MIT
 *
 * The source of an image in a TIFF file. Where pixels have several samples, what was decoded for one of them is kept for the
 * others.
 */
#include "core/files/tiff/tiff.h"

#include "core/base/file_error.h"
#include "core/base/fork.h"
#include "core/base/parallel.h"
#include "core/files/tiff/info.h"
#include "core/files/tiff/pages.h"

#include <string.h>
#include <tiffio.h>

#define ALPHA_PIXELS (16 << 20) /* looked at when a file is opened */
#define COPIED_BYTES (1 << 20)  /* by one thread at a time */

/* All samples of a region of a page. */
typedef struct {
  gatomicrefcount references;
  guint level;
  FilesTiffPlane plane; /* but for its sample */
  ImageRegion region;
  guint left; /* samples that have not been asked for; guarded by the source's lock */
  guint8 *pixels;
} Samples;

typedef struct {
  FilesTiffLayout *layout;
  FilesTiffPages *pages;
  const FilesTiffFormat *format; /* of the pages */
  GArray *planes;                /* FilesTiffPlane */
  guint samples;                 /* of each pixel that are read */
  gboolean opaque;               /* alpha, the last sample, is left out */
  GMutex lock;                   /* guards what follows */
  GQueue kept;                   /* Samples, the last ones first */
} Source;

gboolean
files_tiff_is (const guint8 *head, gsize n)
{
  return n >= 8
         && (!memcmp (head, "II*\0", 4) || !memcmp (head, "MM\0*", 4) || !memcmp (head, "II+\0", 4)
             || !memcmp (head, "MM\0+", 4));
}

static gboolean
no_memory (const Source *source, GError **error)
{
  return file_fail (error, FILE_ERROR_OPEN, source->layout->file->path,
                    "cannot be read: there is not enough memory for one of its pages.");
}

/* ---- Interleaved samples ---- */

static void
samples_unref (Samples *s)
{
  if (!g_atomic_ref_count_dec (&s->references))
    return;
  g_free (s->pixels);
  g_free (s);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Samples, samples_unref)

static gsize
region_bytes (const Source *source, const ImageRegion *region)
{
  return (gsize) region->rows * (gsize) region->columns * source->format->bytes;
}

/* What is kept of the region, which then needs to be kept for one sample less. The lock is held. */
static Samples *
find_kept (Source *source, guint level, const FilesTiffPlane *plane, const ImageRegion *region)
{
  for (GList *l = source->kept.head; l; l = l->next) {
    Samples *s = l->data;
    if (s->level != level || s->plane.page != plane->page || s->plane.file != plane->file
        || memcmp (&s->region, region, sizeof *region))
      continue;
    g_atomic_ref_count_inc (&s->references);
    if (--s->left == 0) {
      g_queue_delete_link (&source->kept, l);
      samples_unref (s);
    }
    return s;
  }
  return NULL;
}

static void
keep (Source *source, Samples *s)
{
  g_atomic_ref_count_inc (&s->references);
  g_mutex_lock (&source->lock);
  g_queue_push_head (&source->kept, s);
  if (source->kept.length > parallel_threads ())
    samples_unref (g_queue_pop_tail (&source->kept));
  g_mutex_unlock (&source->lock);
}

/* All samples of a region, decoded once for all of them. others: how many will be asked for later. */
static Samples *
all_samples (Source *source, guint level, const FilesTiffPlane *plane, const ImageRegion *region, guint others,
             FilesTiffDecoder *decoder, GError **error)
{
  g_autoptr (Samples) s = NULL;
  g_mutex_lock (&source->lock);
  s = find_kept (source, level, plane, region);
  g_mutex_unlock (&source->lock);
  if (s)
    return g_steal_pointer (&s);
  s = g_new (Samples, 1);
  *s = (Samples){.level = level, .plane = *plane, .region = *region, .left = others};
  g_atomic_ref_count_init (&s->references);
  s->pixels = g_try_malloc (region_bytes (source, region) * source->format->samples);
  if (!s->pixels && !no_memory (source, error))
    return NULL;
  if (!files_tiff_decode (decoder, -1, region, s->pixels, (gsize) region->columns * source->format->bytes, error))
    return NULL;
  if (others > 0)
    keep (source, s);
  return g_steal_pointer (&s);
}

/* ---- Alpha ---- */

static gboolean
has_alpha (const FilesTiffPage *page, const FilesTiffFormat *format)
{
  guint plain = page->photometric == PHOTOMETRIC_RGB ? 3 : 1;
  return (page->alpha == EXTRASAMPLE_ASSOCALPHA || page->alpha == EXTRASAMPLE_UNASSALPHA)
         && format->samples == plain + 1 && (format->type == FV_U8 || format->type == FV_U16) && format->copied;
}

static gboolean
all_ones (const guint8 *bytes, gsize n)
{
  gsize i = 0;
  while (i < n && bytes[i] == 0xff)
    i++;
  return i == n;
}

/* Whether alpha, the last sample, is at its largest in a region of a page whose samples are separate. */
static gboolean
is_opaque (Source *source, FilesTiffDecoder *decoder, const ImageRegion *region, gboolean *opaque, GError **error)
{
  gsize bytes = region_bytes (source, region);
  g_autofree guint8 *alpha = g_try_malloc (bytes);
  if (!alpha)
    return no_memory (source, error);
  if (!files_tiff_decode (decoder, (int) source->format->samples - 1, region, alpha, bytes / (gsize) region->rows,
                          error))
    return FALSE;
  *opaque = all_ones (alpha, bytes);
  return TRUE;
}

static gboolean
is_separate (const FilesTiffDecoder *decoder)
{
  return decoder->job.page.planar == PLANARCONFIG_SEPARATE;
}

/* The same for all of a page, which is kept when the image is going to need it. */
static gboolean
page_is_opaque (Source *source, const FilesTiffPlane *plane, gboolean *opaque, GError **error)
{
  const FilesTiffPage *first = files_tiff_pages_level (source->pages, 0);
  const ImageRegion all = {0, 0, files_tiff_page_shown_rows (first), files_tiff_page_shown_columns (first)};
  g_autoptr (FilesTiffDecoder) decoder = files_tiff_pages_open (source->pages, 0, plane, error);
  gsize bytes = region_bytes (source, &all);
  g_autoptr (Samples) s = NULL;
  if (!decoder)
    return FALSE;
  if (is_separate (decoder))
    return is_opaque (source, decoder, &all, opaque, error);
  if (!(s = all_samples (source, 0, plane, &all, source->format->samples - 1, decoder, error)))
    return FALSE;
  *opaque = all_ones (s->pixels + (source->format->samples - 1) * bytes, bytes);
  return TRUE;
}

/* Whether alpha can be left out: it is opaque in the first and the last page and in as many others, evenly spread, as
 * ALPHA_PIXELS allow, so that opening takes no longer with more pages. */
static gboolean
judge_alpha (Source *source, GError **error)
{
  const FilesTiffPage *first = files_tiff_pages_level (source->pages, 0);
  const GArray *pages = files_tiff_pages_series (source->pages)->planes;
  gsize few = ALPHA_PIXELS / ((gsize) first->rows * first->columns);
  gsize n = MIN (MAX (few, 2), pages->len);
  source->opaque = TRUE;
  for (gsize i = 0; i < n && source->opaque; i++)
    if (!page_is_opaque (source, &g_array_index (pages, FilesTiffPlane, n > 1 ? i * (pages->len - 1) / (n - 1) : 0),
                         &source->opaque, error))
      return FALSE;
  return TRUE;
}

static gboolean
set_samples (Source *source, GError **error)
{
  FilesTiffSeries *series = files_tiff_pages_series (source->pages);
  source->samples = source->format->samples;
  if (!series->expanded && has_alpha (files_tiff_pages_level (source->pages, 0), source->format)
      && !judge_alpha (source, error))
    return FALSE;
  source->samples -= source->opaque;
  files_tiff_series_expand (series, source->samples);
  source->planes = series->planes;
  return TRUE;
}

/* ---- Reading ---- */

/* When alpha was left out, no page may need it. */
static gboolean
transparent (const Source *source, const FilesTiffPlane *plane, GError **error)
{
  return file_fail (error, FILE_ERROR_UNSUPPORTED, source->layout->file->path,
                    "has transparent pixels on page %u but not on others; save it with the page that has them "
                    "first, or without alpha.",
                    plane->page + 1);
}

static gboolean
read_separate (Source *source, const FilesTiffPlane *plane, const ImageRegion *region, void *to, gsize stride,
               FilesTiffDecoder *decoder, GError **error)
{
  gboolean opaque = TRUE, one = decoder->job.format.samples == 1;
  if (source->opaque && plane->sample == 0 && !is_opaque (source, decoder, region, &opaque, error))
    return FALSE;
  return opaque ? files_tiff_decode (decoder, one ? 0 : plane->sample, region, to, stride, error)
                : transparent (source, plane, error);
}

/* Moves rows from one offset to another. */
typedef struct {
  const guint8 *from;
  guint8 *to;
  gsize bytes, stride; /* of a row; from row to row where they go */
  gsize rows, each;    /* all of them; those of one piece */
} Rows;

static gboolean
copy_rows (gpointer data, guint64 piece, GError **error)
{
  const Rows *r = data;
  (void) error;
  for (gsize y = piece * r->each; y < MIN ((piece + 1) * r->each, r->rows); y++)
    memcpy (r->to + y * r->stride, r->from + y * r->bytes, r->bytes);
  return TRUE;
}

static gboolean
read_interleaved (Source *source, guint level, const FilesTiffPlane *plane, const ImageRegion *region, guint8 *to,
                  gsize stride, FilesTiffDecoder *decoder, GError **error)
{
  gsize bytes = region_bytes (source, region), row = bytes / (gsize) region->rows;
  Rows rows = {NULL, to, row, stride, (gsize) region->rows, COPIED_BYTES / row + 1};
  g_autoptr (Samples) s = all_samples (source, level, plane, region, source->samples - 1, decoder, error);
  if (!s)
    return FALSE;
  if (source->opaque && !all_ones (s->pixels + (source->format->samples - 1) * bytes, bytes))
    return transparent (source, plane, error);
  rows.from = s->pixels + plane->sample * bytes;
  return parallel_do ((rows.rows - 1) / rows.each + 1, G_MAXUINT, copy_rows, &rows, error);
}

static gboolean
source_read (gpointer self, guint level, gint64 number, const ImageRegion *region, void *to, gsize stride,
             GError **error)
{
  Source *source = self;
  const FilesTiffPlane *plane = &g_array_index (source->planes, FilesTiffPlane, number);
  g_autoptr (FilesTiffDecoder) decoder = files_tiff_pages_open (source->pages, level, plane, error);
  if (!decoder)
    return FALSE;
  if (decoder->job.format.samples == 1 || is_separate (decoder))
    return read_separate (source, plane, region, to, stride, decoder, error);
  return read_interleaved (source, level, plane, region, to, stride, decoder, error);
}

static gboolean
source_level (gpointer self, guint n, ImageLevel *level)
{
  const FilesTiffPage *page = files_tiff_pages_level (((Source *) self)->pages, n);
  if (!page)
    return FALSE;
  *level = (ImageLevel){files_tiff_page_shown_rows (page), files_tiff_page_shown_columns (page), page->chunk_rows,
                        page->chunk_columns, page->compression == COMPRESSION_NONE};
  if (page->orientation > 4) {
    level->tile_rows = page->chunk_columns;
    level->tile_columns = page->chunk_rows;
  }
  return TRUE;
}

/* ---- Opening ---- */

static void
source_free (gpointer self)
{
  Source *source = self;
  g_queue_clear_full (&source->kept, (GDestroyNotify) samples_unref);
  g_clear_pointer (&source->pages, files_tiff_pages_free);
  files_tiff_layout_unref (source->layout);
  fork_unguard (&source->lock);
  g_mutex_clear (&source->lock);
  g_free (source);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Source, source_free)

Image *
files_tiff_open (gpointer layout, guint series, GError **error)
{
  static const ImageSource functions = {source_level, source_read, source_free};
  g_autoptr (Source) source = g_new0 (Source, 1);
  Image *image = NULL;
  ImageInfo info;
  source->layout = files_tiff_layout_ref (layout);
  g_mutex_init (&source->lock);
  fork_guard (&source->lock, NULL, NULL);
  source->pages = files_tiff_pages_new (layout, series, error);
  if (!source->pages)
    return NULL;
  source->format = files_tiff_pages_format (source->pages);
  if (!set_samples (source, error))
    return NULL;
  files_tiff_info (source->layout, files_tiff_pages_series (source->pages), files_tiff_pages_level (source->pages, 0),
                   source->format, source->samples, &info);
  image = image_new_from_source (&info, &functions, g_steal_pointer (&source), error);
  image_info_clear (&info);
  return image;
}

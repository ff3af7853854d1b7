/* SPDX-License-Identifier: MIT
 *
 * The source of an image in a TIFF file: it keeps the file open until all planes are read, and one decoded page when pixels
 * have several samples, so that the page is decoded once for all its channels.
 */
#include "core/files/tiff/tiff.h"

#include "core/base/file_error.h"
#include "core/files/tiff/decode.h"
#include "core/files/tiff/info.h"

#include <string.h>
#include <tiffio.h>

#define ALPHA_PIXELS (16 << 20) /* looked at when a file is opened */

typedef struct {
  FilesTiffLayout *layout;
  FilesTiffSeries *series; /* a copy of one of the layout's */
  FilesTiffPage first;     /* of the series; the other pages must be like it */
  FilesTiffFormat format;
  guint samples;        /* of each pixel that are read */
  gboolean opaque;      /* alpha, the last sample, is left out */
  FilesTiffFile *other; /* the file of the set that was read last, or NULL */
  guint16 other_number;
  GHashTable *other_pages; /* by the numbers of the set's files, positions of their directories: GArray of guint64 */
  guint8 *cached;          /* all samples of one page, or NULL */
  guint64 cached_page;     /* file and page */
  guint cached_left;       /* samples that have not been asked for */
} Source;

gboolean
files_tiff_is (const guint8 *head, gsize n)
{
  return n >= 8
         && (!memcmp (head, "II*\0", 4) || !memcmp (head, "MM\0*", 4) || !memcmp (head, "II+\0", 4)
             || !memcmp (head, "MM\0+", 4));
}

static void
source_free (gpointer self)
{
  Source *source = self;
  g_clear_pointer (&source->other, files_tiff_file_free);
  g_clear_pointer (&source->other_pages, g_hash_table_unref);
  g_clear_pointer (&source->series, files_tiff_series_free);
  files_tiff_layout_unref (source->layout);
  g_free (source->cached);
  g_free (source);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Source, source_free)

/* ---- Finding a page ---- */

/* The pages of another file of a set, which stays open until a third one is wanted. Its chain of directories is followed
 * only once: channels in a file each are read in turn. */
static GArray *
open_other (Source *source, guint16 number, GError **error)
{
  gpointer key = GUINT_TO_POINTER (number);
  GArray *pages;
  if (!source->other || source->other_number != number) {
    g_clear_pointer (&source->other, files_tiff_file_free);
    source->other = files_tiff_file_open (source->layout->others->pdata[number - 1], error);
    source->other_number = number;
  }
  if (!source->other)
    return NULL;
  if (!source->other_pages)
    source->other_pages = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  pages = g_hash_table_lookup (source->other_pages, key);
  if (!pages && (pages = files_tiff_walk (source->other, error)))
    g_hash_table_insert (source->other_pages, key, pages);
  return pages;
}

/* The page of a plane, and the file that it is in. */
static gboolean
find_page (Source *source, const FilesTiffPlane *plane, const FilesTiffFile **file, FilesTiffPage *page, GError **error)
{
  GArray *pages = source->layout->pages;
  *file = source->layout->file;
  if (source->series->consecutive) {
    *page = source->layout->first;
    return TRUE;
  }
  if (plane->file > 0) {
    if (!(pages = open_other (source, plane->file, error)))
      return FALSE;
    *file = source->other;
  }
  if (plane->page >= pages->len)
    return file_fail (error, FILE_ERROR_DAMAGED, (*file)->path,
                      "is truncated: the set that it belongs to needs its page %u, and it has only %u.",
                      plane->page + 1, pages->len);
  return files_tiff_page_read (*file, g_array_index (pages, guint64, plane->page), (gint64) plane->page + 1, page,
                               error);
}

static gboolean
is_alike (const FilesTiffPage *a, const FilesTiffPage *b)
{
  return files_tiff_page_shown_rows (a) == files_tiff_page_shown_rows (b)
         && files_tiff_page_shown_columns (a) == files_tiff_page_shown_columns (b) && a->bits == b->bits
         && a->samples == b->samples && a->format == b->format;
}

/* ---- Reading a page ---- */

/* Makes the page one strip without gaps, the n-th of those that follow each other; of separate planes, that of a sample. */
static void
point_to_consecutive (const FilesTiffFile *file, FilesTiffPage *page, FilesTiffFormat *format, guint64 n, guint sample)
{
  guint planes = page->planar == PLANARCONFIG_SEPARATE ? page->samples : 1;
  guint64 row = ((guint64) page->columns * page->bits * (page->samples / planes) + 7) / 8, at = 0;
  files_tiff_numbers (file, &page->offsets, 0, 1, &at);
  at += (n * planes + (planes > 1 ? sample : 0)) * row * page->rows;
  page->offsets = (FilesTiffField){.type = TIFF_LONG8, .here = TRUE, .count = 1, .value = at};
  page->counts.count = 0;
  page->chunk_rows = page->rows;
  if (planes > 1) {
    page->planar = PLANARCONFIG_CONTIG;
    page->samples = 1;
    format->samples = 1;
  }
}

/* Decodes one sample of a page, or with -1 all. */
static gboolean
decode (Source *source, const FilesTiffPlane *plane, int sample, void *pixels, GError **error)
{
  const FilesTiffFile *file;
  FilesTiffPage page;
  FilesTiffFormat format = source->format;
  FilesTiffJob job = {.page = &page, .format = &format, .number = (gint64) plane->page + 1};
  if (!find_page (source, plane, &file, &page, error))
    return FALSE;
  job.file = file;
  if (!is_alike (&page, &source->first))
    return file_fail (error, FILE_ERROR_DAMAGED, file->path,
                      "is damaged: page %" G_GINT64_FORMAT " has another size or type than the others of its image.",
                      job.number);
  if (!files_tiff_decodable (&job, error))
    return FALSE;
  if (source->series->consecutive) {
    point_to_consecutive (file, &page, &format, plane->page, (guint) MAX (sample, 0));
    sample = format.samples == 1 ? 0 : sample;
  }
  return files_tiff_decode (&job, sample, pixels, error);
}

static gsize
plane_bytes (const Source *source)
{
  return (gsize) source->first.rows * source->first.columns * source->format.bytes;
}

static gboolean
no_memory (const Source *source, GError **error)
{
  return file_fail (error, FILE_ERROR_OPEN, source->layout->file->path,
                    "cannot be read: there is not enough memory for one of its pages.");
}

static gboolean
fill_cache (Source *source, const FilesTiffPlane *plane, GError **error)
{
  guint64 page = (guint64) plane->file << 32 | plane->page;
  if (source->cached && source->cached_page == page)
    return TRUE;
  g_free (source->cached);
  source->cached = g_try_malloc (plane_bytes (source) * source->format.samples);
  if (!source->cached)
    return no_memory (source, error);
  source->cached_page = page;
  source->cached_left = source->samples;
  if (!decode (source, plane, -1, source->cached, error))
    g_clear_pointer (&source->cached, g_free);
  return source->cached != NULL;
}

/* ---- Alpha ---- */

static gboolean
has_alpha (const FilesTiffPage *page, const FilesTiffFormat *format)
{
  guint plain = page->photometric == PHOTOMETRIC_RGB ? 3 : 1;
  return (page->alpha == EXTRASAMPLE_ASSOCALPHA || page->alpha == EXTRASAMPLE_UNASSALPHA)
         && format->samples == plain + 1 && (format->type == FV_U8 || format->type == FV_U16) && format->copied;
}

/* Whether alpha, the last sample, is at its largest in all pixels of a page. */
static gboolean
is_opaque (Source *source, const FilesTiffPlane *page, gboolean *opaque, GError **error)
{
  gsize bytes = plane_bytes (source);
  g_autofree guint8 *memory = NULL;
  const guint8 *alpha;
  if (source->first.planar == PLANARCONFIG_SEPARATE) {
    alpha = memory = g_try_malloc (bytes);
    if (!memory)
      return no_memory (source, error);
    if (!decode (source, page, (int) source->format.samples - 1, memory, error))
      return FALSE;
  } else {
    if (!fill_cache (source, page, error))
      return FALSE;
    alpha = source->cached + (source->format.samples - 1) * bytes;
  }
  *opaque = TRUE;
  for (gsize i = 0; i < bytes && *opaque; i++)
    *opaque = alpha[i] == 0xff;
  return TRUE;
}

/* Whether alpha can be left out: it is opaque in the first and the last page and in as many others, evenly spread, as
 * ALPHA_PIXELS allow, so that opening takes no longer with more pages. */
static gboolean
judge_alpha (Source *source, gboolean *opaque, GError **error)
{
  const GArray *pages = source->series->planes;
  gsize few = ALPHA_PIXELS / ((gsize) source->first.rows * source->first.columns);
  gsize n = MIN (MAX (few, 2), pages->len);
  *opaque = TRUE;
  for (gsize i = 0; i < n && *opaque; i++)
    if (!is_opaque (source, &g_array_index (pages, FilesTiffPlane, n > 1 ? i * (pages->len - 1) / (n - 1) : 0), opaque,
                    error))
      return FALSE;
  return TRUE;
}

static gboolean
set_samples (Source *source, GError **error)
{
  source->samples = source->format.samples;
  if (!source->series->expanded && has_alpha (&source->first, &source->format)
      && !judge_alpha (source, &source->opaque, error))
    return FALSE;
  source->samples -= source->opaque;
  source->cached_left = source->samples;
  files_tiff_series_expand (source->series, source->samples);
  return TRUE;
}

/* ---- Reading a plane ---- */

/* When alpha was left out, no page may need it. */
static gboolean
check_alpha (Source *source, const FilesTiffPlane *plane, GError **error)
{
  gboolean opaque = TRUE;
  if (!source->opaque || plane->sample > 0)
    return TRUE;
  return is_opaque (source, plane, &opaque, error)
         && (opaque
             || file_fail (error, FILE_ERROR_UNSUPPORTED, source->layout->file->path,
                           "has transparent pixels on page %u but not on others; save it with the page that has them "
                           "first, or without alpha.",
                           plane->page + 1));
}

/* Pages whose samples are interleaved are decoded as a whole. */
static gboolean
source_read_plane (gpointer self, gint64 number, void *pixels, GError **error)
{
  Source *source = self;
  const FilesTiffPlane *plane = &g_array_index (source->series->planes, FilesTiffPlane, number);
  gsize bytes = plane_bytes (source);
  if (!check_alpha (source, plane, error))
    return FALSE;
  if (source->format.samples == 1 || source->first.planar == PLANARCONFIG_SEPARATE)
    return decode (source, plane, plane->sample, pixels, error);
  if (!fill_cache (source, plane, error))
    return FALSE;
  memcpy (pixels, source->cached + plane->sample * bytes, bytes);
  if (--source->cached_left == 0)
    g_clear_pointer (&source->cached, g_free);
  return TRUE;
}

/* ---- Opening ---- */

static gboolean
source_start (Source *source, GError **error)
{
  const FilesTiffPlane *plane = &g_array_index (source->series->planes, FilesTiffPlane, 0);
  const FilesTiffFile *file;
  FilesTiffJob job = {.page = &source->first, .format = &source->format, .number = (gint64) plane->page + 1};
  if (!find_page (source, plane, &file, &source->first, error)
      || !files_tiff_format (file, &source->first, &source->format, error))
    return FALSE;
  job.file = file;
  if (!files_tiff_decodable (&job, error))
    return FALSE;
  if (source->series->imagej && source->layout->imagej->offset != 0)
    files_tiff_format_offset (&source->format, (gint32) source->layout->imagej->offset);
  return set_samples (source, error);
}

Image *
files_tiff_open (FilesTiffLayout *layout, guint series, GError **error)
{
  static const ImageSource functions = {source_read_plane, source_free};
  g_autoptr (Source) source = g_new0 (Source, 1);
  Image *image = NULL;
  ImageInfo info;
  source->layout = files_tiff_layout_ref (layout);
  source->series = files_tiff_series_copy (layout->series->pdata[series]);
  if (!source_start (source, error))
    return NULL;
  files_tiff_info (source->layout, source->series, &source->first, &source->format, source->samples, &info);
  image = image_new_from_source (&info, &functions, g_steal_pointer (&source), error);
  image_info_clear (&info);
  return image;
}

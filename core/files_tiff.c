/* SPDX-License-Identifier: MIT
 *
 * The source of an image in a TIFF file: it keeps the file open until all planes are read, and one decoded page when pixels
 * have several samples, so that the page is decoded once for all its channels.
 */
#include "files_tiff.h"

#include "files.h"
#include "files_tiff_decode.h"
#include "files_tiff_layout.h"

#include <string.h>
#include <tiffio.h>

typedef struct {
  FilesTiffLayout *layout;
  FilesTiffSeries *series; /* one of the layout's */
  FilesTiffPage first;     /* of the series; the other pages must be like it */
  FilesTiffFormat format;
  guint samples;        /* of each pixel that are read */
  FilesTiffFile *other; /* the file of the set that was read last, or NULL */
  GArray *other_pages;
  guint16 other_number;
  guint8 *cached;      /* all samples of one page, or NULL */
  guint64 cached_page; /* file and page */
  guint cached_left;   /* samples that have not been asked for */
} Source;

gboolean
files_tiff_is (const guint8 *head, gsize n)
{
  return n >= 8
         && (!memcmp (head, "II*\0", 4) || !memcmp (head, "MM\0*", 4) || !memcmp (head, "II+\0", 4)
             || !memcmp (head, "MM\0+", 4));
}

static void
close_other (Source *source)
{
  g_clear_pointer (&source->other, files_tiff_file_free);
  g_clear_pointer (&source->other_pages, g_array_unref);
}

static void
source_free (gpointer self)
{
  Source *source = self;
  close_other (source);
  if (source->layout)
    files_tiff_layout_free (source->layout);
  g_free (source->cached);
  g_free (source);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Source, source_free)

/* ---- Finding a page ---- */

/* Opens another file of a set, unless it is the one that is open. */
static gboolean
open_other (Source *source, guint16 number, GError **error)
{
  if (source->other && source->other_number == number)
    return TRUE;
  close_other (source);
  source->other = files_tiff_file_open (source->layout->others->pdata[number - 1], error);
  if (!source->other)
    return FALSE;
  source->other_number = number;
  source->other_pages = files_tiff_walk (source->other, error);
  if (!source->other_pages)
    close_other (source);
  return source->other != NULL;
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
    if (!open_other (source, plane->file, error))
      return FALSE;
    *file = source->other;
    pages = source->other_pages;
  }
  if (plane->page >= pages->len)
    return files_fail (error, FILES_ERROR_DAMAGED, (*file)->path,
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
    return files_fail (error, FILES_ERROR_DAMAGED, file->path,
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

static gboolean
fill_cache (Source *source, const FilesTiffPlane *plane, GError **error)
{
  guint64 page = (guint64) plane->file << 32 | plane->page;
  gsize bytes = (gsize) source->first.rows * source->first.columns * source->format.bytes;
  if (source->cached && source->cached_page == page)
    return TRUE;
  g_free (source->cached);
  source->cached = g_try_malloc (bytes * source->format.samples);
  if (!source->cached)
    return files_fail (error, FILES_ERROR_OPEN, source->layout->file->path,
                       "cannot be read: there is not enough memory for one of its pages.");
  source->cached_page = page;
  source->cached_left = source->samples;
  if (!decode (source, plane, -1, source->cached, error))
    g_clear_pointer (&source->cached, g_free);
  return source->cached != NULL;
}

/* Pages whose samples are interleaved are decoded as a whole. */
static gboolean
read_sample (Source *source, const FilesTiffPlane *plane, void *pixels, GError **error)
{
  gsize bytes = (gsize) source->first.rows * source->first.columns * source->format.bytes;
  if (source->format.samples == 1 || source->first.planar == PLANARCONFIG_SEPARATE)
    return decode (source, plane, plane->sample, pixels, error);
  if (!fill_cache (source, plane, error))
    return FALSE;
  memcpy (pixels, source->cached + plane->sample * bytes, bytes);
  if (--source->cached_left == 0)
    g_clear_pointer (&source->cached, g_free);
  return TRUE;
}

static gboolean
source_read_plane (gpointer self, gint64 plane, void *pixels, GError **error)
{
  Source *source = self;
  return read_sample (source, &g_array_index (source->series->planes, FilesTiffPlane, plane), pixels, error);
}

/* ---- Alpha ---- */

static gboolean
has_alpha (const FilesTiffPage *page, const FilesTiffFormat *format)
{
  guint plain = page->photometric == PHOTOMETRIC_RGB ? 3 : 1;
  return (page->alpha == EXTRASAMPLE_ASSOCALPHA || page->alpha == EXTRASAMPLE_UNASSALPHA)
         && format->samples == plain + 1 && (format->type == FV_U8 || format->type == FV_U16) && format->copied;
}

/* *opaque: whether alpha, the last sample, is at its largest in all pixels of all pages. */
static gboolean
check_alpha (Source *source, gboolean *opaque, GError **error)
{
  gsize pixels = (gsize) source->first.rows * source->first.columns, bytes = pixels * source->format.bytes;
  g_autofree guint8 *alpha = g_try_malloc (bytes);
  *opaque = FALSE;
  if (!alpha)
    return files_fail (error, FILES_ERROR_OPEN, source->layout->file->path,
                       "cannot be read: there is not enough memory for one of its pages.");
  for (guint i = 0; i < source->series->planes->len; i++) {
    FilesTiffPlane plane = g_array_index (source->series->planes, FilesTiffPlane, i);
    plane.sample = (guint16) (source->format.samples - 1);
    if (!read_sample (source, &plane, alpha, error))
      return FALSE;
    for (gsize j = 0; j < bytes; j++)
      if (alpha[j] != 0xff)
        return TRUE;
  }
  *opaque = TRUE;
  return TRUE;
}

static gboolean
set_samples (Source *source, GError **error)
{
  gboolean opaque = FALSE;
  source->samples = source->format.samples;
  if (!source->series->expanded && has_alpha (&source->first, &source->format) && !check_alpha (source, &opaque, error))
    return FALSE;
  source->samples -= opaque;
  source->cached_left = source->samples;
  files_tiff_series_expand (source->series, source->samples);
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
files_tiff_open (const char *path, guint series, GError **error)
{
  static const ImageSource functions = {source_read_plane, source_free};
  g_autoptr (Source) source = g_new0 (Source, 1);
  Image *image = NULL;
  ImageInfo info;
  source->layout = files_tiff_layout_new (path, error);
  if (!source->layout)
    return NULL;
  if (series >= source->layout->series->len) {
    files_fail (error, FILES_ERROR_OPEN, path, "has %u images, so there is no image %u.", source->layout->series->len,
                series + 1);
    return NULL;
  }
  source->series = source->layout->series->pdata[series];
  if (!source_start (source, error))
    return NULL;
  files_tiff_info (source->layout, source->series, &source->first, &source->format, source->samples, &info);
  image = image_new_from_source (&info, &functions, g_steal_pointer (&source), error);
  image_info_clear (&info);
  return image;
}

guint
files_tiff_series (const char *path, GError **error)
{
  g_autoptr (FilesTiffLayout) layout = files_tiff_layout_new (path, error);
  return layout ? layout->series->len : 0;
}

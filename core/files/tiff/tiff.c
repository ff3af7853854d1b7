/* SPDX-License-Identifier: MIT
 *
 * The source of an image in a TIFF file. Where pixels have several samples, what was decoded for one of them is kept for the
 * others.
 */
#include "core/files/tiff/tiff.h"

#include "core/base/file_error.h"
#include "core/base/parallel.h"
#include "core/files/shared/kept.h"
#include "core/files/tiff/info.h"
#include "core/files/tiff/pages.h"

#include <string.h>
#include <tiffio.h>

#define ALPHA_PIXELS (16 << 20)  /* looked at when a file is opened */
#define LARGE_PIXELS (256 << 20) /* of a larger page a smaller level is looked at */
#define COPIED_BYTES (1 << 20)   /* by one thread at a time */

typedef struct {
  FilesTiffLayout *layout;
  FilesTiffPages *pages;
  const FilesTiffFormat *format; /* of the pages */
  GArray *planes;                /* FilesTiffPlane */
  guint samples;                 /* of each pixel that are read */
  gboolean opaque;               /* alpha, the last sample, is left out */
  FilesKept *kept;
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

static gsize
region_bytes (const Source *source, const ImageRegion *region)
{
  return (gsize) region->rows * (gsize) region->columns * source->format->bytes;
}

typedef struct {
  const Source *source;
  const ImageRegion *region;
  FilesTiffDecoder *decoder;
} Decoding;

static gboolean
decode_all (gpointer data, guint8 *pixels, GError **error)
{
  const Decoding *d = data;
  return files_tiff_decode (d->decoder, -1, d->region, pixels, (gsize) d->region->columns * d->source->format->bytes,
                            error);
}

/* All samples of a region, decoded once for all of them. others: how many will be asked for later. */
static FilesKeptPixels *
all_samples (Source *source, guint level, const FilesTiffPlane *plane, const ImageRegion *region, guint others,
             FilesTiffDecoder *decoder, GError **error)
{
  const FilesKeptRegion wanted = {level, (guint64) plane->file << 32 | plane->page, *region,
                                  region_bytes (source, region) * source->format->samples, others};
  Decoding decoding = {source, region, decoder};
  return files_kept_take (source->kept, &wanted, decode_all, &decoding, error);
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

/* In which level the alpha of a page is looked at: 0, or, when that is large, the first that is not. */
static guint
alpha_level (const Source *source)
{
  const FilesTiffPage *page = files_tiff_pages_level (source->pages, 0);
  guint level = 0;
  if ((guint64) page->rows * page->columns <= LARGE_PIXELS)
    return 0;
  while (page && (guint64) page->rows * page->columns > ALPHA_PIXELS)
    page = files_tiff_pages_level (source->pages, ++level);
  return page ? level : 0;
}

/* The same for all of a page, which is kept when the image is going to need it. */
static gboolean
page_is_opaque (Source *source, const FilesTiffPlane *plane, gboolean *opaque, GError **error)
{
  const guint level = alpha_level (source);
  const FilesTiffPage *page = files_tiff_pages_level (source->pages, level);
  const ImageRegion all = {0, 0, files_tiff_page_shown_rows (page), files_tiff_page_shown_columns (page)};
  g_autoptr (FilesTiffDecoder) decoder = files_tiff_pages_open (source->pages, level, plane, error);
  gsize bytes = region_bytes (source, &all);
  g_autoptr (FilesKeptPixels) s = NULL;
  if (!decoder)
    return FALSE;
  if (is_separate (decoder))
    return is_opaque (source, decoder, &all, opaque, error);
  if (!(s = all_samples (source, level, plane, &all, source->format->samples - 1, decoder, error)))
    return FALSE;
  *opaque = all_ones (files_kept_pixels (s) + (source->format->samples - 1) * bytes, bytes);
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
  g_autoptr (FilesKeptPixels) s = all_samples (source, level, plane, region, source->samples - 1, decoder, error);
  if (!s)
    return FALSE;
  if (source->opaque && !all_ones (files_kept_pixels (s) + (source->format->samples - 1) * bytes, bytes))
    return transparent (source, plane, error);
  rows.from = files_kept_pixels (s) + plane->sample * bytes;
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
  files_kept_free (source->kept);
  g_clear_pointer (&source->pages, files_tiff_pages_free);
  files_tiff_layout_unref (source->layout);
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
  source->kept = files_kept_new (source->layout->file->path);
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

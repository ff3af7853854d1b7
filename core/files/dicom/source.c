/* SPDX-License-Identifier: MIT
 *
 * Frames that are not compressed are read row by row, all others as a whole. These are kept until all of them was taken, since the three channels of
 * colors are read one after the other, and regions of a slide end within tiles.
 */
#include "core/files/dicom/source.h"

#include "core/base/parallel.h"
#include "core/data/pixel_type.h"
#include "core/files/dicom/values.h"
#include "core/files/shared/decoded.h"

#include <string.h>

enum { PIECE = 1 << 20 /* bytes of stored numbers that are read at one go */ };

typedef struct {
  DicomSeries *series;
  gint64 channels, rows, columns;
  FilesDecoded *kept; /* frames, by their planes */
} Source;

static gsize
row_bytes (const DicomHeader *h)
{
  return (gsize) h->columns * h->samples * dicom_number_bytes (h);
}

/* ---- Rows ---- */

static void
convert_row (const Source *s, const DicomPlane *plane, gint64 channel, const guint8 *numbers, const ImageRegion *region,
             void *to)
{
  const DicomHeader *h = plane->file->header;
  const guint8 *from = numbers + (gsize) region->column * h->samples * dicom_number_bytes (h);
  const guint8 *palette = plane->file->palette;
  if (palette)
    for (gint64 i = 0; i < region->columns; i++)
      ((guint8 *) to)[i] =
        palette[((gsize) channel << 16) + (h->allocated == 8 ? from[i] : ((const guint16 *) (const void *) from)[i])];
  else if (h->colors >= DICOM_RGB)
    dicom_color (h, from, (gsize) region->columns, (guint) channel, to);
  else
    dicom_values (h, h->frames + plane->frame, from, (gsize) region->columns, s->series->type, to);
}

static gboolean
no_memory (const DicomPlane *plane, GError **error)
{
  return file_fail (error, FILE_ERROR_OPEN, plane->file->path, "cannot be read: a frame does not fit into memory.");
}

/* A frame that is read as a whole. */
static guint8 *
decode (gpointer self, gconstpointer part, GError **error)
{
  const DicomPlane *plane = part;
  const DicomHeader *h = plane->file->header;
  g_autoptr (FilesBytes) bytes = dicom_file_bytes (plane->file, error);
  g_autofree guint8 *pixels = bytes ? g_try_malloc (row_bytes (h) * h->rows) : NULL;
  (void) self;
  if (bytes && !pixels)
    no_memory (plane, error);
  return pixels && dicom_frames_read (plane->file->frames, bytes, plane->frame, 0, h->rows, pixels, error)
           ? g_steal_pointer (&pixels)
           : NULL;
}

static gboolean
read_whole (Source *s, const DicomPlane *plane, gint64 channel, const ImageRegion *region, guint8 *to, gsize stride,
            GError **error)
{
  const DicomHeader *h = plane->file->header;
  const gsize row = row_bytes (h);
  const guint64 used =
    (guint64) (region->rows * region->columns) * (row / h->columns) / (h->colors >= DICOM_PALETTE ? 3 : 1);
  g_autoptr (FilesDecodedPart) pixels = files_decoded_take (s->kept, plane, row * h->rows, used, error);
  if (!pixels)
    return FALSE;
  for (gint64 y = 0; y < region->rows; y++)
    convert_row (s, plane, channel, files_decoded_bytes (pixels) + (gsize) (region->row + y) * row, region,
                 to + (gsize) y * stride);
  return TRUE;
}

static gboolean
read_rows (Source *s, const DicomPlane *plane, gint64 channel, const ImageRegion *region, guint8 *to, gsize stride,
           GError **error)
{
  g_autoptr (FilesBytes) bytes = dicom_file_bytes (plane->file, error);
  const gsize row = row_bytes (plane->file->header);
  const gint64 together = MAX ((gint64) (PIECE / row), 1);
  g_autofree guint8 *numbers = bytes ? g_try_malloc (row * (gsize) MIN (together, region->rows)) : NULL;
  if (!bytes)
    return FALSE;
  if (!numbers)
    return no_memory (plane, error);
  for (gint64 done = 0; done < region->rows; done += together) {
    const gint64 n = MIN (together, region->rows - done);
    if (!dicom_frames_read (plane->file->frames, bytes, plane->frame, (guint) (region->row + done), (guint) n, numbers,
                            error))
      return FALSE;
    for (gint64 y = 0; y < n; y++)
      convert_row (s, plane, channel, numbers + (gsize) y * row, region, to + (gsize) (done + y) * stride);
  }
  return TRUE;
}

static gboolean
read_frame (Source *s, const DicomPlane *plane, gint64 channel, const ImageRegion *region, guint8 *to, gsize stride,
            GError **error)
{
  return (dicom_frames_are_direct (plane->file->frames) ? read_rows : read_whole) (s, plane, channel, region, to,
                                                                                   stride, error);
}

/* ---- Tiles ---- */

/* A region of a slide. */
typedef struct {
  Source *source;
  const DicomSeries *series; /* of the level */
  gint64 channel;            /* of the colors */
  const guint *frames;       /* of the plane */
  const ImageRegion *region;
  guint8 *to;
  gsize stride;
  gint64 row, column, across; /* the first tile, and how many are side by side */
} Slide;

/* The part of tile i of the region; at: where it begins there. */
static ImageRegion
part_of_tile (const Slide *slide, guint64 i, gint64 *at_row, gint64 *at_column)
{
  const DicomHeader *h = slide->series->planes->file->header;
  const ImageRegion *all = slide->region;
  const gint64 top = (slide->row + (gint64) i / slide->across) * h->rows,
               left = (slide->column + (gint64) i % slide->across) * h->columns, first_row = MAX (top, all->row),
               first_column = MAX (left, all->column);
  *at_row = first_row - all->row;
  *at_column = first_column - all->column;
  return (ImageRegion){first_row - top, first_column - left, MIN (top + h->rows, all->row + all->rows) - first_row,
                       MIN (left + h->columns, all->column + all->columns) - first_column};
}

static gboolean
read_tile (gpointer data, guint64 i, GError **error)
{
  const Slide *slide = data;
  const DicomSeries *series = slide->series;
  const DicomMosaic *mosaic = series->mosaic;
  const gsize pixel = pixel_type_bytes (series->type);
  gint64 row, column;
  const ImageRegion part = part_of_tile (slide, i, &row, &column);
  guint8 *to = slide->to + (gsize) row * slide->stride + (gsize) column * pixel;
  const guint frame =
    slide
      ->frames[(slide->row + (gint64) i / slide->across) * mosaic->across + slide->column + (gint64) i % slide->across];
  if (frame)
    return read_frame (slide->source, &series->planes[frame - 1], slide->channel, &part, to, slide->stride, error);
  for (gint64 y = 0; y < part.rows; y++)
    memset (to + (gsize) y * slide->stride, 0, (gsize) part.columns * pixel);
  return TRUE;
}

/* A plane: channel by channel, slice by slice. Colors are channels of one. */
static gboolean
read_slide (Source *s, const DicomSeries *series, gint64 channel, gint64 slice, const ImageRegion *region, guint8 *to,
            gsize stride, GError **error)
{
  const DicomHeader *h = series->planes->file->header;
  const DicomMosaic *mosaic = series->mosaic;
  const gint64 layer = (mosaic->channels > 1 ? channel : 0) * mosaic->depth + slice;
  Slide slide = {s,
                 series,
                 channel,
                 mosaic->frames + layer * mosaic->across * mosaic->down,
                 region,
                 to,
                 stride,
                 region->row / h->rows,
                 region->column / h->columns,
                 0};
  slide.across = (region->column + region->columns - 1) / h->columns - slide.column + 1;
  const gint64 down = (region->row + region->rows - 1) / h->rows - slide.row + 1;
  return parallel_do ((guint64) (slide.across * down), G_MAXUINT, read_tile, &slide, error);
}

/* ---- The source ---- */

/* NULL: the image has fewer levels. */
static const DicomSeries *
series_of_level (const Source *s, guint n)
{
  const GPtrArray *levels = s->series->levels;
  if (!n)
    return s->series;
  return levels && n <= levels->len ? levels->pdata[n - 1] : NULL;
}

static gboolean
source_read (gpointer self, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride,
             GError **error)
{
  Source *s = self;
  const gint64 depth = s->series->depth, time = plane / depth / s->channels, channel = plane / depth % s->channels;
  return s->series->mosaic
           ? read_slide (s, series_of_level (s, level), channel, plane % depth, region, to, stride, error)
           : read_frame (s, s->series->planes + time * depth + plane % depth, channel, region, to, stride, error);
}

static gboolean
source_level (gpointer self, guint n, ImageLevel *level)
{
  const Source *s = self;
  const DicomSeries *series = series_of_level (s, n);
  if (!series)
    return FALSE;
  const DicomFile *first = series->planes->file;
  const DicomHeader *h = first->header;
  const gboolean direct = dicom_frames_are_direct (first->frames);
  *level = series->mosaic ? (ImageLevel){h->matrix[0], h->matrix[1], h->rows, h->columns, direct}
                          : (ImageLevel){s->rows, s->columns, s->rows, s->columns, direct};
  return TRUE;
}

static void
source_free (gpointer self)
{
  Source *s = self;
  files_decoded_free (s->kept);
  dicom_series_unref (s->series);
  g_free (s);
}

Image *
dicom_source_image (DicomSeries *series, const ImageInfo *info, GError **error)
{
  static const ImageSource functions = {source_level, source_read, source_free};
  if (!image_info_check (info, error))
    return NULL;
  Source *s = g_new0 (Source, 1);
  s->series = dicom_series_ref (series);
  s->channels = info->channels;
  s->rows = info->rows;
  s->columns = info->columns;
  s->kept = files_decoded_new (decode, s);
  return image_new_from_source (info, &functions, s, error);
}

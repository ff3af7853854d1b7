/* SPDX-License-Identifier: MIT
 *
 * Frames that are not compressed are read row by row, all others as a whole. The last frame of colors is kept, since its three channels are read one
 * after the other.
 */
#include "core/files/dicom/source.h"

#include "core/data/pixel_type.h"
#include "core/files/dicom/values.h"

#include <string.h>

enum { PIECE = 1 << 20 /* bytes of stored numbers that are read at one go */ };

typedef struct {
  DicomSeries *series;
  gint64 channels, rows, columns;
  GMutex lock; /* guards what follows */
  const DicomPlane *kept;
  GBytes *kept_pixels;
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
  else if (s->channels > 1)
    dicom_color (h, from, (gsize) region->columns, (guint) channel, to);
  else
    dicom_values (h, h->frames + plane->frame, from, (gsize) region->columns, s->series->type, to);
}

static gboolean
no_memory (const DicomPlane *plane, GError **error)
{
  return file_fail (error, FILE_ERROR_OPEN, plane->file->path, "cannot be read: a frame does not fit into memory.");
}

/* A frame that is read as a whole. NULL with *error. */
static GBytes *
whole_frame (Source *s, const DicomPlane *plane, FilesBytes *bytes, GError **error)
{
  const DicomHeader *h = plane->file->header;
  const gsize n = row_bytes (h) * h->rows;
  g_mutex_lock (&s->lock);
  GBytes *pixels = s->kept == plane ? g_bytes_ref (s->kept_pixels) : NULL;
  g_mutex_unlock (&s->lock);
  if (pixels)
    return pixels;
  g_autofree guint8 *read = g_try_malloc (n);
  if (!read) {
    no_memory (plane, error);
    return NULL;
  }
  if (!dicom_frames_read (plane->file->frames, bytes, plane->frame, 0, h->rows, read, error))
    return NULL;
  pixels = g_bytes_new_take (g_steal_pointer (&read), n);
  if (s->channels > 1) {
    g_mutex_lock (&s->lock);
    g_clear_pointer (&s->kept_pixels, g_bytes_unref);
    s->kept_pixels = g_bytes_ref (pixels);
    s->kept = plane;
    g_mutex_unlock (&s->lock);
  }
  return pixels;
}

static gboolean
read_whole (Source *s, const DicomPlane *plane, FilesBytes *bytes, gint64 channel, const ImageRegion *region,
            guint8 *to, gsize stride, GError **error)
{
  g_autoptr (GBytes) pixels = whole_frame (s, plane, bytes, error);
  const guint8 *numbers = pixels ? g_bytes_get_data (pixels, NULL) : NULL;
  for (gint64 y = 0; numbers && y < region->rows; y++)
    convert_row (s, plane, channel, numbers + (gsize) (region->row + y) * row_bytes (plane->file->header), region,
                 to + (gsize) y * stride);
  return numbers != NULL;
}

static gboolean
read_rows (Source *s, const DicomPlane *plane, FilesBytes *bytes, gint64 channel, const ImageRegion *region, guint8 *to,
           gsize stride, GError **error)
{
  const gsize row = row_bytes (plane->file->header);
  const gint64 together = MAX ((gint64) (PIECE / row), 1);
  g_autofree guint8 *numbers = g_try_malloc (row * (gsize) MIN (together, region->rows));
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

/* ---- The source ---- */

static gboolean
source_read (gpointer self, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride,
             GError **error)
{
  Source *s = self;
  const gint64 depth = s->series->depth, time = plane / depth / s->channels, channel = plane / depth % s->channels;
  const DicomPlane *at = s->series->planes + time * depth + plane % depth;
  g_autoptr (FilesBytes) bytes = dicom_file_bytes (at->file, error);
  (void) level;
  return bytes
         && (dicom_frames_are_direct (at->file->frames) ? read_rows : read_whole) (s, at, bytes, channel, region, to,
                                                                                   stride, error);
}

static gboolean
source_level (gpointer self, guint n, ImageLevel *level)
{
  const Source *s = self;
  *level =
    (ImageLevel){s->rows, s->columns, s->rows, s->columns, dicom_frames_are_direct (s->series->planes[0].file->frames)};
  return n == 0;
}

static void
source_free (gpointer self)
{
  Source *s = self;
  g_clear_pointer (&s->kept_pixels, g_bytes_unref);
  g_mutex_clear (&s->lock);
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
  g_mutex_init (&s->lock);
  return image_new_from_source (info, &functions, s, error);
}

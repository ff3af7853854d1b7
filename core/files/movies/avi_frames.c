/* SPDX-License-Identifier: MIT
 *
 * What is stored as it is shown is read in place. Other frames are decoded as a whole, to samples side by side.
 */
#include "core/files/movies/avi_frames.h"

#include "core/base/file_error.h"
#include "core/files/shared/jpeg.h"
#include "core/files/pictures/png.h"
#include "core/files/shared/blocks.h"
#include "core/files/shared/decoded.h"

#include <string.h>

/* ---- Pixels that are stored as they are ---- */

static Image *
plain_image (const FilesAviLayout *l, const ImageInfo *info, GError **error)
{
  FilesBytes *file = l->file;
  FilesBlocks blocks = {.files = &file, .n_files = 1, .number = {.bytes = 1}};
  g_autofree FilesBlock *planes = g_try_new (FilesBlock, (gsize) image_info_planes (info));
  blocks.planes = planes;
  blocks.strides[3] = l->upward ? -l->row_bytes : l->row_bytes;
  blocks.strides[4] = l->bits / 8;
  if (!planes) {
    file_fail (error, FILE_ERROR_OPEN, file->path, "does not fit into the memory.");
    return NULL;
  }
  for (gint64 i = 0; i < image_info_planes (info); i++) {
    const guint64 at = g_array_index (l->frames, FilesAviFrame, i / info->channels).at;
    const gint64 blue_first = l->samples == 3 ? 2 - i % 3 : 0;
    planes[i].file = 0;
    planes[i].at = at + (guint64) (l->upward ? (l->rows - 1) * l->row_bytes : 0) + (guint64) blue_first;
  }
  return files_blocks_image (&blocks, info, error);
}

/* ---- Decoding ---- */

typedef struct {
  FilesAviLayout *layout;
  FilesDecoded *kept;
} Source;

static gsize
frame_samples (const FilesAviLayout *l)
{
  return (gsize) l->rows * (gsize) l->columns * l->samples;
}

/* Indices of a palette. */
static void
map_colors (const FilesAviLayout *l, const guint8 *stored, guint8 *to)
{
  for (gint64 y = 0; y < l->rows; y++) {
    const guint8 *row = stored + (l->upward ? l->rows - 1 - y : y) * l->row_bytes;
    for (gint64 x = 0; x < l->columns; x++, to += l->samples)
      memcpy (to, l->palette + 3 * row[x], l->samples);
  }
}

static const char *
decode_png (const FilesAviLayout *l, guint8 *bytes, gsize n, guint8 *to)
{
  FilesPng png;
  const char *why = NULL;
  const gboolean read = files_png_read (l->file->path, bytes, n, TRUE, &png, NULL);
  const guint samples = png.samples.samples, colors = samples < 3 ? 1 : 3;
  if (!read)
    why = "is a PNG picture that cannot be decoded";
  else if (png.info.rows != l->rows || png.info.columns != l->columns || png.info.type != FV_U8
           || (colors > l->samples && !png.samples.gray))
    why = "has another size or other colors than the first";
  for (gint64 y = 0; y < l->rows && !why; y++) {
    const guint8 *from = png.pixels + (gsize) y * png.samples.row_bytes;
    for (gint64 x = 0; x < l->columns; x++, from += samples)
      for (guint c = 0; c < l->samples; c++)
        *to++ = from[MIN (c, colors - 1)];
  }
  files_png_clear (&png);
  return why;
}

static const char *
decode_jpeg (const FilesAviLayout *l, const guint8 *stored, gsize n, guint8 *pixels)
{
  const FilesJpegWanted wanted = {.rows = l->rows, .columns = l->columns, .samples = l->samples, .bits = 8};
  switch (files_jpeg_decode (stored, n, &wanted, pixels)) {
  case FILES_JPEG_DECODED: return NULL;
  case FILES_JPEG_OTHER: return "has another size or other colors than the first";
  default: return "is a JPEG picture that cannot be decoded";
  }
}

static guint8 *
decode (gpointer self, gconstpointer part, GError **error)
{
  const FilesAviLayout *l = ((Source *) self)->layout;
  const FilesAviFrame *frame = part;
  g_autofree guint8 *stored = files_avi_frame_read (l, frame, error);
  g_autofree guint8 *pixels = stored ? g_try_malloc (frame_samples (l)) : NULL;
  const char *why = NULL;
  if (!stored)
    return NULL;
  if (!pixels)
    why = "does not fit into the memory";
  else if (l->codec == FILES_AVI_JPEG)
    why = decode_jpeg (l, stored, frame->size, pixels);
  else if (l->codec == FILES_AVI_PNG)
    why = decode_png (l, stored, frame->size, pixels);
  else
    map_colors (l, stored, pixels);
  if (!why)
    return g_steal_pointer (&pixels);
  files_avi_frame_fail (l, frame, why, error);
  return NULL;
}

/* ---- The source ---- */

static gboolean
source_read (gpointer self, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride,
             GError **error)
{
  const Source *s = self;
  const FilesAviLayout *l = s->layout;
  const gsize samples = l->samples, row = (gsize) l->columns * samples;
  (void) level;
  g_autoptr (FilesDecodedPart) frame =
    files_decoded_take (s->kept, &g_array_index (l->frames, FilesAviFrame, plane / l->samples), frame_samples (l),
                        (guint64) (region->rows * region->columns), error);
  if (!frame)
    return FALSE;
  for (gint64 y = 0; y < region->rows; y++) {
    const guint8 *from = files_decoded_bytes (frame) + (gsize) (region->row + y) * row
                         + (gsize) region->column * samples + (gsize) (plane % l->samples);
    guint8 *next = (guint8 *) to + (gsize) y * stride;
    for (gint64 x = 0; x < region->columns; x++)
      next[x] = from[(gsize) x * samples];
  }
  return TRUE;
}

static gboolean
source_level (gpointer self, guint n, ImageLevel *level)
{
  const FilesAviLayout *l = ((Source *) self)->layout;
  *level = (ImageLevel){l->rows, l->columns, l->rows, l->columns, FALSE};
  return n == 0;
}

static void
source_free (gpointer self)
{
  Source *s = self;
  files_decoded_free (s->kept);
  files_avi_layout_unref (s->layout);
  g_free (s);
}

static Image *
decoded_image (FilesAviLayout *l, const ImageInfo *info, GError **error)
{
  static const ImageSource functions = {source_level, source_read, source_free};
  Source *s = g_new0 (Source, 1);
  s->layout = files_avi_layout_ref (l);
  s->kept = files_decoded_new (decode, s);
  return image_new_from_source (info, &functions, s, error);
}

Image *
files_avi_image (FilesAviLayout *l, const ImageInfo *info, GError **error)
{
  return l->codec == FILES_AVI_RAW && !l->mapped ? plain_image (l, info, error) : decoded_image (l, info, error);
}

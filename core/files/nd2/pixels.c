/* SPDX-License-Identifier: MIT
 */
#include "core/files/nd2/pixels.h"

#include "core/files/nd2/info.h"
#include "core/files/shared/decoded.h"

#include <libdeflate.h>

typedef struct {
  FilesNd2Layout *layout;
  guint n;
  gint64 depth;
  gboolean is_rgb;
  FilesDecoded *kept;
} Source;

/* ---- Frames ---- */

static gboolean
inflate_frame (const FilesNd2Layout *l, const FilesNd2Chunk *chunk, guint8 *to, gsize n)
{
  g_autofree guint8 *packed = g_try_malloc (chunk->size + 1);
  struct libdeflate_decompressor *z = libdeflate_alloc_decompressor ();
  gsize got = 0;
  const gboolean done = packed && z && files_bytes_read (l->file->bytes, chunk->at, packed, chunk->size)
                        && !libdeflate_zlib_decompress (z, packed, chunk->size, to, n, &got)
                        && (gint64) got >= files_nd2_frame_bytes (l);
  if (z)
    libdeflate_free_decompressor (z);
  return done;
}

/* All rows of the frame of a chunk. */
static guint8 *
decode (gpointer self, gconstpointer chunk, GError **error)
{
  const FilesNd2Layout *l = ((Source *) self)->layout;
  const gsize n = (gsize) l->rows * (gsize) l->row_bytes;
  g_autofree guint8 *pixels = g_try_malloc (n);
  if (pixels && inflate_frame (l, chunk, pixels, n))
    return g_steal_pointer (&pixels);
  file_fail (error, FILE_ERROR_DAMAGED, l->file->bytes->path,
             "is damaged, or does not fit into the memory: frame %" G_GINT64_FORMAT " of it cannot be decompressed.",
             (gint64) ((const FilesNd2Chunk *) chunk - (const FilesNd2Chunk *) (gpointer) l->chunks->data) + 1);
  return NULL;
}

/* ---- The source ---- */

static gboolean
source_read (gpointer self, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride,
             GError **error)
{
  Source *s = self;
  const FilesNd2Layout *l = s->layout;
  const gint64 c = plane / s->depth % l->components;
  const guint bytes = l->number.bytes;
  const gsize step = (gsize) l->components * bytes;
  (void) level;
  const gint64 number = files_nd2_layout_frame (l, s->n, plane / s->depth / l->components, plane % s->depth);
  g_autoptr (FilesDecodedPart) frame = files_decoded_take (s->kept, &g_array_index (l->chunks, FilesNd2Chunk, number),
                                                           (gsize) l->rows * (gsize) l->row_bytes,
                                                           (guint64) (region->rows * region->columns) * bytes, error);
  if (!frame)
    return FALSE;
  for (gint64 y = 0; y < region->rows; y++) {
    const guint8 *from = files_decoded_bytes (frame) + (region->row + y) * l->row_bytes + (gsize) region->column * step
                         + (gsize) (s->is_rgb ? 2 - c : c) * bytes;
    guint8 *row = (guint8 *) to + (gsize) y * stride;
    files_numbers_move (bytes, from, (gint64) step, (gsize) region->columns, row, bytes);
    if (l->number.swapped)
      files_numbers_swap (row, bytes, (gsize) region->columns);
  }
  return TRUE;
}

static gboolean
source_level (gpointer self, guint n, ImageLevel *level)
{
  const FilesNd2Layout *l = ((Source *) self)->layout;
  *level = (ImageLevel){l->rows, l->columns, l->rows, l->columns, FALSE};
  return n == 0;
}

static void
source_free (gpointer self)
{
  Source *s = self;
  files_decoded_free (s->kept);
  files_nd2_layout_unref (s->layout);
  g_free (s);
}

Image *
files_nd2_deflated_image (FilesNd2Layout *layout, guint n, const ImageInfo *info, GError **error)
{
  static const ImageSource functions = {source_level, source_read, source_free};
  if (!image_info_check (info, error))
    return NULL;
  Source *s = g_new0 (Source, 1);
  s->layout = files_nd2_layout_ref (layout);
  s->n = n;
  s->depth = info->depth;
  s->is_rgb = files_nd2_is_rgb (layout);
  s->kept = files_decoded_new (decode, s);
  return image_new_from_source (info, &functions, s, error);
}

/* SPDX-License-Identifier: MIT
 */
#include "core/files/czi/codecs.h"

#include "core/files/shared/jpeg.h"

#include <zstd.h>

/* ---- Zstandard ---- */

/* A context for each thread: making one takes longer than decoding a small tile. */
static void
free_context (gpointer context)
{
  ZSTD_freeDCtx (context);
}
static GPrivate contexts = G_PRIVATE_INIT (free_context);

const char *
files_czi_zstd0 (const guint8 *packed, gsize n, guint8 *to, gsize size)
{
  ZSTD_DCtx *context = g_private_get (&contexts);
  if (!context) {
    if (!(context = ZSTD_createDCtx ()))
      return "cannot be decoded: not enough memory for Zstandard";
    g_private_set (&contexts, context);
  }
  const gsize made = ZSTD_decompressDCtx (context, to, size, packed, n);
  return made == size ? NULL : "cannot be decoded by Zstandard to its size";
}

/* Low bytes of all samples, then their high bytes, as samples. */
static void
join_bytes (const guint8 *restrict low, const guint8 *restrict high, gsize n, guint8 *restrict to)
{
  for (gsize i = 0; i < n; i++) {
    to[2 * i] = low[i];
    to[2 * i + 1] = high[i];
  }
}

const char *
files_czi_zstd1 (const guint8 *packed, gsize n, guint8 *to, gsize size)
{
  enum { EMPTY = 1, WITH_PACKING = 3, PACKING = 1 /* of chunks */, LOW_HIGH = 1 /* a bit */ };
  const gsize header = n ? packed[0] : 0;
  if (header > n || (header != EMPTY && (header != WITH_PACKING || packed[1] != PACKING)))
    return "has a header of Zstandard that is not known";
  if (header == EMPTY || !(packed[2] & LOW_HIGH))
    return files_czi_zstd0 (packed + header, n - header, to, size);
  if (size % 2)
    return "has pixels of 8 bits with high bytes";
  g_autofree guint8 *bytes = g_try_malloc (size);
  if (!bytes)
    return "cannot be decoded: not enough memory";
  const char *fault = files_czi_zstd0 (packed + header, n - header, bytes, size);
  if (!fault)
    join_bytes (bytes, bytes + size / 2, size / 2, to);
  return fault;
}

/* ---- JPEG ---- */

/* Red, green, blue as blue, green, red. */
static void
turn_colors (guint8 *at, gsize pixels)
{
  for (gsize i = 0; i < pixels; i++, at += 3) {
    const guint8 red = at[0];
    at[0] = at[2];
    at[2] = red;
  }
}

const char *
files_czi_jpeg (const guint8 *packed, gsize n, const FilesCziBlock *block, const FilesCziPixel *pixel, guint8 *to)
{
  const FilesJpegWanted wanted = {
    .rows = block->rows, .columns = block->columns, .samples = pixel->samples, .bits = pixel->type == FV_U8 ? 8 : 16};
  switch (files_jpeg_decode (packed, n, &wanted, to)) {
  case FILES_JPEG_DECODED:
    if (pixel->samples == 3)
      turn_colors (to, (gsize) block->rows * (gsize) block->columns);
    return NULL;
  case FILES_JPEG_OTHER: return "is JPEG of another size or pixel type";
  default: return "cannot be decoded by libjpeg";
  }
}

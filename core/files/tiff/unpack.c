/* SPDX-License-Identifier: MIT
 */
#include "core/files/tiff/unpack.h"

#include "core/files/tiff/lzw.h"

#include <libdeflate.h>
#include <tiff.h>
#include <zlib.h>
#include <zstd.h>

/* One of the three decodes. */
struct FilesTiffUnpacker {
  struct libdeflate_decompressor *inflate;
  ZSTD_DCtx *zstd;
  FilesTiffLzw *lzw;
  guint8 *raw;
  gsize size; /* of it */
};

FilesTiffUnpacker *
files_tiff_unpacker_new (guint16 compression)
{
  FilesTiffUnpacker *unpacker = g_new0 (FilesTiffUnpacker, 1);
  if (compression == COMPRESSION_ADOBE_DEFLATE || compression == COMPRESSION_DEFLATE)
    unpacker->inflate = libdeflate_alloc_decompressor ();
  else if (compression == COMPRESSION_ZSTD)
    unpacker->zstd = ZSTD_createDCtx ();
  else if (compression == COMPRESSION_LZW)
    unpacker->lzw = files_tiff_lzw_new ();
  if (unpacker->inflate || unpacker->zstd || unpacker->lzw)
    return unpacker;
  files_tiff_unpacker_free (unpacker);
  return NULL;
}

void
files_tiff_unpacker_free (FilesTiffUnpacker *unpacker)
{
  if (!unpacker)
    return;
  if (unpacker->inflate)
    libdeflate_free_decompressor (unpacker->inflate);
  ZSTD_freeDCtx (unpacker->zstd);
  g_free (unpacker->lzw);
  g_free (unpacker->raw);
  g_free (unpacker);
}

guint8 *
files_tiff_unpacker_input (FilesTiffUnpacker *unpacker, gsize n)
{
  if (n >= unpacker->size) {
    g_free (unpacker->raw);
    unpacker->raw = g_try_malloc (n + FILES_TIFF_LZW_PAD);
    unpacker->size = unpacker->raw ? n + 1 : 0;
  }
  return unpacker->raw;
}

/* The first bytes of a stream that has more. */
static gboolean
inflate_first (const guint8 *raw, gsize n, guint8 *to, gsize bytes)
{
  z_stream z = {.next_in = (Bytef *) raw, .next_out = to};
  gboolean going = bytes < G_MAXUINT && n < G_MAXUINT && inflateInit (&z) == Z_OK, done;
  z.avail_in = (uInt) n;
  z.avail_out = (uInt) bytes;
  while (going && z.avail_out > 0)
    going = inflate (&z, Z_SYNC_FLUSH) == Z_OK;
  done = z.avail_out == 0;
  inflateEnd (&z);
  return done;
}

/* Never unsure: libtiff gives a chunk that holds more than it should without its last bytes. */
static FilesTiffUnpacked
unpack_deflate (FilesTiffUnpacker *unpacker, gsize n, void *to, gsize bytes)
{
  switch (libdeflate_zlib_decompress (unpacker->inflate, unpacker->raw, n, to, bytes, NULL)) {
  case LIBDEFLATE_SUCCESS: return FILES_TIFF_UNPACKED;
  case LIBDEFLATE_SHORT_OUTPUT: return FILES_TIFF_SHORT;
  case LIBDEFLATE_INSUFFICIENT_SPACE:
    return inflate_first (unpacker->raw, n, to, bytes) ? FILES_TIFF_UNPACKED : FILES_TIFF_DAMAGED;
  default: return FILES_TIFF_DAMAGED;
  }
}

FilesTiffUnpacked
files_tiff_unpack (FilesTiffUnpacker *unpacker, gsize n, void *to, gsize bytes)
{
  gboolean done;
  if (unpacker->inflate)
    return unpack_deflate (unpacker, n, to, bytes);
  if (unpacker->zstd)
    done = ZSTD_decompressDCtx (unpacker->zstd, to, bytes, unpacker->raw, n) == bytes;
  else
    done = files_tiff_lzw_decode (unpacker->lzw, unpacker->raw, n, to, bytes);
  return done ? FILES_TIFF_UNPACKED : FILES_TIFF_UNSURE;
}

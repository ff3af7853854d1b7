/* SPDX-License-Identifier: MIT
 */
#include "core/files/tiff/unpack.h"

#include "core/files/shared/jpeg2000.h"
#include "core/files/shared/lossless_jpeg.h"
#include "core/files/tiff/gray_jpeg.h"
#include "core/files/tiff/lzw.h"

#include <libdeflate.h>
#include <tiffio.h>
#include <zlib.h>
#include <zstd.h>

struct FilesTiffUnpacker {
  const FilesTiffPage *page;
  struct libdeflate_decompressor *inflate; /* what the page's compression needs, and no other */
  ZSTD_DCtx *zstd;
  FilesTiffLzw *lzw;
  const guint8 *tables;
  gsize tables_bytes;
  guint8 *raw;
  gsize size; /* of it */
};

/* libtiff reads lossy JPEG of 8 bits alone. */
static gboolean
is_own_jpeg (const FilesTiffPage *page)
{
  return page->compression == COMPRESSION_JPEG && (page->bits == 8 || page->bits == 16);
}

static gboolean
is_gray_jpeg (const FilesTiffPage *page)
{
  return page->bits == 8 && (page->samples == 1 || page->planar == PLANARCONFIG_SEPARATE);
}

FilesTiffUnpacker *
files_tiff_unpacker_new (const FilesTiffPage *page, const guint8 *tables, gsize tables_bytes)
{
  FilesTiffUnpacker *unpacker = g_new (FilesTiffUnpacker, 1);
  *unpacker = (FilesTiffUnpacker){page, .tables = tables, .tables_bytes = tables_bytes};
  if (page->compression == COMPRESSION_ADOBE_DEFLATE || page->compression == COMPRESSION_DEFLATE)
    unpacker->inflate = libdeflate_alloc_decompressor ();
  else if (page->compression == COMPRESSION_ZSTD)
    unpacker->zstd = ZSTD_createDCtx ();
  else if (page->compression == COMPRESSION_LZW)
    unpacker->lzw = files_tiff_lzw_new ();
  if (unpacker->inflate || unpacker->zstd || unpacker->lzw || is_own_jpeg (page) || files_tiff_page_is_jpeg2000 (page))
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

/* Unsure: it is not lossless. A tile of DNG may be said to have half as many columns and twice as many components. */
static FilesTiffUnpacked
unpack_lossless (const FilesTiffUnpacker *unpacker, gsize n, guint8 *to, gsize bytes)
{
  const gsize samples = bytes / (unpacker->page->bits / 8);
  FilesLosslessJpeg header;
  if (!files_lossless_jpeg_header (unpacker->raw, n, &header))
    return FILES_TIFF_UNSURE;
  if ((guint64) header.rows * header.columns * header.components != samples || header.bits > unpacker->page->bits)
    return FILES_TIFF_DAMAGED;
  g_autofree guint16 *wide = unpacker->page->bits == 8 ? g_try_new (guint16, samples) : NULL;
  guint16 *decoded = unpacker->page->bits == 8 ? wide : (guint16 *) (void *) to;
  if (!decoded
      || files_lossless_jpeg_decode (unpacker->tables, unpacker->tables_bytes, unpacker->raw, n, &header, decoded))
    return FILES_TIFF_DAMAGED;
  for (gsize i = 0; wide && i < samples; i++)
    to[i] = (guint8) wide[i];
  return FILES_TIFF_UNPACKED;
}

static FilesTiffUnpacked
unpack_jpeg2000 (const FilesTiffUnpacker *unpacker, gsize n, void *to, gsize bytes, const char **why)
{
  const FilesTiffPage *page = unpacker->page;
  FilesJpeg2000 wanted = {.columns = page->chunk_columns,
                          .components = page->planar == PLANARCONFIG_SEPARATE ? 1 : page->samples,
                          .bytes = page->bits / 8u,
                          .ycbcr = files_tiff_page_is_jpeg2000_ycbcr (page)};
  wanted.rows = (guint) (bytes / ((gsize) wanted.columns * wanted.components * wanted.bytes));
  *why = files_jpeg2000_decode (unpacker->raw, n, &wanted, to);
  return *why ? FILES_TIFF_DAMAGED : FILES_TIFF_UNPACKED;
}

FilesTiffUnpacked
files_tiff_unpack (FilesTiffUnpacker *unpacker, gsize n, void *to, gsize bytes, const char **why)
{
  guint columns = unpacker->page->chunk_columns;
  gboolean done;
  *why = NULL;
  if (files_tiff_page_is_jpeg2000 (unpacker->page))
    return unpack_jpeg2000 (unpacker, n, to, bytes, why);
  if (unpacker->page->fill_order == FILLORDER_LSB2MSB && unpacker->page->compression != COMPRESSION_JPEG)
    TIFFReverseBits (unpacker->raw, (tmsize_t) n);
  if (unpacker->inflate)
    return unpack_deflate (unpacker, n, to, bytes);
  if (is_own_jpeg (unpacker->page)) {
    const FilesTiffUnpacked lossless = unpack_lossless (unpacker, n, to, bytes);
    if (lossless != FILES_TIFF_UNSURE)
      return lossless;
  }
  if (unpacker->zstd)
    done = ZSTD_decompressDCtx (unpacker->zstd, to, bytes, unpacker->raw, n) == bytes;
  else if (unpacker->lzw)
    done = files_tiff_lzw_decode (unpacker->lzw, unpacker->raw, n, to, bytes);
  else
    done = is_gray_jpeg (unpacker->page)
           && files_tiff_gray_jpeg_decode (unpacker->tables, unpacker->tables_bytes, unpacker->raw, n, columns,
                                           (guint) (bytes / columns), to);
  return done ? FILES_TIFF_UNPACKED : FILES_TIFF_UNSURE;
}

/* SPDX-License-Identifier: MIT
 */
#include "core/files/zarr/codecs.h"

#include "core/base/file_error.h"
#include "core/files/shared/bzip2.h"
#include "core/files/shared/little.h"
#include "core/files/shared/lz4.h"
#include "core/files/shared/unpack.h"
#include "core/files/zarr/blosc.h"

#include <string.h>
#include <zstd.h>

enum {
  ZSTD_RATIO = 1 << 15, /* bytes of pixels for a packed one: Zstandard makes 128 KiB of a block of four bytes */
  LZ4_RATIO = 255,      /* likewise: a byte of a length is that many */
  LZ4_HEAD = 4,         /* bytes of the size before a block */
  SPARE = 1 << 16       /* bytes that packing may add to a chunk */
};

/* ---- Checksums ---- */

enum { CRC_BYTES = 8 /* taken at a time */ };

/* crc[k][b] is that of the byte b followed by k zeros. */
static guint32 crc[CRC_BYTES][256];

static void
make_crc (void)
{
  static gsize made;
  if (!g_once_init_enter (&made))
    return;
  for (guint b = 0; b < 256; b++) {
    guint32 c = b;
    for (guint bit = 0; bit < 8; bit++)
      c = c >> 1 ^ (c & 1 ? 0x82f63b78 : 0);
    crc[0][b] = c;
  }
  for (guint k = 1; k < CRC_BYTES; k++)
    for (guint b = 0; b < 256; b++)
      crc[k][b] = crc[k - 1][b] >> 8 ^ crc[0][crc[k - 1][b] & 0xff];
  g_once_init_leave (&made, 1);
}

guint32
zarr_crc32c (const guint8 *p, gsize n)
{
  guint32 c = 0xffffffff;
  make_crc ();
  for (; n >= CRC_BYTES; n -= CRC_BYTES, p += CRC_BYTES) {
    const guint32 low = c ^ (guint32) files_little (p, 4), high = (guint32) files_little (p + 4, 4);
    c = crc[7][low & 0xff] ^ crc[6][low >> 8 & 0xff] ^ crc[5][low >> 16 & 0xff] ^ crc[4][low >> 24]
        ^ crc[3][high & 0xff] ^ crc[2][high >> 8 & 0xff] ^ crc[1][high >> 16 & 0xff] ^ crc[0][high >> 24];
  }
  for (; n; n--, p++)
    c = c >> 8 ^ crc[0][(c ^ *p) & 0xff];
  return ~c;
}

/* Whether the checksums at the end of *n bytes are right, which then are not counted any more. */
static gboolean
check_sums (const guint8 *bytes, gsize *n, guint sums)
{
  for (; sums; sums--) {
    if (*n < ZARR_SUM)
      return FALSE;
    *n -= ZARR_SUM;
    if (zarr_crc32c (bytes, *n) != files_little (bytes + *n, ZARR_SUM))
      return FALSE;
  }
  return TRUE;
}

/* ---- Decoding ---- */

gboolean
zarr_codecs_known (const ZarrCodecs *codecs, const char *path, GError **error)
{
  if (codecs->packing == ZARR_BLOSC && !zarr_blosc_can ())
    return file_fail (error, FILE_ERROR_UNSUPPORTED, path,
                      "is compressed with Blosc, which needs the library libblosc: install the package libblosc1.");
  if (codecs->packing == ZARR_LZ4 && !files_lz4_can ())
    return file_fail (error, FILE_ERROR_UNSUPPORTED, path,
                      "is compressed with LZ4, which needs the library liblz4: install the package liblz4-1.");
  return codecs->packing != ZARR_BZIP2 || files_bzip2_can (path, error);
}

gsize
zarr_codecs_most (gsize size)
{
  return size + size / 8 + SPARE;
}

/* Whether so many packed bytes can be `size` bytes. */
static gboolean
can_be (ZarrPacking packing, const guint8 *packed, gsize n, gsize size)
{
  switch (packing) {
  case ZARR_DEFLATE: return files_unpack_check ("", n, size, NULL);
  case ZARR_ZSTD: return size / ZSTD_RATIO <= n;
  case ZARR_BZIP2: return files_bzip2_check ("", n, size, NULL);
  case ZARR_LZ4: return n >= LZ4_HEAD && files_little (packed, LZ4_HEAD) == size && size / LZ4_RATIO <= n;
  default: return zarr_blosc_size (packed, n) == size;
  }
}

static gboolean
unpack (ZarrPacking packing, const guint8 *packed, gsize n, guint8 *to, gsize size)
{
  switch (packing) {
  case ZARR_DEFLATE: return files_unpack_bytes (packed, n, to, size);
  case ZARR_ZSTD: return ZSTD_decompress (to, size, packed, n) == size;
  case ZARR_BZIP2: return files_bzip2_unpack (packed, n, to, size);
  case ZARR_LZ4: return files_lz4_unpack (packed + LZ4_HEAD, n - LZ4_HEAD, to, size);
  default: return zarr_blosc_unpack (packed, to, size);
  }
}

/* The n bytes that are in a packed chunk, whose checksums are right. */
static guint8 *
decode_packed (const ZarrCodecs *codecs, const guint8 *packed, gsize n, gsize size, const char **fault)
{
  gsize whole = size + codecs->sums_inside * ZARR_SUM;
  *fault = "cannot be unpacked";
  if (!can_be (codecs->packing, packed, n, whole))
    return NULL;
  g_autofree guint8 *to = g_try_malloc (whole);
  if (!to)
    *fault = "does not fit into memory";
  if (!to || !unpack (codecs->packing, packed, n, to, whole))
    return NULL;
  *fault = "has a wrong checksum";
  return check_sums (to, &whole, codecs->sums_inside) ? g_steal_pointer (&to) : NULL;
}

guint8 *
zarr_codecs_decode (const ZarrCodecs *codecs, GBytes *packed, gsize size, const char **fault)
{
  gsize n;
  const guint8 *bytes = g_bytes_get_data (packed, &n);
  guint8 *pixels = NULL;
  if (!check_sums (bytes, &n, codecs->sums_outside))
    *fault = "has a wrong checksum";
  else if (codecs->packing != ZARR_PLAIN)
    pixels = decode_packed (codecs, bytes, n, size, fault);
  else if (!check_sums (bytes, &n, codecs->sums_inside))
    *fault = "has a wrong checksum";
  else if (n != size)
    *fault = "has another size than its pixels";
  else
    return g_bytes_unref_to_data (packed, &n);
  g_bytes_unref (packed);
  return pixels;
}

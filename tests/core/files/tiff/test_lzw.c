/* SPDX-License-Identifier: MIT
 *
 * What libtiff encodes, and codes by hand: the example of TIFF 6.0, page 60, and streams that are broken.
 */
#include "core/files/tiff/lzw.h"
#include "tests/support/init.h"

#include <glib/gstdio.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>

enum { BYTES = 300007, PAD = FILES_TIFF_LZW_PAD };

/* Codes of 9 bits, ended by -1. */
static gsize
pack (const int *codes, guint8 *raw)
{
  gsize at = 0;
  memset (raw, 0, 64);
  for (; *codes >= 0; codes++)
    for (int bit = 8; bit >= 0; bit--, at++)
      raw[at / 8] |= (guint8) ((*codes >> bit & 1) << (7 - at % 8));
  return (at + 7) / 8;
}

static gboolean
decode (const int *codes, guint8 *to, gsize bytes)
{
  guint8 raw[64];
  g_autofree FilesTiffLzw *lzw = files_tiff_lzw_new ();
  return files_tiff_lzw_decode (lzw, raw, pack (codes, raw), to, bytes);
}

static void
test_example (void)
{
  guint8 to[9];
  g_assert_true (decode ((const int[]){256, 7, 258, 8, 8, 258, 6, 6, 257, -1}, to, 9));
  g_assert_cmpmem (to, 9, "\7\7\7\10\10\7\7\6\6", 9);
  g_assert_true (decode ((const int[]){256, 256, 7, 258, 256, 9, 258, 257, -1}, to, 6));
  g_assert_cmpmem (to, 6, "\7\7\7\11\11\11", 6);
}

static void
test_broken (void)
{
  guint8 to[9];
  g_assert_false (decode ((const int[]){256, 7, 258, 8, 257, -1}, to, 9)); /* ends too early */
  g_assert_false (decode ((const int[]){256, 7, 258, 8, -1}, to, 9));      /* stops too early */
  g_assert_false (
    decode ((const int[]){256, 7, 259, 8, 8, 258, 6, 6, 257, -1}, to, 9)); /* a code that is not there yet */
  g_assert_false (decode ((const int[]){256, 258, 7, 8, 8, 258, 6, 6, 257, -1}, to, 9)); /* one of the table before */
  g_assert_false (decode ((const int[]){256, 257, 7, 8, 8, 258, 6, 6, 257, -1}, to, 2)); /* the end at once */
  g_assert_false (decode ((const int[]){7, 258, 8, 8, 258, 6, 6, 257, -1}, to, 9));      /* no table */
  g_assert_false (
    decode ((const int[]){256, 7, 258, 259, 260, 261, 262, -1}, to, 9)); /* a string longer than the rest */
  g_assert_false (decode ((const int[]){-1}, to, 9));
}

/* A table that is never cleared has no room for a 4097th code: codes have at most 12 bits. */
static void
test_full_table (void)
{
  g_autofree FilesTiffLzw *lzw = files_tiff_lzw_new ();
  g_autofree guint8 *raw = g_malloc0 (8192 + PAD), *to = g_malloc (8192);
  gsize at = 9;
  guint bits = 9;
  raw[0] = 0x80;
  for (guint i = 0, next = 258; i < 5000; i++) { /* the byte 0, again and again */
    at += bits;
    next += i > 0 && next < 4096;
    bits += next == (1u << bits) - 1 && bits < 12;
  }
  g_assert_true (files_tiff_lzw_decode (lzw, raw, at / 8, to, 3800));
  g_assert_false (files_tiff_lzw_decode (lzw, raw, at / 8, to, 4000));
}

/* ---- libtiff's ---- */

static void
fill (int kind, guint8 *p)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  for (int i = 0; i < BYTES; i++)
    p[i] = (guint8) (kind == 0   ? 0                                       /* strings of up to 3838 bytes */
                     : kind == 1 ? g_rand_int_range (random, 0, 256)       /* of one or two */
                     : kind == 2 ? (i / 7) % 64                            /* some */
                                 : g_rand_int_range (random, 0, 2) * 255); /* of about 16 */
}

static guint8 *
encode (guint8 *pixels, gsize *n)
{
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("lzw-XXXXXX.tif", &path, NULL);
  TIFF *tiff = TIFFFdOpen (fd, path, "w");
  guint8 *raw;
  g_assert_nonnull (tiff);
  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, BYTES);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, 1);
  TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, 1);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 8);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField (tiff, TIFFTAG_COMPRESSION, COMPRESSION_LZW);
  g_assert_cmpint (TIFFWriteEncodedStrip (tiff, 0, pixels, BYTES), ==, BYTES);
  TIFFClose (tiff);
  tiff = TIFFOpen (path, "r");
  *n = (gsize) TIFFRawStripSize (tiff, 0);
  raw = g_malloc (*n + PAD);
  g_assert_cmpint (TIFFReadRawStrip (tiff, 0, raw, (tmsize_t) *n), ==, (tmsize_t) *n);
  TIFFClose (tiff);
  g_unlink (path);
  return raw;
}

static void
test_encoded (gconstpointer kind)
{
  g_autofree FilesTiffLzw *lzw = files_tiff_lzw_new ();
  g_autofree guint8 *pixels = g_malloc (BYTES), *original = NULL, *raw = NULL, *to = g_malloc (BYTES + PAD);
  gsize n;
  fill (GPOINTER_TO_INT (kind), pixels);
  original = g_memdup2 (pixels, BYTES);
  raw = encode (pixels, &n);
  memset (to, 0xAA, BYTES + PAD);
  for (int again = 0; again < 2; again++) { /* the table of strings is used again */
    g_assert_true (files_tiff_lzw_decode (lzw, raw, n, to, BYTES));
    g_assert_cmpmem (to, BYTES, original, BYTES);
    g_assert_cmpmem (to + BYTES, PAD, "\xAA\xAA\xAA\xAA\xAA\xAA\xAA\xAA", PAD);
  }
  g_assert_false (files_tiff_lzw_decode (lzw, raw, n, to, BYTES + 1));
  g_assert_false (files_tiff_lzw_decode (lzw, raw, n / 2, to, BYTES));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/lzw/example", test_example);
  g_test_add_func ("/lzw/broken", test_broken);
  g_test_add_func ("/lzw/full-table", test_full_table);
  g_test_add_data_func ("/lzw/encoded/flat", GINT_TO_POINTER (0), test_encoded);
  g_test_add_data_func ("/lzw/encoded/noise", GINT_TO_POINTER (1), test_encoded);
  g_test_add_data_func ("/lzw/encoded/steps", GINT_TO_POINTER (2), test_encoded);
  g_test_add_data_func ("/lzw/encoded/bits", GINT_TO_POINTER (3), test_encoded);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: what our own decoder of LZW and JPEG takes, libtiff decodes to the same, without a complaint. The first bytes of an
 * input say which of the two, how many columns and how many rows; the others are a strip. libtiff has no decoder for lossless JPEG, which test_tiff
 * compares with imagecodecs.
 */
#include "core/files/shared/lossless_jpeg.h"
#include "core/files/tiff/unpack.h"
#include "tests/fuzz/support.h"

#include <string.h>
#include <sys/mman.h>
#include <tiffio.h>
#include <unistd.h>

enum { TAGS = 9, STRIP_AT = 8 + 2 + 12 * TAGS + 4 };

typedef struct {
  guint16 tag, type;
  guint32 count, value;
} Field;

static int complaints;

static int
on_complaint (TIFF *tiff, void *data, const char *module, const char *format, va_list arguments)
{
  (void) tiff, (void) data, (void) module, (void) format, (void) arguments;
  complaints++;
  return 1;
}

static void
put (int fd, gconstpointer bytes, gsize n)
{
  if (write (fd, bytes, n) != (gssize) n)
    g_error ("no file for the bytes");
}

static int
write_file (const FilesTiffPage *page, const guint8 *raw, gsize n)
{
  int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  guint16 head[2] = {42, TAGS};
  guint32 at = 8, none = 0;
  const Field fields[TAGS] = {{TIFFTAG_IMAGEWIDTH, 4, 1, page->columns},
                              {TIFFTAG_IMAGELENGTH, 4, 1, page->rows},
                              {TIFFTAG_BITSPERSAMPLE, 3, 1, 8},
                              {TIFFTAG_COMPRESSION, 3, 1, page->compression},
                              {TIFFTAG_PHOTOMETRIC, 3, 1, PHOTOMETRIC_MINISBLACK},
                              {TIFFTAG_STRIPOFFSETS, 4, 1, STRIP_AT},
                              {TIFFTAG_SAMPLESPERPIXEL, 3, 1, 1},
                              {TIFFTAG_ROWSPERSTRIP, 4, 1, page->rows},
                              {TIFFTAG_STRIPBYTECOUNTS, 4, 1, (guint32) n}};
  put (fd, G_BYTE_ORDER == G_LITTLE_ENDIAN ? "II" : "MM", 2);
  put (fd, &head[0], 2);
  put (fd, &at, 4);
  put (fd, &head[1], 2);
  for (int i = 0; i < TAGS; i++) {
    Field field = fields[i];
    guint16 both[2] = {(guint16) field.value, 0};
    if (field.type == 3)
      memcpy (&field.value, both, 4);
    put (fd, &field, sizeof field);
  }
  put (fd, &none, 4);
  put (fd, raw, n);
  lseek (fd, 0, SEEK_SET);
  return fd;
}

static void
compare (const FilesTiffPage *page, const guint8 *raw, gsize n, const guint8 *made, gsize bytes)
{
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc ();
  g_autofree guint8 *pixels = g_malloc0 (bytes);
  TIFF *tiff;
  TIFFOpenOptionsSetErrorHandlerExtR (options, on_complaint, NULL);
  TIFFOpenOptionsSetWarningHandlerExtR (options, on_complaint, NULL);
  complaints = 0;
  tiff = TIFFFdOpenExt (write_file (page, raw, n), "fuzz", "r", options);
  TIFFOpenOptionsFree (options);
  if (!tiff || TIFFReadEncodedStrip (tiff, 0, pixels, (tmsize_t) bytes) != (tmsize_t) bytes || complaints)
    g_error ("libtiff does not decode it");
  if (memcmp (pixels, made, bytes))
    g_error ("libtiff decodes it to something else");
  TIFFClose (tiff);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, gsize size)
{
  FilesTiffPage page = {.bits = 8, .samples = 1, .planar = PLANARCONFIG_CONTIG, .fill_order = FILLORDER_MSB2LSB};
  g_autofree guint8 *to = NULL;
  FilesTiffUnpacker *unpacker;
  FilesLosslessJpeg lossless;
  const char *why;
  gsize n = size - 3;
  if (size < 4)
    return 0;
  page.compression = bytes[0] % 2 ? COMPRESSION_JPEG : COMPRESSION_LZW;
  page.columns = page.chunk_columns = bytes[1] + 1u;
  page.rows = page.chunk_rows = bytes[2] + 1u;
  to = g_malloc ((gsize) page.columns * page.rows);
  unpacker = files_tiff_unpacker_new (&page, NULL, 0);
  memcpy (files_tiff_unpacker_input (unpacker, n), bytes + 3, n);
  if (files_tiff_unpack (unpacker, n, to, (gsize) page.columns * page.rows, &why) == FILES_TIFF_UNPACKED
      && !(page.compression == COMPRESSION_JPEG && files_lossless_jpeg_header (bytes + 3, n, &lossless)))
    compare (&page, bytes + 3, n, to, (gsize) page.columns * page.rows);
  files_tiff_unpacker_free (unpacker);
  return 0;
}

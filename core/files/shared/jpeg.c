/* SPDX-License-Identifier: MIT
 *
 * libjpeg reports damage as a warning and continues. At an eighth of the size most of its time goes into what is to be checked.
 */
#include "core/files/shared/jpeg.h"

#include "core/base/file_error.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jerror.h>
#include <jpeglib.h>

/* Progressive pictures have about ten; each takes as long as reading the picture. */
enum { MAX_SCANS = 100, QUALITY = 95 /* of pictures that are written, of 100 */ };

typedef struct {
  struct jpeg_error_mgr manager; /* first */
  struct jpeg_progress_mgr progress;
  jmp_buf stop;
  int code; /* of what stopped it */
  char text[JMSG_LENGTH_MAX];
} Check;

static void
stop (j_common_ptr info)
{
  Check *check = (Check *) info->err;
  check->code = info->err->msg_code;
  info->err->format_message (info, check->text);
  longjmp (check->stop, 1);
}

/* level: -1 for a warning, and then these do no harm. */
static void
on_message (j_common_ptr info, int level)
{
  switch (info->err->msg_code) {
  case JWRN_ADOBE_XFORM:
  case JWRN_EXTRANEOUS_DATA:
  case JWRN_JFIF_MAJOR:
  case JWRN_TOO_MUCH_DATA: return;
  }
  if (level < 0)
    stop (info);
}

static void
on_progress (j_common_ptr info)
{
  if (((j_decompress_ptr) info)->input_scan_number > MAX_SCANS)
    ERREXIT (info, JERR_BAD_PROGRESSION);
}

static void
read_all (j_decompress_ptr info, const guint8 *bytes, gsize size, guint64 pixels)
{
  jpeg_mem_src (info, bytes, size);
  jpeg_read_header (info, TRUE);
  if ((guint64) info->image_width * info->image_height > pixels)
    return;
  info->scale_num = 1;
  info->scale_denom = 8;
  info->out_color_space = info->jpeg_color_space;
  jpeg_start_decompress (info);
  JSAMPARRAY row = info->mem->alloc_sarray ((j_common_ptr) info, JPOOL_IMAGE,
                                            info->output_width * (JDIMENSION) info->output_components, 1);
  while (info->output_scanline < info->output_height)
    jpeg_read_scanlines (info, row, 1);
  jpeg_finish_decompress (info);
}

guint
files_jpeg_components (const guint8 *bytes, gsize size)
{
  enum { FIRST_FRAME = 0xc0, LAST_FRAME = 0xcf, HUFFMAN = 0xc4, EXTENSION = 0xc8, ARITHMETIC = 0xcc, FILL = 0xff };
  gsize at = 2; /* behind the marker that begins the file */
  while (at + 10 <= size && bytes[at] == 0xff) {
    const guint8 marker = bytes[at + 1];
    if (marker >= FIRST_FRAME && marker <= LAST_FRAME && marker != HUFFMAN && marker != EXTENSION
        && marker != ARITHMETIC)
      return bytes[at + 9];
    at += marker == FILL ? 1 : 2 + ((gsize) bytes[at + 2] << 8 | bytes[at + 3]);
  }
  return 0;
}

static void
begin (struct jpeg_decompress_struct *info, Check *check)
{
  info->err = jpeg_std_error (&check->manager);
  check->manager.error_exit = stop;
  check->manager.emit_message = on_message;
  check->progress.progress_monitor = on_progress;
  jpeg_create_decompress (info);
  info->progress = &check->progress;
}

gboolean
files_jpeg_check (const char *path, const guint8 *bytes, gsize size, guint64 pixels, GError **error)
{
  struct jpeg_decompress_struct info;
  Check check = {.code = 0};
  begin (&info, &check);
  if (!setjmp (check.stop))
    read_all (&info, bytes, size, pixels);
  jpeg_destroy_decompress (&info);
  if (check.code == JWRN_JPEG_EOF)
    return file_fail (error, FILE_ERROR_DAMAGED, path, "is truncated: it stops before the end of the image.");
  if (check.code == JERR_BAD_PRECISION || check.code == JERR_SOF_UNSUPPORTED || check.code == JERR_ARITH_NOTIMPL)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, path,
                      "is JPEG of a kind that cannot be read (%s); save it as TIFF or PNG.", check.text);
  return !check.code || file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged (%s).", check.text);
}

/* ---- Pictures in memory ---- */

static void
read_rows (j_decompress_ptr info, const FilesJpegWanted *wanted, guint8 *to)
{
  if (wanted->unmarked_rgb && info->num_components == 3 && !info->saw_JFIF_marker && !info->saw_Adobe_marker)
    info->jpeg_color_space = JCS_RGB;
  info->out_color_space = wanted->samples == 3 ? JCS_RGB : JCS_GRAYSCALE;
  jpeg_start_decompress (info);
  while (info->output_scanline < info->output_height) {
    JSAMPROW row = to + (gsize) info->output_scanline * info->output_width * (gsize) info->output_components;
    jpeg_read_scanlines (info, &row, 1);
  }
  jpeg_finish_decompress (info);
}

static gboolean
is_wanted (const struct jpeg_decompress_struct *info, const FilesJpegWanted *wanted)
{
  return info->image_width == (guint64) wanted->columns && info->image_height == (guint64) wanted->rows
         && wanted->bits == 8 && (wanted->samples == 3 || (wanted->samples == 1 && info->num_components == 1));
}

FilesJpegResult
files_jpeg_decode (const guint8 *bytes, gsize size, const FilesJpegWanted *wanted, guint8 *to)
{
  struct jpeg_decompress_struct info;
  Check check = {.code = 0};
  volatile FilesJpegResult result = FILES_JPEG_DAMAGED;
  begin (&info, &check);
  if (!setjmp (check.stop)) {
    jpeg_mem_src (&info, bytes, size);
    jpeg_read_header (&info, TRUE);
    if (!is_wanted (&info, wanted))
      result = FILES_JPEG_OTHER;
    else {
      read_rows (&info, wanted, to);
      result = FILES_JPEG_DECODED;
    }
  }
  if (result != FILES_JPEG_DECODED && info.data_precision == 12) /* libjpeg reads it in the header and stops */
    result = FILES_JPEG_12_BITS;
  jpeg_destroy_decompress (&info);
  return result;
}

gboolean
files_jpeg_encode (const guint8 *pixels, gint64 rows, gint64 columns, guint samples, GByteArray *to)
{
  struct jpeg_compress_struct info;
  Check check = {.code = 0};
  unsigned char *volatile made = NULL;
  unsigned long n = 0;
  info.err = jpeg_std_error (&check.manager);
  check.manager.error_exit = stop;
  jpeg_create_compress (&info);
  if (!setjmp (check.stop)) {
    jpeg_mem_dest (&info, (unsigned char **) &made, &n);
    info.image_width = (JDIMENSION) columns;
    info.image_height = (JDIMENSION) rows;
    info.input_components = (int) samples;
    info.in_color_space = samples == 3 ? JCS_RGB : JCS_GRAYSCALE;
    jpeg_set_defaults (&info);
    jpeg_set_quality (&info, QUALITY, TRUE);
    jpeg_start_compress (&info, TRUE);
    while (info.next_scanline < info.image_height) {
      JSAMPROW row = (JSAMPROW) pixels + (gsize) info.next_scanline * (gsize) columns * samples;
      jpeg_write_scanlines (&info, &row, 1);
    }
    jpeg_finish_compress (&info);
    g_byte_array_append (to, made, (guint) n);
  }
  jpeg_destroy_compress (&info);
  free (made);
  return !check.code;
}

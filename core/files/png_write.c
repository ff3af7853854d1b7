/* SPDX-License-Identifier: MIT
 *
 * PNG holds one zlib stream, which one thread would write. So each band of rows is filtered and compressed by itself, up to the end of a byte
 * (Z_SYNC_FLUSH), and the bands in order are that stream. Each is an IDAT chunk.
 */
#include "core/files/png_write.h"

#include "core/base/file_target.h"
#include "core/base/parallel.h"
#include "core/base/progress.h"
#include "core/base/units.h"
#include "core/data/pixel_type.h"
#include "core/files/png_filter.h"
#include "core/files/shared/samples.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

#define LARGEST G_MAXINT32 /* number in a PNG */
enum {
  BAND_BYTES = 1 << 20,   /* smaller ones would lose what the rows before let expect */
  MARGIN = 8,             /* zeros before a row: at least a pixel */
  SAMPLE_BYTES = 1 << 16, /* of a band, by which it is judged */
  LEVEL = 4,              /* of pixels with noise, 6 takes four times as long and saves one part in a thousand */
};

typedef struct {
  const char *path;
  FileTarget *target;
  const ImageInfo *info;
  const void *planes[3];
  int channels, bits;
  guint pixel;  /* bytes of one */
  gsize row;    /* bytes of one */
  gint64 rows;  /* of a band */
  gint64 bands; /* in all */
  uLong *sums;  /* of each band's filtered bytes */
} PngWriter;

/* ---- Chunks ---- */

static gboolean
write_chunk (PngWriter *w, const char *name, const guint8 *bytes, gsize n, GError **error)
{
  guint32 head[2] = {GUINT32_TO_BE ((guint32) n), 0}, tail;
  memcpy (&head[1], name, 4);
  tail = (guint32) crc32_z (crc32_z (0, (const Bytef *) &head[1], 4), bytes, n);
  tail = GUINT32_TO_BE (tail);
  return file_target_write (w->target, head, sizeof head, error) && file_target_write (w->target, bytes, n, error)
         && file_target_write (w->target, &tail, sizeof tail, error);
}

static gboolean
write_head (PngWriter *w, GError **error)
{
  static const guint8 signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  guint32 size[2] = {GUINT32_TO_BE ((guint32) w->info->columns), GUINT32_TO_BE ((guint32) w->info->rows)};
  guint8 head[13] = {0};
  memcpy (head, size, 8);
  head[8] = (guint8) w->bits;
  head[9] = w->channels == 3 ? 2 : 0; /* RGB, grey */
  return file_target_write (w->target, signature, sizeof signature, error)
         && write_chunk (w, "IHDR", head, sizeof head, error);
}

static gboolean
write_pixel_size (PngWriter *w, GError **error)
{
  guint32 per_metre[2];
  guint8 chunk[9] = {[8] = 1}; /* metres */
  for (int i = 0; i < 2; i++) {
    double n = 1 / (w->info->spacing[2 - i] * units_factor (w->info->units[2 - i], "m"));
    if (!(n >= 1 && n <= LARGEST))
      return TRUE;
    per_metre[i] = GUINT32_TO_BE ((guint32) lround (n));
  }
  memcpy (chunk, per_metre, 8);
  return write_chunk (w, "pHYs", chunk, sizeof chunk, error);
}

/* ---- Rows ---- */

/* Pixels that were widened from a file's integers are whole numbers, too. */
static gboolean
has_whole_numbers (const ImageInfo *info)
{
  return !pixel_type_is_float (info->type) || (info->type == FV_F64 && info->source_type);
}

static void
copy_big_endian (const guint16 *from, gsize n, guint8 *to)
{
  for (gsize i = 0; i < n; i++) {
    guint16 v = GUINT16_TO_BE (from[i]);
    memcpy (to + 2 * i, &v, 2);
  }
}

/* Row y in PNG's form. */
static void
make_row (const PngWriter *w, gint64 y, guint8 *row)
{
  gsize columns = (gsize) w->info->columns, start = (gsize) y * columns;
  if (w->channels == 3)
    files_samples_interleave (row, (const guint8 *const *) w->planes, w->info->columns, y, 1);
  else if (w->info->type == FV_U8)
    memcpy (row, (const guint8 *) w->planes[0] + start, columns);
  else if (w->info->type == FV_U16)
    copy_big_endian ((const guint16 *) w->planes[0] + start, columns, row);
  else
    for (gsize x = 0; x < columns; x++) {
      guint16 v = (guint16) pixel_type_value (w->info->type, w->planes[0], (gint64) (start + x));
      copy_big_endian (&v, 1, row + 2 * x);
    }
}

/* ---- Bands ---- */

/* Appends what deflate makes of n more bytes. */
static gboolean
append (z_stream *z, guint8 *bytes, gsize n, int flush, GByteArray *to)
{
  const gsize max = 1 << 30;
  const guint room = 1 << 14;
  do {
    gsize part = MIN (n, max);
    z->next_in = bytes;
    z->avail_in = (uInt) part;
    bytes += part;
    n -= part;
    do {
      const guint length = to->len;
      g_byte_array_set_size (to, length + room);
      z->next_out = to->data + length;
      z->avail_out = room;
      if (deflate (z, n ? Z_NO_FLUSH : flush) == Z_STREAM_ERROR)
        return FALSE;
      g_byte_array_set_size (to, to->len - z->avail_out);
    } while (z->avail_out == 0);
  } while (n);
  return TRUE;
}

/* How many bytes deflate makes of n. */
static gsize
deflated_size (guint8 *bytes, gsize n, int strategy)
{
  g_autoptr (GByteArray) to = g_byte_array_new ();
  z_stream z = {0};
  if (deflateInit2 (&z, LEVEL, Z_DEFLATED, -MAX_WBITS, 8, strategy) != Z_OK)
    return 0;
  append (&z, bytes, n, Z_FINISH, to);
  deflateEnd (&z);
  return to->len;
}

/* Where a band is mostly noise, to look for strings that come again takes four times as long and finds next to none. rows: room for
 * four. */
static int
choose_strategy (const PngWriter *w, gint64 band, guint8 *rows)
{
  gsize size = MARGIN + 1 + w->row;
  guint8 *row = rows + MARGIN + 1, *made = rows + 2 * size, *try = rows + 3 * size;
  g_autoptr (GByteArray) sample = g_byte_array_new ();
  gint64 from = band * w->rows, to = MIN (from + w->rows, w->info->rows);
  for (gint64 y = from; y < to && sample->len < SAMPLE_BYTES; y++) {
    guint8 *above = row + (y - from) % 2 * (gint64) size;
    guint8 *now = row + (y - from + 1) % 2 * (gint64) size;
    make_row (w, y, now);
    files_png_filter (now, above, w->row, w->pixel, made, try);
    g_byte_array_append (sample, made, (guint) MIN (w->row + 1, SAMPLE_BYTES));
  }
  memset (row, 0, w->row);
  return (double) deflated_size (sample->data, sample->len, Z_FILTERED)
             > 0.97 * (double) deflated_size (sample->data, sample->len, Z_RLE)
           ? Z_RLE
           : Z_FILTERED;
}

/* rows: room for four. */
static gboolean
compress_band (const PngWriter *w, gint64 band, guint8 *rows, z_stream *z, GByteArray *bytes, GError **error)
{
  gint64 from = band * w->rows, to = MIN (from + w->rows, w->info->rows);
  gsize size = MARGIN + 1 + w->row;
  guint8 *above = rows + MARGIN + 1, *row = above + size, *made = rows + 2 * size, *try = rows + 3 * size;
  w->sums[band] = adler32 (0, NULL, 0);
  if (from > 0)
    make_row (w, from - 1, above);
  for (gint64 y = from; y < to; y++) {
    int flush = y + 1 < to ? Z_NO_FLUSH : to < w->info->rows ? Z_SYNC_FLUSH : Z_FINISH;
    guint8 *before = above;
    if (progress_stopped (error))
      return FALSE;
    make_row (w, y, row);
    files_png_filter (row, above, w->row, w->pixel, made, try);
    w->sums[band] = adler32_z (w->sums[band], made, w->row + 1);
    if (!append (z, made, w->row + 1, flush, bytes))
      return file_fail (error, FILE_ERROR_WRITE, w->path, "cannot be written: it could not be compressed.");
    above = row;
    row = before;
  }
  return TRUE;
}

static gboolean
make_band (gpointer data, guint64 band, GByteArray *bytes, GError **error)
{
  static const guint8 head[] = {0x78, 0x9c};
  const PngWriter *w = data;
  g_autofree guint8 *rows = g_try_malloc0_n (4, MARGIN + 1 + w->row);
  z_stream z = {0};
  gboolean done;
  if (!rows || deflateInit2 (&z, LEVEL, Z_DEFLATED, -MAX_WBITS, 8, choose_strategy (w, (gint64) band, rows)) != Z_OK)
    return file_fail (error, FILE_ERROR_WRITE, w->path, "cannot be written: there is not enough memory.");
  if (band == 0)
    g_byte_array_append (bytes, head, sizeof head);
  done = compress_band (w, (gint64) band, rows, &z, bytes, error);
  deflateEnd (&z);
  return done;
}

/* Behind the last band stands the sum of all bytes. */
static gboolean
write_band (gpointer data, guint64 band, const GByteArray *bytes, GError **error)
{
  PngWriter *w = data;
  uLong sum = w->sums[0];
  guint32 tail;
  if (!write_chunk (w, "IDAT", bytes->data, bytes->len, error))
    return FALSE;
  if ((gint64) band + 1 < w->bands)
    return TRUE;
  for (gint64 i = 1; i < w->bands; i++) {
    gint64 rows = MIN (w->rows, w->info->rows - i * w->rows);
    sum = adler32_combine (sum, w->sums[i], (z_off_t) ((gsize) rows * (w->row + 1)));
  }
  tail = GUINT32_TO_BE ((guint32) sum);
  return write_chunk (w, "IDAT", (const guint8 *) &tail, sizeof tail, error);
}

/* ---- The whole ---- */

/* Whether PNG can hold the image, as far as that can be said without its pixels. */
static gboolean
check_kind (const ImageInfo *info, const char *path, GError **error)
{
  gint64 planes = image_info_planes (info);
  if (planes != 1 && !(info->role == FV_RGB && planes == 3))
    return file_fail (error, FILE_ERROR_WRITE, path,
                      "cannot be written: PNG holds one plane and '%s' has %" G_GINT64_FORMAT
                      "; save it as .tif, or take one plane first.",
                      info->name, planes);
  if (!has_whole_numbers (info))
    return file_fail (error, FILE_ERROR_WRITE, path,
                      "cannot be written: PNG holds integers from 0 to 65535 and '%s' "
                      "has decimals; save it as .tif, or convert it to 8-bit or 16-bit first.",
                      info->name);
  if (info->rows > LARGEST || info->columns > LARGEST)
    return file_fail (error, FILE_ERROR_WRITE, path, "cannot be written: it is too large for PNG; save it as .tif.");
  return TRUE;
}

/* Gets the planes and sees that integers fit into 16 bits. */
static gboolean
get_planes (PngWriter *w, Image *image, GError **error)
{
  const ImageInfo *info = w->info;
  gsize n = (gsize) info->rows * (gsize) info->columns;
  for (int c = 0; c < w->channels; c++)
    if (!(w->planes[c] = image_plane (image, c, error)))
      return FALSE;
  for (gsize i = 0; info->type != FV_U8 && info->type != FV_U16 && i < n; i++) {
    double value = pixel_type_value (info->type, w->planes[0], (gint64) i);
    if (value < 0 || value > G_MAXUINT16)
      return file_fail (error, FILE_ERROR_WRITE, w->path,
                        "cannot be written: PNG holds numbers from 0 to 65535 and "
                        "'%s' has %.0f; save it as .tif.",
                        info->name, value);
  }
  return TRUE;
}

static void
set_bands (PngWriter *w)
{
  w->pixel = (guint) (w->channels * w->bits / 8);
  w->row = (gsize) w->info->columns * w->pixel;
  w->rows = MAX ((gint64) (BAND_BYTES / w->row), 1);
  w->bands = (w->info->rows - 1) / w->rows + 1;
  w->sums = g_new (uLong, w->bands);
}

gboolean
files_png_save (Image *image, const char *path, gconstpointer options, GError **error)
{
  (void) options;
  g_autoptr (FileTarget) target = NULL;
  const ImageInfo *info = image_info (image);
  PngWriter w = {
    .path = path, .info = info, .channels = info->role == FV_RGB ? 3 : 1, .bits = info->type == FV_U8 ? 8 : 16};
  gboolean written;
  if (!check_kind (info, path, error) || !get_planes (&w, image, error)
      || !(target = w.target = file_target_new (path, error)))
    return FALSE;
  set_bands (&w);
  written = write_head (&w, error) && write_pixel_size (&w, error)
            && parallel_make ((guint64) w.bands, make_band, write_band, &w, error)
            && write_chunk (&w, "IEND", (const guint8 *) "", 0, error);
  g_free (w.sums);
  return written && file_target_commit (g_steal_pointer (&target), error);
}

/* SPDX-License-Identifier: MIT
 *
 * PNG holds one zlib stream, which one thread would write. So each band of rows is filtered and compressed by itself, up to the end of a byte
 * (Z_SYNC_FLUSH), and the bands in order are that stream. Each is an IDAT chunk, or in later frames of an animation an fdAT chunk.
 */
#include "core/files/pictures/png_write.h"

#include "core/base/file_target.h"
#include "core/base/parallel.h"
#include "core/base/progress.h"
#include "core/base/units.h"
#include "core/data/pixel_type.h"
#include "core/files/pictures/png_filter.h"
#include "core/files/shared/movie.h"
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
  GByteArray *memory; /* without a target */
  const ImageInfo *info;
  const void *planes[3];
  int channels, bits;
  guint pixel;  /* bytes of one */
  gsize row;    /* bytes of one */
  gint64 rows;  /* of a band */
  gint64 bands; /* in all */
  uLong *sums;  /* of each band's filtered bytes */
  const char *label;
  gint64 frame;     /* of an animation */
  guint32 sequence; /* of its chunks */
} PngWriter;

/* ---- Chunks ---- */

static gboolean
write_bytes (PngWriter *w, gconstpointer bytes, gsize n, GError **error)
{
  if (w->target)
    return file_target_write (w->target, bytes, n, error);
  g_byte_array_append (w->memory, bytes, (guint) n);
  return TRUE;
}

/* A chunk of two parts. */
static gboolean
write_parts (PngWriter *w, const char *name, const guint8 *first, gsize n_first, const guint8 *bytes, gsize n,
             GError **error)
{
  guint32 head[2] = {GUINT32_TO_BE ((guint32) (n_first + n)), 0}, tail;
  memcpy (&head[1], name, 4);
  tail = (guint32) crc32_z (crc32_z (crc32_z (0, (const Bytef *) &head[1], 4), first, n_first), bytes, n);
  tail = GUINT32_TO_BE (tail);
  return write_bytes (w, head, sizeof head, error) && write_bytes (w, first, n_first, error)
         && write_bytes (w, bytes, n, error) && write_bytes (w, &tail, sizeof tail, error);
}

static gboolean
write_chunk (PngWriter *w, const char *name, const guint8 *bytes, gsize n, GError **error)
{
  return write_parts (w, name, (const guint8 *) "", 0, bytes, n, error);
}

/* A part of the compressed pixels. */
static gboolean
write_data (PngWriter *w, const guint8 *bytes, gsize n, GError **error)
{
  if (w->frame == 0)
    return write_chunk (w, "IDAT", bytes, n, error);
  const guint32 sequence = GUINT32_TO_BE (w->sequence);
  w->sequence++;
  return write_parts (w, "fdAT", (const guint8 *) &sequence, 4, bytes, n, error);
}

static gboolean
write_head (PngWriter *w, GError **error)
{
  static const guint8 signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  guint32 size[2] = {GUINT32_TO_BE ((guint32) w->info->columns), GUINT32_TO_BE ((guint32) w->info->rows)};
  guint8 head[13] = {0};
  memcpy (head, size, 8);
  head[8] = (guint8) w->bits;
  head[9] = w->channels == 3 ? 2 : 0; /* RGB, gray */
  return write_bytes (w, signature, sizeof signature, error) && write_chunk (w, "IHDR", head, sizeof head, error);
}

static gboolean
write_pixel_size (PngWriter *w, GError **error)
{
  guint32 per_meter[2];
  guint8 chunk[9] = {[8] = 1}; /* meters */
  for (int i = 0; i < 2; i++) {
    double n = 1 / (w->info->spacing[2 - i] * units_factor (w->info->units[2 - i], "m"));
    if (!(n >= 1 && n <= LARGEST))
      return TRUE;
    per_meter[i] = GUINT32_TO_BE ((guint32) lround (n));
  }
  memcpy (chunk, per_meter, 8);
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
  if (!write_data (w, bytes->data, bytes->len, error))
    return FALSE;
  if ((gint64) band + 1 < w->bands)
    return TRUE;
  for (gint64 i = 1; i < w->bands; i++) {
    gint64 rows = MIN (w->rows, w->info->rows - i * w->rows);
    sum = adler32_combine (sum, w->sums[i], (z_off_t) ((gsize) rows * (w->row + 1)));
  }
  tail = GUINT32_TO_BE ((guint32) sum);
  return write_data (w, (const guint8 *) &tail, sizeof tail, error);
}

/* ---- The whole ---- */

/* Whether PNG can hold the values and the size of the image, as far as that can be said without its pixels. */
static gboolean
check_kind (const PngWriter *w, GError **error)
{
  const ImageInfo *info = w->info;
  if (!has_whole_numbers (info))
    return file_fail (error, FILE_ERROR_WRITE, w->path,
                      "cannot be written: %s holds integers from 0 to 65535 and '%s' "
                      "has decimals; save it as .tif, or convert it to 8-bit or 16-bit first.",
                      w->label, info->name);
  if (info->rows > LARGEST || info->columns > LARGEST)
    return file_fail (error, FILE_ERROR_WRITE, w->path, "cannot be written: it is too large for %s; save it as .tif.",
                      w->label);
  return TRUE;
}

/* Whether integers fit into 16 bits. */
static gboolean
check_values (const PngWriter *w, GError **error)
{
  const ImageInfo *info = w->info;
  const gsize n = (gsize) info->rows * (gsize) info->columns;
  for (gsize i = 0; info->type != FV_U8 && info->type != FV_U16 && i < n; i++) {
    double value = pixel_type_value (info->type, w->planes[0], (gint64) i);
    if (value < 0 || value > G_MAXUINT16)
      return file_fail (error, FILE_ERROR_WRITE, w->path,
                        "cannot be written: %s holds numbers from 0 to 65535 and "
                        "'%s' has %.0f; save it as .tif.",
                        w->label, info->name, value);
  }
  return TRUE;
}

/* Of an image with that description; end with g_free (w.sums). */
static PngWriter
writer_of (const char *path, const char *label, const ImageInfo *info)
{
  PngWriter w = {.path = path,
                 .label = label,
                 .info = info,
                 .channels = info->role == FV_RGB ? 3 : 1,
                 .bits = info->type == FV_U8 ? 8 : 16};
  w.pixel = (guint) (w.channels * w.bits / 8);
  w.row = (gsize) w.info->columns * w.pixel;
  w.rows = MAX ((gint64) (BAND_BYTES / w.row), 1);
  w.bands = (w.info->rows - 1) / w.rows + 1;
  w.sums = g_new (uLong, w.bands);
  return w;
}

static gboolean
write_pixels (PngWriter *w, GError **error)
{
  return check_values (w, error) && parallel_make ((guint64) w->bands, make_band, write_band, w, error);
}

static gboolean
write_end (PngWriter *w, GError **error)
{
  return write_chunk (w, "IEND", (const guint8 *) "", 0, error);
}

/* One plane, or RGB. */
static gboolean
check_planes (const PngWriter *w, GError **error)
{
  const gint64 planes = image_info_planes (w->info);
  return planes == w->channels
         || file_fail (error, FILE_ERROR_WRITE, w->path,
                       "cannot be written: PNG holds one plane and '%s' has %" G_GINT64_FORMAT
                       "; save it as .tif, a time series as .apng, or take one plane first.",
                       w->info->name, planes);
}

static gboolean
get_planes (PngWriter *w, Image *image, GError **error)
{
  for (int c = 0; c < w->channels; c++)
    if (!(w->planes[c] = image_plane (image, c, error)))
      return FALSE;
  return TRUE;
}

gboolean
files_png_save (Image *image, const char *path, gconstpointer options, GError **error)
{
  g_autoptr (FileTarget) target = NULL;
  PngWriter w = writer_of (path, "PNG", image_info (image));
  (void) options;
  const gboolean written = check_planes (&w, error) && check_kind (&w, error) && get_planes (&w, image, error)
                           && (target = w.target = file_target_new (path, error)) && write_head (&w, error)
                           && write_pixel_size (&w, error) && write_pixels (&w, error) && write_end (&w, error);
  g_free (w.sums);
  return written && file_target_commit (g_steal_pointer (&target), error);
}

static void
set_planes (PngWriter *w, const guint8 *planes)
{
  for (int c = 0; c < w->channels; c++)
    w->planes[c] = planes + (gsize) c * image_info_plane_bytes (w->info);
}

gboolean
files_png_encode (const char *path, const ImageInfo *info, const guint8 *planes, GByteArray *to, GError **error)
{
  PngWriter w = writer_of (path, "PNG", info);
  w.memory = to;
  set_planes (&w, planes);
  const gboolean written = write_head (&w, error) && write_pixels (&w, error) && write_end (&w, error);
  g_free (w.sums);
  return written;
}

/* ---- Animations ---- */

/* The animation is repeated forever. */
static gboolean
write_animation (PngWriter *w, gint64 frames, GError **error)
{
  const guint32 chunk[2] = {GUINT32_TO_BE ((guint32) frames), 0};
  return write_chunk (w, "acTL", (const guint8 *) chunk, sizeof chunk, error);
}

/* The interval as a fraction of 16-bit integers: exact where the rate is an integer, otherwise with as many decimals as fit. */
static void
delay_of (double interval, guint16 *seconds, guint16 *parts)
{
  const double rate = 1 / interval;
  guint part = 1;
  while (part < 10000 && interval * part * 10 <= G_MAXUINT16)
    part *= 10;
  const gboolean exact = rate >= 1 && fabs (rate - round (rate)) < 1e-9 * rate;
  *seconds = (guint16) (exact ? 1 : lround (interval * part));
  *parts = (guint16) (exact ? round (rate) : part);
}

/* A whole frame, which replaces the one before. */
static gboolean
write_control (PngWriter *w, double interval, GError **error)
{
  guint16 delay[2];
  delay_of (interval, &delay[0], &delay[1]);
  const guint32 head[] = {GUINT32_TO_BE (w->sequence), GUINT32_TO_BE ((guint32) w->info->columns),
                          GUINT32_TO_BE ((guint32) w->info->rows), 0, 0};
  guint8 chunk[26] = {0};
  w->sequence++;
  memcpy (chunk, head, sizeof head);
  for (guint i = 0; i < 2; i++) {
    delay[i] = GUINT16_TO_BE (delay[i]);
    memcpy (chunk + 20 + 2 * i, &delay[i], 2);
  }
  return write_chunk (w, "fcTL", chunk, sizeof chunk, error);
}

static gboolean
write_frames (PngWriter *w, const FilesMovie *movie, guint8 *planes, GError **error)
{
  if (!write_head (w, error) || !write_animation (w, movie->frames, error) || !write_pixel_size (w, error))
    return FALSE;
  set_planes (w, planes);
  for (w->frame = 0; w->frame < movie->frames; w->frame++)
    if (!files_movie_read (movie, w->frame, planes, error) || !write_control (w, movie->interval, error)
        || !write_pixels (w, error))
      return FALSE;
  return write_end (w, error);
}

gboolean
files_apng_save (Image *image, const char *path, gconstpointer options, GError **error)
{
  const FilesMovieChoices *choices = options;
  g_autoptr (FileTarget) target = NULL;
  g_autofree guint8 *planes = NULL;
  FilesMovie movie;
  if (!files_movie_init (&movie, image, path, "APNG", choices->rate, error)
      || !files_movie_check_interval (&movie, 0.0001, G_MAXUINT16, error))
    return FALSE;
  PngWriter w = writer_of (path, "APNG", movie.info);
  gboolean written = check_kind (&w, error);
  if (written && !(planes = g_try_malloc (files_movie_bytes (&movie))))
    written = file_fail (error, FILE_ERROR_WRITE, path, "cannot be written: there is not enough memory.");
  written = written && (target = w.target = file_target_new (path, error)) && write_frames (&w, &movie, planes, error);
  g_free (w.sums);
  return written && file_target_commit (g_steal_pointer (&target), error);
}

/* SPDX-License-Identifier: MIT
 *
 * Layout: header, first directory, pixels of all planes, the other directories. libtiff cannot write that: it puts each
 * directory behind its own pixels, and ImageJ finds only planes that follow each other without a gap. Numbers are
 * in this machine's byte order.
 * Tags: TIFF 6.0 and BigTIFF; 50838 and 50839 are ImageJ's.
 */
#include "core/files/tiff/write.h"

#include "core/base/file_target.h"
#include "core/files/shared/imagej.h"
#include "core/files/shared/samples.h"
#include "core/files/tiff/narrow.h"

#include <math.h>
#include <string.h>

enum { SHORT = 3, LONG = 4, ASCII = 2, BYTE = 1, RATIONAL = 5, LONG8 = 16 };

typedef struct {
  const char *path;
  Image *image;
  const ImageInfo *info;
  FilesTiffStored stored;
  FileTarget *target;
  gboolean big;
  guint16 samples; /* per pixel */
  gint64 pages;    /* directories */
  guint64 page_bytes;
  guint64 pixels_at;           /* where the first page's pixels begin */
  GByteArray *counts, *extras; /* tags 50838 and 50839; empty when there is nothing to say */
  guint32 resolution[2][2];    /* of y and x: pixels per unit as a fraction; 0/0: none */
} Writer;

/* One directory on its way to the file. */
typedef struct {
  gboolean big;
  GByteArray *entries, *values; /* values: what does not fit into its entry */
  guint64 values_at;            /* where they will be in the file */
  guint n;
} Directory;

/* ---- Directories ---- */

static void
append (GByteArray *to, gconstpointer bytes, gsize n)
{
  g_byte_array_append (to, bytes, (guint) n);
}

/* A number of `size` bytes in this machine's byte order. */
static void
append_number (GByteArray *to, guint64 number, gsize size)
{
  const guint8 *bytes = (const guint8 *) &number;
  append (to, G_BYTE_ORDER == G_BIG_ENDIAN ? bytes + sizeof number - size : bytes, size);
}

static gsize
type_size (int type)
{
  return type == SHORT ? 2 : type == LONG ? 4 : type == RATIONAL || type == LONG8 ? 8 : 1;
}

/* data: in this machine's byte order. */
static void
add_tag (Directory *d, guint16 tag, int type, guint64 count, gconstpointer data)
{
  gsize bytes = (gsize) count * type_size (type), room = d->big ? 8 : 4;
  static const guint8 zeros[8];
  append_number (d->entries, tag, 2);
  append_number (d->entries, (guint64) type, 2);
  append_number (d->entries, count, room);
  if (bytes <= room) {
    append (d->entries, data, bytes);
    append (d->entries, zeros, room - bytes);
  } else {
    append_number (d->entries, d->values_at + d->values->len, room);
    append (d->values, data, bytes);
    append (d->values, zeros, -bytes % 8);
  }
  d->n++;
}

static void
add_short (Directory *d, guint16 tag, guint16 value)
{
  add_tag (d, tag, SHORT, 1, &value);
}

static void
add_long (Directory *d, guint16 tag, guint64 value)
{
  guint32 narrow = (guint32) value;
  add_tag (d, tag, d->big ? LONG8 : LONG, 1, d->big ? (gconstpointer) &value : &narrow);
}

/* The same number for every sample. */
static void
add_per_sample (Directory *d, guint16 tag, guint16 samples, guint16 value)
{
  const guint16 values[] = {value, value, value};
  add_tag (d, tag, SHORT, samples, values);
}

static void
add_resolution (const Writer *w, Directory *d)
{
  if (w->resolution[0][1] && w->resolution[1][1]) {
    add_tag (d, 282, RATIONAL, 1, w->resolution[1]);
    add_tag (d, 283, RATIONAL, 1, w->resolution[0]);
  }
}

/* All tags of one page, in ascending order. */
static void
add_tags (const Writer *w, gint64 page, Directory *d)
{
  g_autofree char *description = page ? NULL : files_imagej_description (w->info);
  add_long (d, 254, 0);
  add_long (d, 256, (guint64) w->info->columns);
  add_long (d, 257, (guint64) w->info->rows);
  add_per_sample (d, 258, w->samples, (guint16) w->stored.bits);
  add_short (d, 259, 1);
  add_short (d, 262, w->samples == 3 ? 2 : w->info->inverted ? 0 : 1);
  if (description)
    add_tag (d, 270, ASCII, strlen (description) + 1, description);
  add_long (d, 273, w->pixels_at + (guint64) page * w->page_bytes);
  add_short (d, 277, w->samples);
  add_long (d, 278, (guint64) w->info->rows);
  add_long (d, 279, w->page_bytes);
  add_resolution (w, d);
  add_short (d, 284, 1);
  add_short (d, 296, 1);
  add_per_sample (d, 339, w->samples, w->stored.format);
  if (!page && w->extras->len) {
    add_tag (d, 50838, LONG, w->counts->len / 4, w->counts->data);
    add_tag (d, 50839, BYTE, w->extras->len, w->extras->data);
  }
}

/* The directory of a page as it stands in the file from `at`; unless it is the last, the next one begins at `next`, or, with
 * next = 0, right behind. */
static GByteArray *
make_directory (const Writer *w, gint64 page, guint64 at, guint64 next)
{
  Directory d = {w->big, g_byte_array_new (), g_byte_array_new (), 0, 0};
  GByteArray *whole = g_byte_array_new ();
  gsize frame = w->big ? 16 : 6; /* the number of entries and the link */
  add_tags (w, page, &d);
  d.values_at = at + (frame + d.entries->len + 7) / 8 * 8;
  d.n = 0;
  g_byte_array_set_size (d.entries, 0);
  g_byte_array_set_size (d.values, 0);
  add_tags (w, page, &d);
  if (!next)
    next = d.values_at + d.values->len;
  append_number (whole, d.n, w->big ? 8 : 2);
  append (whole, d.entries->data, d.entries->len);
  append_number (whole, page + 1 < w->pages ? next : 0, w->big ? 8 : 4);
  append_number (whole, 0, -whole->len % 8);
  append (whole, d.values->data, d.values->len);
  g_byte_array_unref (d.entries);
  g_byte_array_unref (d.values);
  return whole;
}

/* ---- Calibration and ImageJ's own tags ---- */

/* The fraction of 32-bit numbers that is nearest to `value`, by continued fractions; FALSE when there is none near. */
static gboolean
fraction (double value, guint32 of[2])
{
  double before[2] = {0, 1}, now[2] = {1, 0}, rest = value;
  if (!(value > 0))
    return FALSE;
  for (int i = 0; i < 64; i++) {
    double whole = floor (rest), next[2] = {whole * now[0] + before[0], whole * now[1] + before[1]};
    if (!(next[0] <= G_MAXUINT32 && next[1] <= G_MAXUINT32))
      break;
    memcpy (before, now, sizeof now);
    memcpy (now, next, sizeof now);
    if (now[0] / now[1] == value || rest == whole)
      break;
    rest = 1 / (rest - whole);
  }
  of[0] = (guint32) now[0];
  of[1] = (guint32) now[1];
  return now[1] > 0 && fabs (now[0] / now[1] / value - 1) < 1e-6;
}

static gboolean
set_resolution (Writer *w, GError **error)
{
  const ImageInfo *info = w->info;
  if (!*info->units[1] && !*info->units[2] && info->spacing[1] == 1 && info->spacing[2] == 1)
    return TRUE;
  for (int i = 0; i < 2; i++)
    if (!fraction (1 / info->spacing[1 + i], w->resolution[i]))
      return file_fail (error, FILE_ERROR_WRITE, w->path,
                        "cannot be written: TIFF cannot hold a pixel size of %g %s; "
                        "give it in another unit.",
                        info->spacing[1 + i], info->units[1 + i]);
  return TRUE;
}

/* One kind of part in ImageJ's data: its header entry and, by counts, the sizes of its parts. */
static void
add_part (Writer *w, GByteArray *parts, gconstpointer data, gsize bytes)
{
  append_number (w->counts, bytes, 4);
  append (parts, data, bytes);
}

static void
add_labels (Writer *w, GByteArray *header, GByteArray *parts)
{
  append_number (header, 0x6c61626c, 4); /* labl */
  append_number (header, (guint64) w->pages, 4);
  for (gint64 page = 0; page < w->pages; page++) {
    glong units = 0;
    g_autofree gunichar2 *text =
      g_utf8_to_utf16 (w->info->channel_names[page % w->info->channels], -1, NULL, &units, NULL);
    add_part (w, parts, text, text ? (gsize) units * 2 : 0);
  }
}

static void
add_ranges (Writer *w, GByteArray *header, GByteArray *parts)
{
  append_number (header, 0x72616e67, 4); /* rang */
  append_number (header, 1, 4);
  add_part (w, parts, w->info->display_ranges, (gsize) w->info->channels * 2 * sizeof (double));
}

/* Ramps from black to the channel's colour: 256 reds, 256 greens, 256 blues. */
static void
add_luts (Writer *w, GByteArray *header, GByteArray *parts)
{
  append_number (header, 0x6c757473, 4); /* luts */
  append_number (header, (guint64) w->info->channels, 4);
  for (gint64 c = 0; c < w->info->channels; c++) {
    guint8 lut[768];
    for (guint i = 0; i < 768; i++)
      lut[i] = (guint8) (((w->info->channel_colors[c] >> (16 - i / 256 * 8) & 0xff) * (i % 256) + 127) / 255);
    add_part (w, parts, lut, sizeof lut);
  }
}

/* Fills w->counts and w->extras. */
static void
set_extras (Writer *w)
{
  const ImageInfo *info = w->info;
  g_autoptr (GByteArray) header = g_byte_array_new (), parts = g_byte_array_new (), counts = NULL;
  append_number (header, 0x494a494a, 4); /* IJIJ */
  if (info->role == FV_RGB)
    return;
  if (info->channel_names)
    add_labels (w, header, parts);
  if (info->display_ranges)
    add_ranges (w, header, parts);
  if (info->channel_colors)
    add_luts (w, header, parts);
  if (header->len == 4)
    return;
  counts = g_steal_pointer (&w->counts);
  w->counts = g_byte_array_new ();
  append_number (w->counts, header->len, 4);
  append (w->counts, counts->data, counts->len);
  append (w->extras, header->data, header->len);
  append (w->extras, parts->data, parts->len);
}

/* ---- The file ---- */

static gboolean
put (Writer *w, gconstpointer bytes, gsize n, GError **error)
{
  return file_target_write (w->target, bytes, n, error);
}

/* Whether the file is too large for 32-bit offsets, and where its pixels begin. */
static gboolean
set_layout (Writer *w, GError **error)
{
  const ImageInfo *info = w->info;
  g_autoptr (GByteArray) first = NULL;
  guint64 size;
  if (info->rows > G_MAXINT32 || info->columns > G_MAXINT32)
    return file_fail (error, FILE_ERROR_WRITE, w->path, "cannot be written: TIFF holds at most %d rows and columns.",
                      G_MAXINT32);
  w->samples = info->role == FV_RGB ? 3 : 1;
  w->pages = image_info_planes (info) / w->samples;
  w->page_bytes = (guint64) info->rows * (guint64) info->columns * (w->stored.bits / 8) * w->samples;
  set_extras (w);
  size = (guint64) w->pages * (w->page_bytes + 512) + w->extras->len + w->counts->len + 65536;
  w->big = size > G_MAXUINT32;
  first = make_directory (w, 0, 16, 1); /* its size does not depend on what it says about places */
  w->pixels_at = 16 + (first->len + 15) / 16 * 16;
  return TRUE;
}

static gboolean
write_head (Writer *w, GError **error)
{
  guint64 behind = (w->pixels_at + (guint64) w->pages * w->page_bytes + 15) / 16 * 16;
  g_autoptr (GByteArray) head = g_byte_array_new (), first = make_directory (w, 0, 16, behind);
  append (head, G_BYTE_ORDER == G_LITTLE_ENDIAN ? "II" : "MM", 2);
  append_number (head, w->big ? 43 : 42, 2);
  if (w->big) {
    append_number (head, 8, 2);
    append_number (head, 0, 2);
  }
  append_number (head, 16, w->big ? 8 : 4);
  append_number (head, 0, 16 - head->len);
  append (head, first->data, first->len);
  append_number (head, 0, -head->len % 8);
  append_number (head, 0, w->pixels_at - head->len);
  return put (w, head->data, head->len, error);
}

/* The samples of n rows from y on: of three planes interleaved, or narrowed. */
static gboolean
make_piece (Writer *w, const guint8 *const planes[3], gint64 y, gint64 n, guint8 *piece, GError **error)
{
  gsize pixels = (gsize) (n * w->info->columns), made;
  if (w->samples == 3) {
    files_samples_interleave (piece, planes, w->info->columns, y, n);
    return TRUE;
  }
  made = files_tiff_narrow (&w->stored, planes[0], (gsize) (y * w->info->columns), pixels, piece);
  return made == pixels
         || file_fail (error, FILE_ERROR_WRITE, w->path, "cannot be written: '%s' has values that %s does not hold.",
                       w->info->name, w->stored.name);
}

/* A plane, or pieces of what becomes of it. */
static gboolean
write_page (Writer *w, gint64 frame, gint64 slice, gint64 channel, GError **error)
{
  const ImageInfo *info = w->info;
  const guint8 *planes[3];
  gsize row = (gsize) info->columns * w->stored.bits / 8 * w->samples;
  gint64 step = MAX ((1 << 20) / info->columns, 1);
  g_autofree guint8 *piece = w->samples == 3 || !w->stored.copied ? g_malloc ((gsize) step * row) : NULL;
  for (int s = 0; s < w->samples; s++)
    if (!(planes[s] = image_plane (w->image, (frame * info->channels + channel + s) * info->depth + slice, error)))
      return FALSE;
  if (!piece)
    return put (w, planes[0], w->page_bytes, error);
  for (gint64 y = 0; y < info->rows; y += step) {
    gint64 n = MIN (step, info->rows - y);
    if (!make_piece (w, planes, y, n, piece, error) || !put (w, piece, (gsize) n * row, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
write_pages (Writer *w, GError **error)
{
  const ImageInfo *info = w->info;
  for (gint64 t = 0; t < info->frames; t++)
    for (gint64 z = 0; z < info->depth; z++)
      for (gint64 c = 0; c < info->channels; c += w->samples)
        if (!write_page (w, t, z, c, error))
          return FALSE;
  return TRUE;
}

static gboolean
write_other_directories (Writer *w, GError **error)
{
  guint64 at = w->pixels_at + (guint64) w->pages * w->page_bytes;
  static const guint8 zeros[16];
  if (w->pages == 1)
    return TRUE;
  if (!put (w, zeros, -at % 16, error))
    return FALSE;
  at += -at % 16;
  for (gint64 page = 1; page < w->pages; page++) {
    g_autoptr (GByteArray) directory = make_directory (w, page, at, 0);
    if (!put (w, directory->data, directory->len, error))
      return FALSE;
    at += directory->len;
  }
  return TRUE;
}

/* ImageJ counts display ranges of signed 16-bit values from 0, as it holds these. */
static double *
shift_ranges (const ImageInfo *info)
{
  double *ranges = g_memdup2 (info->display_ranges, (gsize) info->channels * 2 * sizeof *ranges);
  for (gint64 i = 0; ranges && i < info->channels * 2; i++)
    ranges[i] -= G_MININT16;
  return ranges;
}

gboolean
files_tiff_save (Image *image, const char *path, GError **error)
{
  g_autoptr (FileTarget) target = NULL;
  g_autoptr (GByteArray) extras = g_byte_array_new ();
  ImageInfo info = *image_info (image);
  FilesTiffStored stored = files_tiff_stored (&info);
  g_autofree double *shifted = stored.bits == 16 && stored.type == FV_I32 ? shift_ranges (&info) : NULL;
  Writer w = {
    .path = path, .image = image, .info = &info, .stored = stored, .counts = g_byte_array_new (), .extras = extras};
  gboolean written;
  if (shifted)
    info.display_ranges = shifted;
  written = set_resolution (&w, error) && set_layout (&w, error) && (w.target = target = file_target_new (path, error))
            && write_head (&w, error) && write_pages (&w, error) && write_other_directories (&w, error);
  g_byte_array_unref (w.counts);
  return written && file_target_commit (g_steal_pointer (&target), error);
}

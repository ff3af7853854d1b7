/* SPDX-License-Identifier: MIT
 *
 * Netpbm (netpbm.sourceforge.net/doc): bits, gray and RGB of 8 and 16 bits, in binary (P4, P5, P6) and in text (P1, P2, P3); and PFM, floats (Pf, PF)
 * whose last row comes first. Of bits 1 is black. Values stay as they are; a largest value that is not the type's is a display range.
 */
#include "core/files/pictures/pnm.h"

#include "core/files/shared/plain.h"
#include "core/files/shared/text_numbers.h"

#include <math.h>
#include <string.h>

enum { LONGEST = 1 << 12 /* bytes of a header with its comments */, WORD = 32 };

typedef struct {
  char text[LONGEST + 1];
  gsize n, at;
} Header;

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  (void) self, (void) path;
  return n >= 3 && head[0] == 'P' && strchr ("123456fF", head[1]) && head[1]
         && (g_ascii_isspace (head[2]) || head[2] == '#');
}

/* The next word of the header, and one byte of white space behind it; "" when there is none. */
static void
next_word (Header *h, char word[WORD])
{
  gsize n = 0;
  while (h->at < h->n && (g_ascii_isspace (h->text[h->at]) || h->text[h->at] == '#')) {
    const gboolean comment = h->text[h->at++] == '#';
    while (comment && h->at < h->n && h->text[h->at] != '\n')
      h->at++;
  }
  while (h->at < h->n && !g_ascii_isspace (h->text[h->at]) && n < WORD - 1)
    word[n++] = h->text[h->at++];
  h->at += h->at < h->n;
  word[n] = 0;
}

/* 0: there is none, or it is too large. */
static gint64
next_integer (Header *h)
{
  char word[WORD], *end;
  next_word (h, word);
  const gint64 value = g_ascii_strtoll (word, &end, 10);
  return end != word && !*end && value > 0 && value <= G_MAXINT32 ? value : 0;
}

/* Floats: the sign of the last word of the header is their order of bytes. */
static gboolean
set_floats (Header *h, FilesPlain *to, gboolean color)
{
  char word[WORD], *end;
  next_word (h, word);
  const double scale = g_ascii_strtod (word, &end);
  if (end == word || *end || scale == 0 || !isfinite (scale))
    return FALSE;
  to->blocks.number = (FilesNumber){.bytes = 4, .is_float = TRUE, .is_signed = TRUE};
  to->blocks.number.swapped = (scale < 0) != (G_BYTE_ORDER == G_LITTLE_ENDIAN);
  if (color)
    files_plain_set_colors (to, 3);
  return TRUE;
}

static gboolean
set_integers (Header *h, FilesPlain *to, gboolean color, gboolean text)
{
  const gint64 largest = next_integer (h);
  const gboolean wide = largest > 255;
  if (largest < 1 || largest > 65535)
    return FALSE;
  to->blocks.number = (FilesNumber){.bytes = wide ? 2 : 1, .swapped = wide && !text && G_BYTE_ORDER == G_LITTLE_ENDIAN};
  if (color)
    files_plain_set_colors (to, 3);
  if (largest != 255 && largest != 65535) {
    to->info.display_ranges = g_new0 (double, 2 * (gsize) to->info.channels);
    for (gint64 c = 0; c < to->info.channels; c++)
      to->info.display_ranges[2 * c + 1] = (double) largest;
  }
  return TRUE;
}

/* Where rows of pixels of so many samples begin. */
static void
set_strides (FilesPlain *to, gboolean upward, gsize at)
{
  const guint samples = (guint) to->info.channels;
  files_blocks_set_dense (&to->blocks, &to->info, samples);
  to->blocks.at = at;
  if (!upward)
    return;
  to->blocks.at += (guint64) ((to->info.rows - 1) * to->blocks.strides[3]);
  to->blocks.strides[3] = -to->blocks.strides[3];
}

static gboolean
read_header (FilesPlain *to, char *kind, GError **error)
{
  Header h = {.at = 2};
  h.n = (gsize) MIN (to->file->size, LONGEST);
  if (!files_bytes_read (to->file, 0, h.text, h.n))
    h.n = 0;
  *kind = h.text[1];
  to->info.columns = next_integer (&h);
  to->info.rows = next_integer (&h);
  const gboolean text = *kind >= '1' && *kind <= '3', bits = *kind == '1' || *kind == '4',
                 floats = *kind == 'f' || *kind == 'F';
  const gboolean color = *kind == '3' || *kind == '6' || *kind == 'F';
  gboolean good = to->info.columns && to->info.rows;
  if (bits)
    to->blocks.number = (FilesNumber){.bytes = 1};
  else
    good = good && (floats ? set_floats (&h, to, color) : set_integers (&h, to, color, text));
  if (!good)
    return file_fail (error, FILE_ERROR_DAMAGED, to->file->path,
                      "is damaged: its header lacks a size or a largest value, or one of them cannot be.");
  if (!image_info_check (&to->info, error))
    return FALSE;
  set_strides (to, floats, text || bits ? 0 : h.at);
  to->packing = *kind == '1' ? FILES_DIGITS : text || bits ? FILES_TEXT : FILES_PLAIN;
  to->packed_at = h.at;
  return TRUE;
}

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  g_autoptr (FilesPlain) to = files_plain_new (path, error);
  char kind;
  (void) self;
  return to && read_header (to, &kind, error) && files_plain_finish (to, error) ? g_steal_pointer (&to) : NULL;
}

/* ---- Bits ---- */

/* Of P4: the highest bit first, and each row in bytes of its own. */
static FilesBytes *
read_bits (const FilesPlain *from, GError **error)
{
  const ImageInfo *info = &from->info;
  const gsize columns = (gsize) info->columns, row = (columns + 7) / 8;
  const guint64 left = from->file->size - MIN (from->packed_at, from->file->size);
  if (left / row < (guint64) info->rows) {
    file_fail (error, FILE_ERROR_DAMAGED, from->file->path,
               "is truncated: it has %" G_GUINT64_FORMAT " of its %" G_GINT64_FORMAT " rows.", left / row, info->rows);
    return NULL;
  }
  g_autoptr (FilesBytes) made = files_bytes_new (from->file->path, (guint64) info->rows * columns, error);
  g_autofree guint8 *bits = g_malloc (row);
  for (gint64 y = 0; made && y < info->rows; y++) {
    guint8 *to = made->memory.pixels + (gsize) y * columns;
    if (!files_bytes_read (from->file, from->packed_at + (guint64) y * row, bits, row)) {
      file_fail (error, FILE_ERROR_DAMAGED, from->file->path, "cannot be read up to the end of its pixels.");
      return NULL;
    }
    for (gsize x = 0; x < columns; x++)
      to[x] = bits[x / 8] >> (7 - x % 8) & 1;
  }
  return g_steal_pointer (&made);
}

/* In memory: 1 becomes black. */
static Image *
open_bits (const FilesPlain *from, GError **error)
{
  const guint64 n = (guint64) (from->info.rows * from->info.columns);
  g_autoptr (FilesBytes) bits =
    from->packing == FILES_DIGITS
      ? files_text_numbers (from->file, from->packed_at, &from->blocks.number, n, TRUE, error)
      : read_bits (from, error);
  for (guint64 i = 0; bits && i < n; i++)
    bits->memory.pixels[i] = bits->memory.pixels[i] ? 0 : 255;
  return bits ? files_plain_open_unpacked (from, bits, error) : NULL;
}

static Image *
open_picture (gpointer layout, guint n, GError **error)
{
  const FilesPlain *from = layout;
  guint8 kind[2] = {0};
  files_bytes_read (from->file, 0, kind, 2);
  return kind[1] == '1' || kind[1] == '4' ? open_bits (from, error) : files_plain_open (layout, n, error);
}

const FileFormat format_pnm = {
  .key = "pnm",
  .label = "PNM",
  .endings = (const char *const[]){"pnm", "pbm", "pgm", "ppm", "pfm", NULL},
  .mime = (const char *const[]){"image/x-portable-anymap", NULL},
  .is = is,
  .layout = layout_new,
  .free = files_plain_free,
  .describe = files_plain_describe,
  .open = open_picture,
  .hash = files_plain_hash,
};

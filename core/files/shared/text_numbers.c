/* SPDX-License-Identifier: MIT
 */
#include "core/files/shared/text_numbers.h"

#include "core/base/progress.h"

#include <math.h>
#include <string.h>

enum { PIECE = 1 << 16, WORD = 64 /* bytes of the longest number */ };

typedef struct {
  FilesBytes *text;
  guint64 at;
  gsize i, n; /* the next byte of the piece */
  char piece[PIECE];
} Reader;

/* The next byte; -1 at the end. '#' begins a comment up to the end of the line. */
static int
next (Reader *r)
{
  if (r->i == r->n) {
    r->n = (gsize) MIN (PIECE, r->text->size - r->at);
    r->i = 0;
    if (!r->n || progress_stopped (NULL) || !files_bytes_read (r->text, r->at, r->piece, r->n))
      return r->n = 0, -1;
    r->at += r->n;
  }
  return (guint8) r->piece[r->i++];
}

static int
next_visible (Reader *r)
{
  int c = next (r);
  while (c == '#' || c == ',' || (c >= 0 && g_ascii_isspace (c))) {
    while (c == '#' && (c = next (r)) >= 0 && c != '\n')
      c = '#';
    c = c == '#' || c < 0 ? -1 : next (r);
  }
  return c;
}

/* The next number as text; "" at the end, or when it is too long. */
static void
next_word (Reader *r, gboolean digits, char word[WORD])
{
  gsize n = 0;
  int c = next_visible (r);
  for (; c >= 0 && !g_ascii_isspace (c) && c != ',' && n < WORD - 1; c = digits ? -1 : next (r))
    word[n++] = (char) c;
  word[n < WORD - 1 ? n : 0] = 0;
}

/* FALSE: the type has no such number. */
static gboolean
store (const FilesNumber *f, const char *word, guint8 *to)
{
  char *end;
  if (f->is_float) {
    const double v = g_ascii_strtod (word, &end);
    const float single = (float) v;
    memcpy (to, f->bytes == 8 ? (const void *) &v : (const void *) &single, f->bytes);
  } else {
    const guint bits = 8 * f->bytes;
    const gboolean negative = *word == '-';
    const guint64 u = g_ascii_strtoull (word + (negative || *word == '+'), &end, 10);
    const guint64 top = f->is_signed ? (G_GUINT64_CONSTANT (1) << (bits - 1)) - !negative : G_MAXUINT64 >> (64 - bits);
    const guint64 v = negative ? -u : u;
    if (!g_ascii_isdigit (word[negative || *word == '+']) || u > top || (negative && u && !f->is_signed))
      return FALSE;
    memcpy (to, (const guint8 *) &v + (G_BYTE_ORDER == G_BIG_ENDIAN ? 8 - f->bytes : 0), f->bytes);
  }
  return end != word && !*end;
}

FilesBytes *
files_text_numbers (FilesBytes *text, guint64 at, const FilesNumber *number, guint64 n, gboolean digits, GError **error)
{
  g_autofree Reader *r = g_new0 (Reader, 1);
  const guint64 left = at < text->size ? text->size - at : 0;
  if (n > (digits ? left : (left + 1) / 2)) {
    file_fail (error, FILE_ERROR_DAMAGED, text->path,
               "is truncated: it has no room for its %" G_GUINT64_FORMAT " numbers.", n);
    return NULL;
  }
  g_autoptr (FilesBytes) made = files_bytes_new (text->path, n * number->bytes, error);
  r->text = text;
  r->at = at;
  for (guint64 i = 0; made && i < n; i++) {
    char word[WORD];
    next_word (r, digits, word);
    if (store (number, word, made->memory.pixels + i * number->bytes))
      continue;
    if (!progress_stopped (error) && !*word)
      file_fail (error, FILE_ERROR_DAMAGED, text->path,
                 "is truncated: it has %" G_GUINT64_FORMAT " of its %" G_GUINT64_FORMAT " numbers.", i, n);
    else if (*word && error && !*error)
      file_fail (error, FILE_ERROR_DAMAGED, text->path, "is damaged: its type has no number '%.20s'.", word);
    return NULL;
  }
  if (made)
    host_slot_settle (&made->memory);
  return g_steal_pointer (&made);
}

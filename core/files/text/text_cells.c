/* SPDX-License-Identifier: MIT
 */
#include "core/files/text/text_cells.h"

#include <math.h>
#include <string.h>

enum { FLOAT_DIGITS = 9 /* tell any two f32 apart */, LONGEST = 64, SHOWN = 20 };

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

char
text_cells_separator (const char *line)
{
  return strchr (line, ';') ? ';' : strchr (line, '\t') ? '\t' : strchr (line, ',') ? ',' : ' ';
}

gboolean
text_cells_is_empty (const char *line)
{
  while (is_blank (*line))
    line++;
  return !*line || *line == '#';
}

/* How many bytes the word has, without the blanks behind it. */
static gsize
word_length (const TextCells *self)
{
  const char separator[] = {self->separator, self->separator == ' ' ? '\t' : 0, 0};
  gsize n = strcspn (self->at, separator);
  while (n && is_blank (self->at[n - 1]))
    n--;
  return n;
}

char *
text_cells_word (const TextCells *self)
{
  const gsize n = word_length (self);
  g_autofree char *word = g_strndup (self->at, n);
  return n > SHOWN ? g_strdup_printf ("%.*s...", SHOWN, word) : g_steal_pointer (&word);
}

/* Whether all characters are those of decimal numbers. strtod() also takes hexadecimal ones and nan(...). Counts significant digits. */
static gboolean
is_decimal (const char *word, gsize n, guint *digits, gboolean *is_integer)
{
  gboolean leading = TRUE, exponent = FALSE;
  *digits = 0;
  *is_integer = TRUE;
  for (gsize i = 0; i < n; i++) {
    const char c = word[i];
    if (!g_ascii_isdigit (c) && !strchr ("+-.eE", c))
      return FALSE;
    *is_integer = *is_integer && c != '.' && c != 'e' && c != 'E';
    exponent = exponent || c == 'e' || c == 'E';
    leading = leading && !(c >= '1' && c <= '9');
    *digits += !leading && !exponent && g_ascii_isdigit (c);
  }
  return n > 0;
}

/* "nan" and "inf" with a sign, also in capital letters. */
static gboolean
read_special (const char *word, gsize n, double *value)
{
  static const char *const names[] = {"nan", "inf", "infinity"};
  const gboolean has_sign = *word == '-' || *word == '+';
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (n - has_sign == strlen (names[i]) && !g_ascii_strncasecmp (word + has_sign, names[i], n - has_sign)) {
      *value = (*word == '-' ? -1 : 1) * (i ? (double) INFINITY : (double) NAN);
      return TRUE;
    }
  return FALSE;
}

/* With a decimal point. */
static gboolean
read_word (const char *word, gsize n, TextCell *cell)
{
  guint digits;
  gboolean is_integer;
  char *end;
  cell->is_wide = FALSE;
  if (!is_decimal (word, n, &digits, &is_integer))
    return n && read_special (word, n, &cell->value);
  const double v = cell->value = g_ascii_strtod (word, &end);
  const float narrow = (float) v;
  cell->is_wide =
    is_integer ? (double) narrow != v : digits > FLOAT_DIGITS || isinf (narrow) || (narrow == 0 && v != 0);
  return end == word + n && isfinite (v);
}

static gboolean
read_with_comma (const char *word, gsize n, TextCell *cell)
{
  char text[LONGEST];
  const char *comma = memchr (word, ',', n);
  if (!comma || n >= LONGEST || memchr (word, '.', n))
    return FALSE;
  memcpy (text, word, n);
  text[n] = 0;
  text[comma - word] = '.';
  return read_word (text, n, cell);
}

gboolean
text_cells_next (TextCells *self, TextCell *cell)
{
  while (is_blank (*self->at) && *self->at != self->separator)
    self->at++;
  while (self->separator == ' ' && is_blank (*self->at))
    self->at++;
  if (!*self->at)
    return FALSE;
  const gsize n = word_length (self);
  if (!read_word (self->at, n, cell) && !(self->separator == ';' && read_with_comma (self->at, n, cell))) {
    self->fails = TRUE;
    return FALSE;
  }
  self->at += n;
  while (is_blank (*self->at) && *self->at != self->separator)
    self->at++;
  self->at += self->separator != ' ' && *self->at == self->separator;
  return TRUE;
}

/* SPDX-License-Identifier: MIT
 */
#include "core/files/text/text_cells.h"

#include <math.h>
#include <string.h>

enum {
  FLOAT_DIGITS = 9 /* tell any two f32 apart */,
  EXACT_DIGITS = 15 /* of integers that are doubles */,
  LONGEST = 64,
  SHOWN = 20
};

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

/* Whether f32 would lose some of a number's digits. */
static gboolean
is_wide (double value, guint digits, gboolean is_integer)
{
  const float narrow = (float) value;
  return is_integer ? (double) narrow != value : digits > FLOAT_DIGITS || isinf (narrow) || (narrow == 0 && value != 0);
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
  cell->is_wide = is_wide (v, digits, is_integer);
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

/* A number that is digits with at most a sign and a point, up to the separator: nearly all are. Its digits without the point and the power of ten are exact
 * doubles, so that their quotient is the nearest double. FALSE: it is another one. */
static gboolean
take_plain (TextCells *self, TextCell *cell)
{
  static const double tens[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const char *at = self->at, *point = NULL;
  const gboolean is_negative = *at == '-';
  guint64 integer = 0;
  guint digits = 0, all = 0;
  for (at += *at == '-' || *at == '+';; at++) {
    if (*at == '.' && !point) {
      point = at;
      continue;
    }
    if (!g_ascii_isdigit (*at) || ++all > EXACT_DIGITS)
      break;
    integer = 10 * integer + (guint64) (*at - '0');
    digits += integer > 0;
  }
  if (!all || all > EXACT_DIGITS || (*at && *at != self->separator && !(self->separator == ' ' && *at == '\t')))
    return FALSE;
  const double value = (double) integer / tens[point ? at - point - 1 : 0];
  *cell = (TextCell){is_negative ? -value : value, is_wide (value, digits, !point)};
  self->at = at;
  return TRUE;
}

/* Any other number, which may have blanks behind it. FALSE: it is none. */
static gboolean
take_word (TextCells *self, TextCell *cell)
{
  const gsize n = word_length (self);
  if (!read_word (self->at, n, cell) && !(self->separator == ';' && read_with_comma (self->at, n, cell)))
    return FALSE;
  self->at += n;
  while (is_blank (*self->at) && *self->at != self->separator)
    self->at++;
  return TRUE;
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
  if (!take_plain (self, cell) && !take_word (self, cell)) {
    self->fails = TRUE;
    return FALSE;
  }
  self->at += self->separator != ' ' && *self->at == self->separator;
  return TRUE;
}

/* SPDX-License-Identifier: MIT
 *
 * Numbers, quotes and Damerau's edit distance.
 */
#include "core/base/text.h"

#include "core/base/error.h"

#include <errno.h>
#include <math.h>
#include <string.h>

gboolean
text_to_number_or_infinity (const char *text, double *number)
{
  char *end;
  while (g_ascii_isspace (*text))
    text++;
  if (!*text)
    return FALSE;
  errno = 0;
  *number = g_ascii_strtod (text, &end);
  while (g_ascii_isspace (*end))
    end++;
  return !*end && !isnan (*number) && !(isinf (*number) && errno == ERANGE);
}

gboolean
text_to_number (const char *text, double *number)
{
  return text_to_number_or_infinity (text, number) && isfinite (*number);
}

/* ---- Numbers to text ---- */

#define DIGITS 17 /* by which every number is known */

__extension__ typedef unsigned __int128 wide;

static const double tens[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/* Digits before the point of a number of 1e-4 or more and less than 1e15; 0 or less: as many zeros follow on it. */
static int
whole_digits (double number)
{
  int whole = 1;
  while (number >= tens[whole])
    whole++;
  while (whole > -3 && whole <= 1 && number * tens[1 - whole] < 1)
    whole--;
  return whole;
}

/* The number times 10^decimals, rounded to the fewest of 15, 16 and 17 digits that are read back as the number. The product of its 53 bits and
 * 5^decimals is exact: the number times 2^shift. In the same measure 5^decimals is the step to the next number. (Below a power of two they are
 * smaller, but each of those here has 15 digits at most.) */
static guint64
round_to_fewest (double number, int decimals)
{
  static const guint64
    units[] = {100, 10, 1},
    fives[] = {1,          5,           25,           125,          625,           3125,           15625,
               78125,      390625,      1953125,      9765625,      48828125,      244140625,      1220703125,
               6103515625, 30517578125, 152587890625, 762939453125, 3814697265625, 19073486328125, 95367431640625};
  const guint64 first = G_GUINT64_CONSTANT (1) << 52, step = fives[decimals];
  guint64 bits, integer = 0;
  memcpy (&bits, &number, sizeof bits);
  const int shift = 1075 - (int) (bits >> 52) - decimals;
  const wide product = (wide) ((bits & (first - 1)) | first) * step;
  const guint64 scaled = (guint64) (product >> shift), rest = (guint64) product & ((1ull << shift) - 1);
  for (int i = 0; i < 3; i++) {
    const guint64 lower = scaled / units[i], above = (scaled % units[i] << shift) + rest;
    const guint64 below = (units[i] << shift) - above;
    integer = (lower + (above > below || (above == below && lower % 2))) * units[i];
    if (2 * MIN (above, below) < step)
      break;
  }
  return integer;
}

/* The last 2 n digits, up to `end`. */
static void
write_pairs (char *end, guint32 number, int n)
{
  static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                              "25262728293031323334353637383940414243444546474849"
                              "50515253545556575859606162636465666768697071727374"
                              "75767778798081828384858687888990919293949596979899";
  for (; n; n--, number /= 100) {
    *--end = pairs[2 * (number % 100) + 1];
    *--end = pairs[2 * (number % 100)];
  }
}

/* An integer of 17 digits with the point behind so many of them, without zeros at the end. */
static gsize
write_decimal (char *text, guint64 integer, int whole)
{
  char *first = text + (whole > 0 ? 1 : 2 - whole), *end = first + DIGITS;
  memcpy (text, "0.000", 5);
  write_pairs (end, (guint32) (integer % 100000000), 4);
  write_pairs (end - 8, (guint32) (integer / 100000000 % 100000000), 4);
  *first = (char) ('0' + integer / 10000000000000000);
  while (end > first + whole && end[-1] == '0')
    end--;
  for (int i = 0; i < whole; i++)
    text[i] = text[i + 1];
  if (whole > 0)
    text[whole] = '.';
  return (gsize) (end - text) - (end[-1] == '.');
}

/* As printf() would, by arithmetic on integers; 0: not of such a number. */
static gsize
write_quickly (char *text, double number)
{
  const double size = fabs (number);
  if (!(size >= 1e-4 && size < 1e15))
    return 0;
  const int whole = whole_digits (size);
  const guint64 integer = round_to_fewest (size, DIGITS - whole);
  if (integer < 10000000000000000 || integer >= 100000000000000000) /* not 17 digits, at a power of ten */
    return 0;
  *text = '-';
  return (number < 0) + write_decimal (text + (number < 0), integer, whole);
}

static void
write_by_printf (char text[G_ASCII_DTOSTR_BUF_SIZE], double number)
{
  for (int digits = 15; digits <= 17; digits++) {
    char format[] = "%.00g";
    format[2] = '1';
    format[3] = (char) ('0' + digits - 10);
    g_ascii_formatd (text, G_ASCII_DTOSTR_BUF_SIZE, format, number);
    if (g_ascii_strtod (text, NULL) == number)
      break;
  }
}

void
text_add_number (GString *s, double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  gsize n = write_quickly (text, number);
  if (n)
    g_string_append_len (s, text, (gssize) n);
  else if (isnan (number))
    g_string_append (s, "NaN");
  else if (isinf (number))
    g_string_append (s, number > 0 ? "inf" : "-inf");
  else {
    write_by_printf (text, number);
    g_string_append (s, text);
  }
}

void
text_add_integer (GString *s, gint64 integer)
{
  char text[24], *end = text + sizeof text, *at = end;
  guint64 left = integer < 0 ? -(guint64) integer : (guint64) integer;
  do
    *--at = (char) ('0' + left % 10);
  while (left /= 10);
  if (integer < 0)
    *--at = '-';
  g_string_append_len (s, at, end - at);
}

char *
text_from_number (double number)
{
  GString *s = g_string_sized_new (G_ASCII_DTOSTR_BUF_SIZE);
  text_add_number (s, number);
  return g_string_free (s, FALSE);
}

double
text_round (double number, int digits)
{
  char format[8], text[G_ASCII_DTOSTR_BUF_SIZE];
  g_snprintf (format, sizeof format, "%%.%dg", digits);
  return g_ascii_strtod (g_ascii_formatd (text, sizeof text, format, number), NULL);
}

char *
text_from_ms (double ms)
{
  if (ms >= 999.5)
    return g_strdup_printf ("%.1f s", ms / 1000);
  return g_strdup_printf ("%.*f ms", ms < 9.95 ? 1 : 0, ms);
}

/* Control characters, line and paragraph separators, and what turns the direction of writing. */
static gboolean
is_hidden (gunichar c)
{
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* The text with \xff for what is not UTF-8 and, if so wished, for what is_hidden() except the characters of `keep`. */
static char *
spell (const char *text, gboolean hidden, const char *keep)
{
  GString *s = g_string_new (NULL);
  while (*text) {
    gunichar c = g_utf8_get_char_validated (text, -1);
    if (c == (gunichar) -1 || c == (gunichar) -2) {
      g_string_append_printf (s, "\\x%02x", (guint8) *text++);
      continue;
    }
    if (!hidden || !is_hidden (c) || (c < 0x80 && strchr (keep, (int) c)))
      g_string_append_unichar (s, c);
    else
      g_string_append_printf (s, c < 0x80 ? "\\x%02x" : "\\u%04x", c);
    text = g_utf8_next_char (text);
  }
  return g_string_free (s, FALSE);
}

char *
text_from_bytes (const char *bytes)
{
  return spell (bytes, FALSE, "");
}

void
text_copy (char *to, const char *text, gsize room)
{
  const char *end;
  g_utf8_validate (text, (gssize) strnlen (text, room - 1), &end);
  g_strlcpy (to, text, (gsize) (end - text) + 1);
}

char *
text_visible (const char *bytes, const char *keep)
{
  return spell (bytes, TRUE, keep);
}

char *
text_count (gint64 n, const char *plural)
{
  int letters = (int) strlen (plural) - (n == 1 && g_str_has_suffix (plural, "s"));
  return g_strdup_printf ("%" G_GINT64_FORMAT " %.*s", n, letters, plural);
}

/* Length of the piece of `text` up to the first byte for which ends() is true outside quotes; 0 < quotes: unclosed. */
static gsize
piece_length (const char *text, gboolean (*ends) (char c, char separator), char separator, gboolean *open)
{
  char quote = 0;
  gsize i;
  for (i = 0; text[i]; i++) {
    if (quote == '"' && text[i] == '\\' && text[i + 1])
      i++;
    else if (quote)
      quote = text[i] == quote ? 0 : quote;
    else if (text[i] == '"' || text[i] == '\'')
      quote = text[i];
    else if (ends (text[i], separator))
      break;
  }
  *open = quote != 0;
  return i;
}

static gboolean
is_separator (char c, char separator)
{
  return c == separator;
}

static gboolean
is_space (char c, char separator)
{
  (void) separator;
  return g_ascii_isspace (c);
}

static char **
unclosed (GError **error, const char *text)
{
  step_error_set (error, FV_BAD_ARGUMENT, NULL, "Unclosed quotation mark: %s", text);
  return NULL;
}

char **
text_split (const char *text, char separator, GError **error)
{
  g_autoptr (GStrvBuilder) pieces = g_strv_builder_new ();
  for (;;) {
    gboolean open;
    gsize n = piece_length (text, is_separator, separator, &open);
    g_autofree char *piece = g_strndup (text, n);
    if (open)
      return unclosed (error, text);
    g_strv_builder_add (pieces, piece);
    if (!text[n])
      return g_strv_builder_end (pieces);
    text += n + 1;
  }
}

/* Removes quotes and escapes from a string, in place. */
static void
unquote (char *piece)
{
  char quote = 0, *to = piece;
  for (const char *from = piece; *from; from++) {
    if (quote == '"' && *from == '\\' && from[1])
      *to++ = *++from;
    else if (quote && *from == quote)
      quote = 0;
    else if (!quote && (*from == '"' || *from == '\''))
      quote = *from;
    else
      *to++ = *from;
  }
  *to = 0;
}

char **
text_words (const char *text, GError **error)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  for (;;) {
    gboolean open;
    g_autofree char *word = NULL;
    gsize n;
    while (g_ascii_isspace (*text))
      text++;
    if (!*text)
      return g_strv_builder_end (words);
    n = piece_length (text, is_space, 0, &open);
    if (open)
      return unclosed (error, text);
    word = g_strndup (text, n);
    unquote (word);
    g_strv_builder_add (words, word);
    text += n;
  }
}

char *
text_quote (const char *word)
{
  GString *quoted;
  if (*word && !strpbrk (word, " \t\n\r\v\f|\"'\\"))
    return g_strdup (word);
  quoted = g_string_new ("\"");
  for (; *word; word++) {
    if (*word == '"' || *word == '\\')
      g_string_append_c (quoted, '\\');
    g_string_append_c (quoted, *word);
  }
  g_string_append_c (quoted, '"');
  return g_string_free (quoted, FALSE);
}

/* Edits (insert, delete, replace, swap neighbors) that make b of a; both shorter than 64 bytes. */
static guint
edit_distance (const char *a, const char *b)
{
  guint d[65][65];
  guint n = (guint) strlen (a), m = (guint) strlen (b);
  if (n > 64 || m > 64)
    return G_MAXUINT;
  for (guint i = 0; i <= n; i++)
    for (guint j = 0; j <= m; j++) {
      if (!i || !j) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = MIN (MIN (d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = MIN (d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[n][m];
}

char *
text_nearest (const char *word, const char *const *list)
{
  guint best = (guint) strlen (word) / 3 + 2;
  const char *nearest = NULL;
  for (; *list; list++) {
    guint distance = edit_distance (word, *list);
    if (distance < best) {
      best = distance;
      nearest = *list;
    }
  }
  return g_strdup (nearest);
}

/* SPDX-License-Identifier: MIT
 *
 * Numbers, quotes and Damerau's edit distance.
 */
#include "core/base/text.h"

#include "core/base/error.h"

#include <errno.h>
#include <float.h>
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

#if LDBL_MANT_DIG == 64 /* of x86: a sum of two roundings that can be looked at */

static const long double powers[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,  1e10L,
                                     1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L};

/* Whether the quotient, which is right to half a bit in its last place, says to what double the exact one would be rounded. */
static gboolean
is_certain (long double quotient)
{
  guint64 mantissa;
  memcpy (&mantissa, &quotient, sizeof mantissa);
  guint64 dropped = mantissa & 0x7ff;
  return dropped < 0x3ff || dropped > 0x401;
}

/* The number, 1e-4 or more and less than 1e15, as an integer of so many digits over 10^*places. FALSE when that is not certain: the product
 * has 64 bits, the last of which is worth 2^-7 when the integer has 17 digits. */
static gboolean
scale (double number, int digits, gint64 *integer, int *places)
{
  int whole = 1; /* digits before the point; 0 or less: zeros behind it */
  while (number >= (double) powers[whole])
    whole++;
  while (whole > -3 && whole <= 1 && number * (double) powers[1 - whole] < 1)
    whole--;
  *places = digits - whole;
  const long double scaled = (long double) number * powers[*places];
  *integer = llrintl (scaled);
  const long double nearest = (long double) *integer;
  return fabsl (scaled - nearest) < 0.5L - 0x1p-7L && nearest < powers[digits] && nearest >= powers[digits - 1];
}

/* In so many digits, without zeros at the end. */
static gsize
write_decimal (char *text, gint64 integer, int places)
{
  char digits[24] = "000000000000000000000000";
  int n = 0, length = 0, last = 0;
  for (guint32 low = (guint32) (integer % 1000000000); n < 9; low /= 10) /* in 32 bits a division is quicker */
    digits[n++] = (char) ('0' + low % 10);
  for (guint32 high = (guint32) (integer / 1000000000); high; high /= 10)
    digits[n++] = (char) ('0' + high % 10);
  for (n = MAX (n, places + 1); n > places + 1 && digits[n - 1] == '0'; n--)
    ;
  while (last < places && digits[last] == '0')
    last++;
  while (n > last) {
    if (n == places)
      text[length++] = '.';
    text[length++] = digits[--n];
  }
  return (gsize) length;
}

/* As printf() would, by arithmetic on integers; 0: that cannot be said to be the same. */
static gsize
write_quickly (char *text, double number)
{
  const double size = fabs (number);
  gint64 integer;
  int places;
  if (!(size >= 1e-4 && size < 1e15))
    return 0;
  for (int digits = 15; digits <= 17; digits++) {
    if (!scale (size, digits, &integer, &places))
      return 0;
    const long double back = (long double) integer / powers[places];
    if (!is_certain (back))
      return 0;
    if ((double) back == size || digits == 17) {
      *text = '-';
      return (number < 0) + write_decimal (text + (number < 0), integer, places);
    }
  }
  return 0;
}
#else
static gsize
write_quickly (char *text, double number)
{
  (void) text, (void) number;
  return 0;
}
#endif

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
  step_error_set (error, FV_BAD_ARGUMENT, NULL, "A quotation mark is not closed in: %s", text);
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

/* Takes quotes and escapes out of a piece, in place. */
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

/* Edits (insert, delete, replace, swap neighbours) that make b of a; both shorter than 64 bytes. */
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

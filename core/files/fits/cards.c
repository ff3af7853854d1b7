/* SPDX-License-Identifier: MIT
 */
#include "core/files/fits/cards.h"

#include "core/base/text.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define MAKER "Fovea "

enum { NAME = 8, VALUE = FILES_FITS_CARD - 10, HISTORY_TEXT = FILES_FITS_CARD - 8 };

/* ---- Finding ---- */

static void
pad_name (char padded[NAME + 1], const char *name, guint number)
{
  char whole[32];
  g_snprintf (whole, sizeof whole, number ? "%s%u" : "%s", name, number);
  g_snprintf (padded, NAME + 1, "%-*s", NAME, whole);
}

/* What is behind "KEYWORD = " of the card, without spaces before it. */
static gboolean
find_value (const char *cards, const char *name, guint number, char value[VALUE + 1])
{
  char padded[NAME + 1];
  pad_name (padded, name, number);
  for (const char *card = cards; *card; card += FILES_FITS_CARD)
    if (!memcmp (card, padded, NAME) && card[NAME] == '=') {
      const char *from = card + NAME + 1, *end = card + FILES_FITS_CARD;
      while (from < end && *from == ' ')
        from++;
      g_strlcpy (value, from, MIN ((gsize) (end - from), VALUE) + 1);
      return TRUE;
    }
  return FALSE;
}

/* Whether nothing but a comment follows. */
static gboolean
ends (const char *rest)
{
  rest += strspn (rest, " ");
  return *rest == 0 || *rest == '/';
}

gboolean
files_fits_integer (const char *cards, const char *name, guint number, gint64 *value)
{
  char text[VALUE + 1], *end;
  if (!find_value (cards, name, number, text) || !strchr ("+-0123456789", *text))
    return FALSE;
  errno = 0;
  *value = g_ascii_strtoll (text, &end, 10);
  return errno == 0 && end > text && ends (end);
}

gboolean
files_fits_number (const char *cards, const char *name, guint number, double *value)
{
  char text[VALUE + 1], *end;
  if (!find_value (cards, name, number, text) || !strchr ("+-.0123456789", *text))
    return FALSE;
  for (char *c = text; *c && *c != '/'; c++)
    if (*c == 'D' || *c == 'd')
      *c = 'E';
  *value = g_ascii_strtod (text, &end);
  return end > text && ends (end) && isfinite (*value);
}

gboolean
files_fits_is_true (const char *cards, const char *name)
{
  char text[VALUE + 1];
  return find_value (cards, name, 0, text) && *text == 'T' && ends (text + 1);
}

char *
files_fits_text (const char *cards, const char *name, guint number)
{
  char value[VALUE + 1];
  g_autoptr (GString) text = g_string_new (NULL);
  if (!find_value (cards, name, number, value) || *value != '\'')
    return NULL;
  for (const char *c = value + 1; *c && (*c != '\'' || c[1] == '\''); c++) {
    g_string_append_c (text, *c);
    c += *c == '\'';
  }
  g_strchomp (text->str);
  return *text->str ? g_strdup (text->str) : NULL;
}

/* ---- Making ---- */

void
files_fits_add (GString *cards, const char *name, guint number, const char *value, const char *comment)
{
  char padded[NAME + 1];
  g_autofree char *card = NULL;
  pad_name (padded, name, number);
  card = g_strdup_printf ("%s= %20s%s%s", padded, value, *comment ? " / " : "", comment);
  g_string_append_printf (cards, "%-*.*s", FILES_FITS_CARD, FILES_FITS_CARD, card);
}

void
files_fits_add_integer (GString *cards, const char *name, guint number, gint64 value, const char *comment)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, value);
  files_fits_add (cards, name, number, text, comment);
}

void
files_fits_add_number (GString *cards, const char *name, guint number, double value, const char *comment)
{
  g_autofree char *text = text_from_number (value);
  for (char *c = text; *c; c++)
    *c = g_ascii_toupper (*c);
  files_fits_add (cards, name, number, text, comment);
}

void
files_fits_add_text (GString *cards, const char *name, guint number, const char *value, const char *comment)
{
  g_autoptr (GString) doubled = g_string_new (value);
  g_autofree char *text = NULL, *padded = NULL;
  g_string_replace (doubled, "'", "''", 0);
  text = g_strdup_printf ("'%-8s'", doubled->str);
  padded = g_strdup_printf ("%-20s", text);
  files_fits_add (cards, name, number, padded, comment);
}

/* ---- Other headers ---- */

/* Whether the card's keyword is one of these words, or where that ends with # one with a number. */
static gboolean
is_one_of (const char *card, const char *const *words)
{
  for (; *words; words++) {
    gsize n = strcspn (*words, "#"), end = n;
    if (strncmp (card, *words, n))
      continue;
    if ((*words)[n])
      end += strspn (card + n, "0123456789_");
    if (end >= NAME || card[end] == ' ')
      return TRUE;
  }
  return FALSE;
}

/* Whether the card says what made the image; after: the one before does. */
static gboolean
is_makers (const char *card, gboolean after)
{
  return g_str_has_prefix (card, "HISTORY " MAKER) || (after && g_str_has_prefix (card, "HISTORY   "));
}

void
files_fits_add_others (GString *cards, const char *from, gboolean sizes)
{
  static const char *const storage[] = {
    "SIMPLE",   "XTENSION", "BITPIX",  "NAXIS#",   "EXTEND",   "GROUPS",   "PCOUNT",  "GCOUNT",  "BSCALE",
    "BZERO",    "BLANK",    "DATAMIN", "DATAMAX",  "CHECKSUM", "DATASUM",  "INHERIT", "TFIELDS", "TTYPE#",
    "TFORM#",   "TUNIT#",   "TNULL#",  "THEAP",    "ZIMAGE",   "ZTENSION", "ZBITPIX", "ZNAXIS#", "ZTILE#",
    "ZCMPTYPE", "ZNAME#",   "ZVAL#",   "ZQUANTIZ", "ZDITHER0", "ZBLANK",   "ZSCALE",  "ZZERO",   "ZSIMPLE",
    "ZEXTEND",  "ZPCOUNT",  "ZGCOUNT", "ZHECKSUM", "ZDATASUM", "END",      NULL};
  static const char *const pixels[] = {"CDELT#", "CUNIT#", "CD#", "PC#", NULL};
  gboolean ours = FALSE;
  for (; *from; from += FILES_FITS_CARD)
    if (!(ours = is_makers (from, ours)) && !is_one_of (from, storage) && (sizes || !is_one_of (from, pixels)))
      g_string_append_len (cards, from, FILES_FITS_CARD);
}

void
files_fits_add_makers (GString *cards, const char *made_by)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (const char *c = made_by; *c; c = g_utf8_next_char (c))
    g_string_append_c (text, *c == '\n' || (*c >= ' ' && *c <= '~') ? *c : '?'); /* FITS has ASCII alone */
  g_auto (GStrv) lines = g_strsplit (text->str, "\n", -1);
  for (char **line = lines; *line; line++) {
    const char *rest = *line;
    gboolean first = g_str_has_prefix (rest, MAKER);
    do {
      int n = (int) MIN (strlen (rest), first ? HISTORY_TEXT : HISTORY_TEXT - 2);
      while (rest[n] && n > 1 && rest[n - 1] == ' ') /* spaces at the end of a card are none */
        n--;
      g_autofree char *card = g_strdup_printf ("HISTORY %s%.*s", first ? "" : "  ", n, rest);
      g_string_append_printf (cards, "%-*s", FILES_FITS_CARD, card);
      rest += n;
      first = FALSE;
    } while (*rest);
  }
}

char *
files_fits_makers (const char *cards)
{
  GString *text = g_string_new (NULL);
  gboolean ours = FALSE;
  for (; *cards; cards += FILES_FITS_CARD) {
    const gboolean goes_on = ours;
    if (!(ours = is_makers (cards, ours)))
      continue;
    const gboolean begins = g_str_has_prefix (cards, "HISTORY " MAKER);
    const char *from = cards + 8 + (begins ? 0 : 2);
    if (begins && goes_on)
      g_string_append_c (text, '\n');
    g_string_append_len (text, from, cards + FILES_FITS_CARD - from);
    if (cards[FILES_FITS_CARD - 1] == ' ')
      g_strchomp (text->str);
    text->len = strlen (text->str);
  }
  return g_string_free (text, text->len == 0);
}

char *
files_fits_lines (const char *cards)
{
  GString *lines = g_string_new (NULL);
  for (; *cards; cards += FILES_FITS_CARD) {
    int n = FILES_FITS_CARD;
    while (n && cards[n - 1] == ' ')
      n--;
    g_string_append_printf (lines, "%.*s\n", n, cards);
  }
  return g_string_free (lines, FALSE);
}

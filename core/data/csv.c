/* SPDX-License-Identifier: MIT
 */
#include "core/data/csv.h"

#include "core/base/text.h"

#include <string.h>

enum { PICTURES = 0x2400, PICTURE_OF_DELETE = 0x2421, REPLACEMENT = 0xfffd };

/* Whether a cell of these bytes would be run as a formula, or looks like one that was made harmless. */
static gboolean
needs_apostrophe (const char *text, gsize n)
{
  double number;
  if (!n || !strchr ("=+-@'", *text))
    return FALSE;
  g_autofree char *cell = g_strndup (text, n);
  return !text_to_number_or_infinity (cell, &number);
}

/* Whether there is a control character, also of those that are two bytes in UTF-8. */
static gboolean
has_controls (const char *text, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if ((guint8) text[i] < ' ' || text[i] == 0x7f
        || (text[i] == '\xc2' && i + 1 < n && (guint8) text[i + 1] >= 0x80 && (guint8) text[i + 1] < 0xa0))
      return TRUE;
  return FALSE;
}

char *
csv_show_controls (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *shown = g_string_new (NULL);
  for (const char *at = valid; *at; at = g_utf8_next_char (at)) {
    gunichar c = g_utf8_get_char (at);
    if (g_unichar_iscntrl (c))
      c = c < ' ' ? PICTURES + c : c == 0x7f ? PICTURE_OF_DELETE : REPLACEMENT;
    g_string_append_unichar (shown, c);
  }
  return g_string_free (shown, FALSE);
}

static void
add_quoted (GString *line, const char *text, const char *before, char separator)
{
  if (!strchr (text, separator) && !strpbrk (text, "\"\r\n")) {
    g_string_append (line, before);
    g_string_append (line, text);
    return;
  }
  g_string_append_c (line, '"');
  g_string_append (line, before);
  for (; *text; text++) {
    if (*text == '"')
      g_string_append_c (line, '"');
    g_string_append_c (line, *text);
  }
  g_string_append_c (line, '"');
}

const char *
csv_start (CsvFormat format)
{
  return format.separator == ';' ? "\xef\xbb\xbf" : "";
}

void
csv_add_number (GString *line, const char *number, CsvFormat format)
{
  gsize from = line->len;
  g_string_append (line, number);
  char *point = format.separator == ';' ? strchr (line->str + from, '.') : NULL;
  if (point)
    *point = ',';
}

void
csv_add_field (GString *line, const char *text, CsvFormat format)
{
  g_autofree char *shown = format.raw || !has_controls (text, strlen (text)) ? NULL : csv_show_controls (text);
  const char *before = !format.raw && needs_apostrophe (text, strlen (text)) ? "'" : "";
  add_quoted (line, shown ? shown : text, before, format.separator);
}

gboolean
csv_is_harmless (const char *lines, const char *end)
{
  while (lines < end) {
    gsize n = 0;
    while (lines + n < end && lines[n] != ',' && lines[n] != '\r' && lines[n] != '\n')
      n++;
    if (needs_apostrophe (lines, n) || has_controls (lines, n))
      return FALSE;
    lines += n;
    while (lines < end && (*lines == ',' || *lines == '\r' || *lines == '\n'))
      lines++;
  }
  return TRUE;
}

void
csv_plain_text (GString *field)
{
  if (field->str[0] == '\'' && needs_apostrophe (field->str + 1, field->len - 1))
    g_string_erase (field, 0, 1);
}

gboolean
csv_next_field (const char **at, const char *end, GString *field)
{
  const char *p = *at;
  gboolean quoted = FALSE;
  g_string_truncate (field, 0);
  for (; p < end && (quoted || (*p != ',' && *p != '\n')); p++)
    if (*p == '"' && quoted && p + 1 < end && p[1] == '"')
      g_string_append_c (field, *p++);
    else if (*p == '"')
      quoted = !quoted;
    else if (quoted || *p != '\r')
      g_string_append_c (field, *p);
  gboolean last = p == end || *p == '\n';
  *at = p < end ? p + 1 : end;
  return last;
}

/* ---- JSON ---- */

static const char *
skip_digits (const char *at)
{
  return at + strspn (at, "0123456789");
}

gboolean
csv_is_number (const char *cell)
{
  const char *at = *cell == '-' ? cell + 1 : cell, *end = skip_digits (at);
  if (end == at || (*at == '0' && end > at + 1))
    return FALSE;
  if (*end == '.') {
    at = end + 1;
    if ((end = skip_digits (at)) == at)
      return FALSE;
  }
  if (*end == 'e' || *end == 'E') {
    at = end + 1 + (end[1] == '-' || end[1] == '+');
    if ((end = skip_digits (at)) == at)
      return FALSE;
  }
  return !*end;
}

static void
add_json_text (GString *line, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_string_append_c (line, '"');
  for (const char *at = valid; *at; at++)
    if ((guint8) *at < ' ' || *at == 0x7f)
      g_string_append_printf (line, "\\u%04x", (guint) *at);
    else {
      if (*at == '"' || *at == '\\')
        g_string_append_c (line, '\\');
      g_string_append_c (line, *at);
    }
  g_string_append_c (line, '"');
}

void
csv_add_member (GString *line, const char *key, const char *value, gboolean number)
{
  if (line->str[line->len - 1] != '{')
    g_string_append_c (line, ',');
  add_json_text (line, key);
  g_string_append_c (line, ':');
  if (number && !*value)
    g_string_append (line, "null");
  else if (number && csv_is_number (value))
    g_string_append (line, value);
  else
    add_json_text (line, value); /* and infinities, which JSON does not have */
}

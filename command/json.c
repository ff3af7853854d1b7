/* SPDX-License-Identifier: MIT */
#include "command/json.h"

#include "command/print.h"
#include "library/fovea.h"

#include <math.h>

void
json_add_text (JsonBuilder *b, const char *name, const char *value)
{
  json_builder_set_member_name (b, name);
  if (value)
    json_builder_add_string_value (b, value);
  else
    json_builder_add_null_value (b);
}

void
json_add_bytes (JsonBuilder *b, const char *name, const char *value)
{
  char *text = fovea_text_from_bytes (value, NULL);
  json_add_text (b, name, text);
  fovea_text_free (text);
}

void
json_add_number (JsonBuilder *b, double number)
{
  if (isfinite (number))
    json_builder_add_double_value (b, number);
  else
    json_builder_add_null_value (b);
}

/* Control characters, line and paragraph separators, and what turns the direction of writing. */
static gboolean
is_hidden (gunichar c)
{
  return (c >= 0x7f && c < 0xa0) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* Such characters escaped, which JSON-GLib lets stand, and surely UTF-8. */
static char *
escape (const char *json)
{
  g_autofree char *valid = g_utf8_make_valid (json, -1);
  GString *s = g_string_new (NULL);
  for (const char *at = valid; *at; at = g_utf8_next_char (at)) {
    gunichar c = g_utf8_get_char (at);
    if (is_hidden (c))
      g_string_append_printf (s, "\\u%04x", c);
    else
      g_string_append_unichar (s, c);
  }
  return g_string_free (s, FALSE);
}

/* JSON-GLib writes 1e+308 as 1e+308.0, which no other program reads. */
char *
json_end (JsonBuilder *b)
{
  g_autoptr (JsonNode) root = json_builder_get_root (b);
  g_autofree char *raw = json_to_string (root, TRUE), *text = escape (raw);
  g_autoptr (GRegex) regex = g_regex_new ("(: -?[0-9]+e[+-][0-9]+)\\.0\\b", 0, 0, NULL);
  g_object_unref (b);
  return g_regex_replace (regex, text, -1, 0, "\\1", 0, NULL);
}

void
json_print (JsonBuilder *b)
{
  g_autofree char *text = json_end (b);
  print_text (text);
  print_text ("\n");
}

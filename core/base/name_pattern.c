/* SPDX-License-Identifier: MIT
 */
#include "core/base/name_pattern.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <string.h>

/* The letters of a name, and what ends it; 0: it is none. */
static gsize
name_length (const char *at, char end)
{
  gsize n = 0;
  while (g_ascii_isalnum (at[n]) || at[n] == '_')
    n++;
  return n && at[n] == end && !g_ascii_isdigit (*at) ? n : 0;
}

/* What the text of a part may be, as a regular expression: any without '=', else what follows that. Free with g_free(). */
static char *
expression_of_text (const char *like, gsize n)
{
  g_autoptr (GString) regex = g_string_new (NULL);
  if (!n)
    return g_strdup ("[^/]+?");
  for (gsize i = 0; i < n; i++) {
    g_autofree char *plain = g_regex_escape_string (like + i, 1);
    switch (like[i]) {
    case '*': g_string_append (regex, "[^/]*"); break;
    case '?': g_string_append (regex, "[^/]"); break;
    case '#': g_string_append (regex, "[0-9]+"); break;
    default: g_string_append_len (regex, like[i] & 0x80 ? like + i : plain, like[i] & 0x80 ? 1 : -1);
    }
  }
  return g_string_free (g_steal_pointer (&regex), FALSE);
}

/* Adds the part that begins behind a brace, "name", "name:1-5" or "name:1-5=*text*". Its length; 0: it is none. */
static gsize
add_part (NamePattern *pattern, const char *text, GString *regex)
{
  const char *end = strchr (text, '}');
  const gsize n = end ? (gsize) (end - text) : 0, own = strcspn (text, ":=}");
  const gsize name = own <= n ? name_length (text, text[own]) : 0;
  gsize pick = 0, like = 0;
  if (!name)
    return 0;
  if (text[name] == ':') {
    pick = strspn (text + name + 1, "0123456789-,end");
    like = name + 1 + pick;
    if (!pick)
      return 0;
  } else
    like = name;
  if (like != n && (text[like] != '=' || like + 1 == n || memchr (text + like, '/', n - like)))
    return 0;
  g_autofree char *is = like == n ? expression_of_text ("", 0) : expression_of_text (text + like + 1, n - like - 1);
  g_ptr_array_add (pattern->names, g_strndup (text, name));
  g_ptr_array_add (pattern->picks, pick ? g_strndup (text + name + 1, pick) : NULL);
  g_string_append_printf (regex, "(?P<%.*s>%s)", (int) name, text, is);
  return n;
}

/* A template as a regular expression, with its names. NULL: a brace does not belong to a part. Free with g_free(). */
static char *
expression_of (const char *text, NamePattern *pattern)
{
  g_autoptr (GString) regex = g_string_new ("(?:^|/)");
  for (gsize n; *text; text += n) {
    n = 1;
    if (*text == '{' || *text == '}') {
      const gsize length = *text == '{' ? add_part (pattern, text + 1, regex) : 0;
      if (!length)
        return NULL;
      n = length + 2;
    } else {
      g_autofree char *plain = g_regex_escape_string (text, 1);
      while ((text[n] & 0xc0) == 0x80)
        n++;
      g_string_append_len (regex, n > 1 ? text : plain, n > 1 ? (gssize) n : -1);
    }
  }
  g_string_append (regex, "$");
  return g_string_free (g_steal_pointer (&regex), FALSE);
}

/* The names of a regular expression's parts. */
static void
find_names (const char *text, NamePattern *pattern)
{
  for (const char *at = text; (at = strstr (at, "(?P<")); at++) {
    const gsize length = name_length (at + 4, '>');
    if (!length)
      continue;
    g_ptr_array_add (pattern->names, g_strndup (at + 4, length));
    g_ptr_array_add (pattern->picks, NULL);
  }
}

static gboolean
has_parts (const NamePattern *pattern, const char *text, GError **error)
{
  if (pattern->names->len)
    return TRUE;
  step_error_set (error, FV_BAD_ARGUMENT, "name_pattern",
                  "'%s' has no named parts such as '{well}_{field}.tif' or (?P<well>...).", text);
  return FALSE;
}

NamePattern *
name_pattern_new (const char *text, GError **error)
{
  g_autoptr (NamePattern) pattern = g_new0 (NamePattern, 1);
  g_autofree char *regex = NULL;
  g_autoptr (GError) fault = NULL;
  pattern->names = g_ptr_array_new_with_free_func (g_free);
  pattern->picks = g_ptr_array_new_with_free_func (g_free);
  if (!g_utf8_validate (text, -1, NULL))
    step_error_set (error, FV_BAD_ARGUMENT, "name_pattern", "The pattern of names must be UTF-8.");
  else if (strstr (text, "(?P<")) {
    regex = g_strdup (text);
    find_names (text, pattern);
  } else if (!(regex = expression_of (text, pattern)))
    step_error_set (error, FV_BAD_ARGUMENT, "name_pattern",
                    "'%s': braces must enclose a name of letters, digits and _, as in '{well}_{field}.tif'. A list of "
                    "positions and what the text is like may follow, '{z:1-20-2=*DAPI*}'.",
                    text);
  if (!regex || !has_parts (pattern, text, error))
    return NULL;
  if ((pattern->regex = g_regex_new (regex, G_REGEX_DOLLAR_ENDONLY | G_REGEX_OPTIMIZE, 0, &fault)))
    return g_steal_pointer (&pattern);
  step_error_set (error, FV_BAD_ARGUMENT, "name_pattern", "'%s': %s", text, fault->message);
  return NULL;
}

void
name_pattern_free (NamePattern *pattern)
{
  g_clear_pointer (&pattern->regex, g_regex_unref);
  g_ptr_array_unref (pattern->names);
  g_ptr_array_unref (pattern->picks);
  g_free (pattern);
}

char **
name_pattern_match (const NamePattern *pattern, const char *path)
{
  g_autofree char *shown = text_from_bytes (path);
  g_autoptr (GMatchInfo) match = NULL;
  char **parts;
  if (!g_regex_match (pattern->regex, shown, 0, &match))
    return NULL;
  parts = g_new0 (char *, pattern->names->len + 1);
  for (guint i = 0; i < pattern->names->len; i++) {
    char *part = g_match_info_fetch_named (match, pattern->names->pdata[i]);
    parts[i] = part ? part : g_strdup ("");
  }
  return parts;
}

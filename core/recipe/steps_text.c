/* SPDX-License-Identifier: MIT
 *
 * A line ends outside quotes only: texts in steps may hold line breaks.
 */
#include "core/recipe/steps_text.h"

#include "core/base/file_target.h"
#include "core/base/file_read.h"
#include "core/base/text.h"

#include <glib/gstdio.h>
#include <string.h>

#define LARGEST (1 << 20) /* bytes */

char *
steps_text_lines (const Recipe *recipe)
{
  GString *s = g_string_new ("# Steps of Fovea\n");
  g_auto (GStrv) parts = recipe_parts (recipe);
  for (char **part = parts; *part; part++)
    g_string_append_printf (s, "%s\n", *part);
  return g_string_free (s, FALSE);
}

gboolean
steps_text_save (const char *path, const char *lines, GError **error)
{
  return file_save_text (path, lines, 0666, error);
}

/* Without lines that begin with '#', unless they are inside a quoted string. */
static char *
plain (const char *text)
{
  GString *s = g_string_new (NULL);
  char quote = 0;
  gboolean first = TRUE; /* nothing but space yet in this line */
  for (; *text; text++) {
    if (first && !quote && *text == '#') {
      text += strcspn (text, "\n");
      if (!*text)
        break;
    }
    if (quote == '"' && *text == '\\' && text[1])
      g_string_append_c (s, *text++);
    else if (quote)
      quote = *text == quote ? 0 : quote;
    else if (*text == '"' || *text == '\'')
      quote = *text;
    first = *text == '\n' || (first && g_ascii_isspace (*text));
    g_string_append_c (s, *text);
  }
  return g_string_free (s, FALSE);
}

char *
steps_text_read (const char *text, gsize n, const char *name, GError **error)
{
  g_autofree char *rest = NULL;
  g_auto (GStrv) lines = NULL;
  GString *s;
  if (!g_utf8_validate (text, (gssize) n, NULL)) {
    file_fail (error, FILE_ERROR_FORMAT, name, "is not a file of steps: it is not text.");
    return NULL;
  }
  g_autofree char *all = g_strndup (text, n);
  rest = plain (all);
  if (!(lines = text_split (rest, '\n', error)))
    return NULL;
  s = g_string_new (NULL);
  for (char **line = lines; *line; line++)
    if (*g_strstrip (*line))
      g_string_append_printf (s, "%s%s", s->len ? " | " : "", *line);
  return g_string_free (s, FALSE);
}

char *
steps_text_load (const char *path, GError **error)
{
  gsize n;
  g_autofree char *text = file_read_small (path, 0, LARGEST, &n, error);
  return text ? steps_text_read (text, n, path, error) : NULL;
}

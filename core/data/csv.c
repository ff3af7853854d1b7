/* SPDX-License-Identifier: MIT
 */
#include "core/data/csv.h"

#include <string.h>

void
csv_add_field (GString *line, const char *text, char separator)
{
  if (!strchr (text, separator) && !strpbrk (text, "\"\r\n")) {
    g_string_append (line, text);
    return;
  }
  g_string_append_c (line, '"');
  for (; *text; text++) {
    if (*text == '"')
      g_string_append_c (line, '"');
    g_string_append_c (line, *text);
  }
  g_string_append_c (line, '"');
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

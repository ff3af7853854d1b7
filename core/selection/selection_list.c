/* SPDX-License-Identifier: MIT
 *
 * A line: channel, slice, frame, name and shape, separated by tabs; the name is escaped, so that it has no tabs and line ends.
 */
#include "core/selection/selection.h"

#include "core/base/error.h"

#include <string.h>

enum { CHANNEL, SLICE, FRAME, NAME, SHAPE, FIELDS };

char *
selection_list_format (const GPtrArray *selections)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < selections->len; i++) {
    const Selection *s = selections->pdata[i];
    g_autofree char *shape = selection_format (s), *name = g_strescape (s->name ? s->name : "", NULL);
    g_string_append_printf (text, "%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT "\t%s\t%s\n",
                            s->channel, s->slice, s->frame, name, shape);
  }
  return g_string_free (text, FALSE);
}

static Selection *
parse_line (const char *line, GError **error)
{
  g_auto (GStrv) fields = g_strsplit (line, "\t", FIELDS + 1);
  gint64 index[NAME];
  if (g_strv_length (fields) != FIELDS) {
    step_error_set (error, FV_BAD_ARGUMENT, NULL, "A selection has %d fields, not %u.", FIELDS, g_strv_length (fields));
    return NULL;
  }
  for (int i = 0; i < NAME; i++)
    if (!g_ascii_string_to_signed (fields[i], 10, -1, G_MAXINT, &index[i], error))
      return NULL;
  Selection *s = selection_parse (fields[SHAPE], error);
  if (!s)
    return NULL;
  s->channel = index[CHANNEL];
  s->slice = index[SLICE];
  s->frame = index[FRAME];
  s->name = *fields[NAME] ? g_strcompress (fields[NAME]) : NULL;
  return s;
}

GPtrArray *
selection_list_parse (const char *text, GError **error)
{
  g_autoptr (GPtrArray) selections = g_ptr_array_new_with_free_func ((GDestroyNotify) selection_free);
  for (const char *at = text, *end; (end = strchr (at, '\n')); at = end + 1) {
    g_autofree char *line = g_strndup (at, (gsize) (end - at));
    Selection *s = parse_line (line, error);
    if (!s) {
      g_prefix_error (error, "Selection %u: ", selections->len + 1);
      return NULL;
    }
    g_ptr_array_add (selections, s);
  }
  return g_steal_pointer (&selections);
}

/* SPDX-License-Identifier: MIT
 *
 * A selection as a line of a macro, and its points as steps have them. Where ImageJ counts lines and points from the middle of the first pixel, half
 * a pixel is subtracted. Where that would round, and where ImageJ has no function, the line has the selection's own text.
 */
#include "core/base/text.h"
#include "core/selection/selection.h"

static void
append (GString *line, double number, const char *before)
{
  g_autofree char *text = text_from_number (number);
  g_string_append_printf (line, "%s%s", before, text);
}

/* Whether half a pixel less, and then more, is the same. */
static gboolean
can_move (const Selection *s)
{
  for (guint i = 0; i < s->n_points; i++)
    if (s->points[i].x - 0.5 + 0.5 != s->points[i].x || s->points[i].y - 0.5 + 0.5 != s->points[i].y)
      return FALSE;
  return TRUE;
}

static char *
own_text (const Selection *s)
{
  g_autofree char *text = selection_format (s);
  return g_strdup_printf ("run(\"Select...\", \"selection=%s\");", text);
}

/* The numbers of all points, or of a box the upper left corner and the size. */
static char *
numbers (const char *function, const Selection *s, gboolean box, double by)
{
  GString *line = g_string_new (function);
  for (guint i = 0; i < s->n_points; i++) {
    SelectionPoint from = box && i ? s->points[0] : (SelectionPoint){by, by};
    append (line, s->points[i].x - from.x, i ? ", " : "(");
    append (line, s->points[i].y - from.y, ", ");
  }
  g_string_append (line, ");");
  return g_string_free (line, FALSE);
}

/* makeSelection("freehand", newArray(1, 2), newArray(3, 4)); */
static char *
lists (const Selection *s, double by)
{
  GString *line = g_string_new (NULL);
  g_string_printf (line, "makeSelection(\"%s\"", selection_shape_name (s->shape));
  for (int axis = 0; axis < 2; axis++) {
    for (guint i = 0; i < s->n_points; i++)
      append (line, (axis ? s->points[i].y : s->points[i].x) - by, i ? ", " : ", newArray(");
    g_string_append_c (line, ')');
  }
  g_string_append (line, ");");
  return g_string_free (line, FALSE);
}

/* Lua calls no function with many more values. */
enum { MANY_POINTS = 100 };

char *
selection_macro_line (const Selection *s)
{
  if (s->n_points > MANY_POINTS)
    return own_text (s);
  switch (s->shape) {
  case SELECTION_RECTANGLE: return numbers ("makeRectangle", s, TRUE, 0);
  case SELECTION_OVAL: return numbers ("makeOval", s, TRUE, 0);
  case SELECTION_POLYGON: return s->n_points < 3 ? own_text (s) : numbers ("makePolygon", s, FALSE, 0);
  case SELECTION_LINE: return can_move (s) ? numbers ("makeLine", s, FALSE, 0.5) : own_text (s);
  case SELECTION_POLYLINE:
  case SELECTION_FREELINE:
  case SELECTION_ANGLE: return can_move (s) ? lists (s, 0.5) : own_text (s);
  case SELECTION_ROTATED:
  case SELECTION_ELLIPSE:
  case SELECTION_ROUNDED:
  case SELECTION_COMPOSITE: return own_text (s);
  case SELECTION_POINT:
    if (!can_move (s))
      return own_text (s);
    return s->n_points == 1 ? numbers ("makePoint", s, FALSE, 0.5) : lists (s, 0.5);
  default: return lists (s, 0);
  }
}

char *
selection_rows (const Selection *s)
{
  GString *rows = g_string_new (NULL);
  for (guint i = 0; i < s->n_points; i++) {
    append (rows, s->points[i].x - 0.5, i ? "; " : "");
    append (rows, s->points[i].y - 0.5, " ");
  }
  return g_string_free (rows, FALSE);
}

/* SPDX-License-Identifier: MIT
 *
 * In steps the center of the first pixel is at 0, in selections at 0.5.
 */
#include "ui/steps/of_selection.h"

#include "core/base/text.h"

#include <string.h>

static char *
box_step (const View *view, const char *key, const Selection *selection)
{
  const PlanePart box = selection_part (selection, image_info (view_image (view)), 0);
  return g_strdup_printf ("%s x=%" G_GINT64_FORMAT " y=%" G_GINT64_FORMAT " width=%" G_GINT64_FORMAT
                          " height=%" G_GINT64_FORMAT,
                          key, box.x, box.y, box.width, box.height);
}

/* " KEY=NUMBER". */
static void
append (GString *s, const char *key, double value)
{
  g_autofree char *number = text_from_number (value);
  g_string_append_printf (s, " %s=%s", key, number);
}

static char *
points_step (const char *key, const Selection *line)
{
  g_autofree char *points = selection_rows (line);
  return g_strdup_printf ("%s points='%s'", key, points);
}

static char *
line_step (const Op *op, const Selection *line)
{
  if (op_has_trait (op, FV_TAKES_LINE))
    return points_step (op->fv.key, line);
  if (!op_has_trait (op, FV_TAKES_SEGMENT) || line->n_points != 2)
    return NULL;
  GString *s = g_string_new (op->fv.key);
  append (s, "x1", line->points[0].x - 0.5);
  append (s, "y1", line->points[0].y - 0.5);
  append (s, "x2", line->points[1].x - 0.5);
  append (s, "y2", line->points[1].y - 0.5);
  return g_string_free (s, FALSE);
}

static char *
point_step (const char *key, const Selection *point)
{
  GString *s = g_string_new (key);
  append (s, "x", point->points[0].x - 0.5);
  append (s, "y", point->points[0].y - 0.5);
  return g_string_free (s, FALSE);
}

static gboolean
measures_a_mask (const Op *op)
{
  for (guint i = 1; op->fv.kind == FV_TABLE && !op->n_outputs && i < op->n_inputs; i++)
    if (!strcmp (op->fv.inputs[i].key, "mask"))
      return TRUE;
  return FALSE;
}

char *
step_of_selection (const View *view, const Modules *modules, const char *key, const Selection *selection)
{
  const Op *op = selection ? modules_op (modules, key, NULL) : NULL;
  if (!op)
    return NULL;
  if (selection_is_line (selection))
    return line_step (op, selection);
  if (selection->shape == SELECTION_POINT)
    return op_has_trait (op, FV_TAKES_POINT) ? point_step (key, selection) : NULL;
  if (!selection_is_area (selection))
    return NULL;
  if (op_has_trait (op, FV_TAKES_BOX))
    return box_step (view, key, selection);
  if (!measures_a_mask (op))
    return NULL;
  g_autofree char *shape = selection_format (selection);
  return g_strdup_printf ("%s mask=%s", key, shape);
}

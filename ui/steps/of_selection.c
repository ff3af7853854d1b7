/* SPDX-License-Identifier: MIT
 *
 * In steps the center of the first pixel is at 0, in selections at 0.5.
 */
#include "ui/steps/of_selection.h"

#include "core/base/text.h"

#include <string.h>

static char *
crop_step (const View *view, const Selection *selection)
{
  const PlanePart box = selection_part (selection, image_info (view_image (view)), 0);
  return g_strdup_printf ("crop x=%" G_GINT64_FORMAT " y=%" G_GINT64_FORMAT " width=%" G_GINT64_FORMAT
                          " height=%" G_GINT64_FORMAT,
                          box.x, box.y, box.width, box.height);
}

/* " KEY=NUMBER". */
static void
append (GString *s, const char *key, double value)
{
  g_autofree char *number = text_from_number (value);
  g_string_append_printf (s, " %s=%s", key, number);
}

static char *
profile_step (const Selection *line)
{
  g_autofree char *points = selection_rows (line);
  return g_strdup_printf ("profile points='%s'", points);
}

static char *
line_step (const char *key, const Selection *line)
{
  if (!strcmp (key, "profile"))
    return profile_step (line);
  if (strcmp (key, "kymograph") || line->n_points != 2)
    return NULL;
  GString *s = g_string_new ("kymograph");
  append (s, "x1", line->points[0].x - 0.5);
  append (s, "y1", line->points[0].y - 0.5);
  append (s, "x2", line->points[1].x - 0.5);
  append (s, "y2", line->points[1].y - 0.5);
  return g_string_free (s, FALSE);
}

static char *
point_step (const Selection *point)
{
  GString *s = g_string_new ("radial_profile center=point");
  append (s, "x", point->points[0].x - 0.5);
  append (s, "y", point->points[0].y - 0.5);
  return g_string_free (s, FALSE);
}

static gboolean
measures_a_mask (const Op *op)
{
  for (guint i = 1; op && op->fv.kind == FV_TABLE && !op->n_outputs && i < op->n_inputs; i++)
    if (!strcmp (op->fv.inputs[i].key, "mask"))
      return TRUE;
  return FALSE;
}

char *
step_of_selection (const View *view, const Modules *modules, const char *key, const Selection *selection)
{
  if (!selection)
    return NULL;
  if (selection_is_line (selection))
    return line_step (key, selection);
  if (selection->shape == SELECTION_POINT)
    return strcmp (key, "radial_profile") ? NULL : point_step (selection);
  if (!selection_is_area (selection))
    return NULL;
  if (!strcmp (key, "crop"))
    return crop_step (view, selection);
  if (!measures_a_mask (modules_op (modules, key, NULL)))
    return NULL;
  g_autofree char *shape = selection_format (selection);
  return g_strdup_printf ("%s mask=%s", key, shape);
}

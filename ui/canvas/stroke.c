/* SPDX-License-Identifier: MIT
 *
 * The line is simplified as Ramer, Douglas and Peucker do.
 */
#include "ui/canvas/stroke.h"

#include <math.h>
#include <string.h>

void
stroke_append (GString *command, gint64 x, gint64 y, gint64 slice, gint64 frame)
{
  const gboolean first = !strchr (command->str, ',');
  if (command->len)
    g_string_append_c (command, ' ');
  g_string_append_printf (command, "%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT, x, y);
  if (first && (slice || frame))
    g_string_append_printf (command, ",%" G_GINT64_FORMAT, slice);
  if (first && frame)
    g_string_append_printf (command, ",%" G_GINT64_FORMAT, frame);
}

static double
distance (SelectionPoint p, SelectionPoint a, SelectionPoint b)
{
  const double dx = b.x - a.x, dy = b.y - a.y, length = hypot (dx, dy);
  return length > 0 ? fabs (dx * (p.y - a.y) - dy * (p.x - a.x)) / length : hypot (p.x - a.x, p.y - a.y);
}

/* Keeps of what lies between two points that which is farthest from their line, and so on. */
static void
keep_between (const SelectionPoint *points, guint first, guint last, gboolean *kept)
{
  double max = 0.75; /* the steps of a line of pixels are smaller */
  guint farthest = first;
  for (guint i = first + 1; i < last; i++) {
    const double d = distance (points[i], points[first], points[last]);
    if (d > max) {
      max = d;
      farthest = i;
    }
  }
  if (farthest == first)
    return;
  kept[farthest] = TRUE;
  keep_between (points, first, farthest, kept);
  keep_between (points, farthest, last, kept);
}

char *
stroke_points (const GArray *trail, gint64 slice, gint64 frame)
{
  const SelectionPoint *points = (const SelectionPoint *) (gconstpointer) trail->data;
  const guint n = trail->len;
  GString *text = g_string_new (NULL);
  g_autofree gboolean *kept = g_new0 (gboolean, n);
  gint64 x = G_MININT64, y = G_MININT64;
  kept[0] = kept[n - 1] = TRUE;
  keep_between (points, 0, n - 1, kept);
  for (guint i = 0; i < n; i++) {
    const gint64 column = (gint64) floor (points[i].x), row = (gint64) floor (points[i].y);
    if (!kept[i] || (column == x && row == y))
      continue;
    stroke_append (text, x = column, y = row, slice, frame);
  }
  return g_string_free (text, FALSE);
}

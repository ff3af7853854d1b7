/* SPDX-License-Identifier: MIT
 *
 * Along all sides of a line in steps of one length, which need not end at its corners.
 */
#include "core/selection/selection.h"

#include <math.h>

#define MAX_STEPS (1 << 24)

static double
side_length (const SelectionWalk *w, guint i, double width, double height)
{
  const SelectionPoint *p = w->line->points + i;
  return hypot ((p[1].x - p[0].x) * width, (p[1].y - p[0].y) * height);
}

SelectionWalk
selection_walk (const Selection *line, double width, double height)
{
  SelectionWalk w = {.line = line, .width = width, .height = height};
  double pixels = 0;
  for (guint i = 0; i + 1 < line->n_points; i++) {
    pixels += side_length (&w, i, 1, 1);
    w.length += side_length (&w, i, width, height);
  }
  w.steps = (guint) fmin (floor (pixels + 0.5), MAX_STEPS);
  return w;
}

/* How much of the side lies before the part i of all steps. */
static double
part_of_side (SelectionWalk *w, guint i)
{
  const double part = w->steps ? (double) i / w->steps : 0, at = part * w->length;
  double side = side_length (w, w->side, w->width, w->height);
  if (w->line->n_points == 2)
    return part;
  while (w->side + 2 < w->line->n_points && at > w->passed + side) {
    w->passed += side;
    w->side++;
    side = side_length (w, w->side, w->width, w->height);
  }
  return side > 0 ? fmin ((at - w->passed) / side, 1) : 0;
}

SelectionPoint
selection_walk_to (SelectionWalk *w, guint i)
{
  const double part = part_of_side (w, i);
  const SelectionPoint a = w->line->points[w->side], b = w->line->points[w->side + 1];
  return (SelectionPoint){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
}

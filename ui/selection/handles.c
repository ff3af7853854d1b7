/* SPDX-License-Identifier: MIT
 *
 * What is pulled stays at least a pixel large.
 */
#include "ui/selection/handles.h"

#include <math.h>

/* How far along the box the eight handles are, in halves. */
static const int positions[8][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};

static gboolean
is_box (SelectionShape shape)
{
  return shape == SELECTION_RECTANGLE || shape == SELECTION_OVAL;
}

/* Whether its handles are its points. */
static gboolean
is_pointwise (const Selection *s)
{
  return s->shape == SELECTION_LINE || s->shape == SELECTION_POINT || s->shape == SELECTION_ANGLE
         || ((s->shape == SELECTION_POLYGON || s->shape == SELECTION_POLYLINE) && s->n_points <= SELECTION_HANDLES);
}

guint
selection_handles (const Selection *s, SelectionPoint *handles)
{
  SelectionPoint low, high;
  if (is_pointwise (s)) {
    guint n = MIN (s->n_points, SELECTION_HANDLES);
    for (guint i = 0; i < n; i++)
      handles[i] = s->points[i];
    return n;
  }
  selection_bounds (s, &low, &high);
  for (guint i = 0; i < 8; i++)
    handles[i] =
      (SelectionPoint){low.x + (high.x - low.x) * positions[i][0] / 2, low.y + (high.y - low.y) * positions[i][1] / 2};
  return 8;
}

/* ---- Pulling ---- */

/* Between a and b, b moved away where they are less than a pixel apart. */
static double
apart (double a, double b)
{
  return fabs (b - a) >= 1 ? b : a + (b < a ? -1 : 1);
}

static double
mapped (double v, double low, double high, double a, double b)
{
  return high > low ? a + (v - low) / (high - low) * (b - a) : v - low + MIN (a, b);
}

void
selection_stretch (Selection *s, SelectionPoint a, SelectionPoint b)
{
  SelectionPoint low, high;
  if (is_box (s->shape)) {
    s->points[0] = (SelectionPoint){MIN (a.x, b.x), MIN (a.y, b.y)};
    s->points[1] = (SelectionPoint){MAX (a.x, b.x), MAX (a.y, b.y)};
    return;
  }
  selection_bounds (s, &low, &high);
  for (guint i = 0; i < s->n_points; i++)
    s->points[i] = (SelectionPoint){mapped (s->points[i].x, low.x, high.x, a.x, b.x),
                                    mapped (s->points[i].y, low.y, high.y, a.y, b.y)};
  if (s->shape == SELECTION_TRACED || s->shape == SELECTION_ELLIPSE)
    s->shape = SELECTION_FREEHAND; /* no longer along the edges of pixels; maybe slanted */
  else if (s->shape == SELECTION_ROTATED || s->shape == SELECTION_ROUNDED)
    s->shape = SELECTION_POLYGON;
}

/* The nearest to `to` at a multiple of 45° from `from`, whole pixels away. */
static SelectionPoint
straightened (SelectionPoint from, SelectionPoint to)
{
  double dx = to.x - from.x, dy = to.y - from.y, angle = round (atan2 (dy, dx) / G_PI_4) * G_PI_4;
  double across = round (cos (angle)), down = round (sin (angle));
  double n = round ((dx * across + dy * down) / (across * across + down * down));
  return (SelectionPoint){from.x + n * across, from.y + n * down};
}

static void
pull_box (Selection *s, guint handle, SelectionPoint to, gboolean even)
{
  SelectionPoint a, b, *x, *y, fixed;
  const int *position = positions[handle];
  selection_bounds (s, &a, &b);
  x = position[0] == 0 ? &a : &b;
  y = position[1] == 0 ? &a : &b;
  fixed = (SelectionPoint){position[0] == 0 ? b.x : a.x, position[1] == 0 ? b.y : a.y};
  if (even && position[0] != 1 && position[1] != 1) {
    double side = MAX (fabs (to.x - fixed.x), fabs (to.y - fixed.y));
    to = (SelectionPoint){fixed.x + (to.x < fixed.x ? -side : side), fixed.y + (to.y < fixed.y ? -side : side)};
  }
  if (position[0] != 1)
    x->x = apart (fixed.x, to.x);
  if (position[1] != 1)
    y->y = apart (fixed.y, to.y);
  selection_stretch (s, a, b);
}

void
selection_pull (Selection *s, guint handle, SelectionPoint to, gboolean even)
{
  if (!is_pointwise (s))
    pull_box (s, handle, to, even);
  else if (s->shape == SELECTION_LINE && even)
    s->points[handle] = straightened (s->points[1 - handle], to);
  else
    s->points[handle] = to;
}

const char *
selection_handle_cursor (const Selection *s, guint handle)
{
  static const char *const names[8] = {"nw-resize", "n-resize", "ne-resize", "e-resize",
                                       "se-resize", "s-resize", "sw-resize", "w-resize"};
  return is_pointwise (s) ? "pointer" : names[handle];
}

SelectionPoint
selection_snap (SelectionShape shape, SelectionPoint p, double pixel)
{
  double step = is_box (shape) || shape == SELECTION_TRACED ? 1 : MIN (1, exp2 (floor (log2 (pixel))));
  if (!selection_shape_is_area (shape))
    return (SelectionPoint){(floor (p.x / step) + 0.5) * step, (floor (p.y / step) + 0.5) * step};
  return (SelectionPoint){round (p.x / step) * step, round (p.y / step) * step};
}

/* SPDX-License-Identifier: MIT
 *
 * Corners are in ImageJ's order: those of an ellipse begin at the second end of its axis.
 */
#include "core/selection/roi_shapes.h"

#include <math.h>

enum { ELLIPSE_CORNERS = 72, MAX_ARC = 256, MIN_SPLINE = 100, MAX_SPLINE = 1 << 16, AROUND = 7 };
#define NEAR 1e-3 /* pixels: floats of a file */

static SelectionPoint
middle (SelectionPoint a, SelectionPoint b)
{
  return (SelectionPoint){(a.x + b.x) / 2, (a.y + b.y) / 2};
}

static double
distance (SelectionPoint a, SelectionPoint b)
{
  return hypot (b.x - a.x, b.y - a.y);
}

static gboolean
is_near (SelectionPoint a, SelectionPoint b)
{
  return distance (a, b) <= NEAR + 1e-6 * (fabs (a.x) + fabs (a.y));
}

/* Whether it is the shape of `again`, which is freed. */
static gboolean
is_same (const Selection *s, Selection *reread)
{
  gboolean same = s->n_points == reread->n_points;
  for (guint i = 0; same && i < s->n_points; i++)
    same = is_near (s->points[i], reread->points[i]);
  selection_free (reread);
  return same;
}

/* ---- Rotated rectangles ---- */

Selection *
roi_rotated (const RoiAxis *axis)
{
  const SelectionPoint a = axis->a, b = axis->b;
  const double angle = a.y == b.y ? (b.x < a.x ? -G_PI_2 : G_PI_2) : atan ((b.x - a.x) / (b.y - a.y));
  const double dx = axis->wide / 2 * cos (angle), dy = -axis->wide / 2 * sin (angle);
  return selection_new (
    SELECTION_ROTATED, 4,
    (SelectionPoint[]){{a.x + dx, a.y + dy}, {b.x + dx, b.y + dy}, {b.x - dx, b.y - dy}, {a.x - dx, a.y - dy}});
}

/* Of corners in any order around it. */
gboolean
roi_rotated_axis (const Selection *rotated, RoiAxis *axis)
{
  const SelectionPoint *p = rotated->points;
  if (rotated->n_points != 4 || !is_near (middle (p[0], p[2]), middle (p[1], p[3]))
      || fabs (distance (p[0], p[2]) - distance (p[1], p[3])) > NEAR)
    return FALSE;
  *axis = (RoiAxis){middle (p[3], p[0]), middle (p[1], p[2]), distance (p[3], p[0])};
  return TRUE;
}

/* ---- Ellipses ---- */

Selection *
roi_ellipse (const RoiAxis *axis)
{
  const SelectionPoint center = middle (axis->a, axis->b);
  const double dx = axis->b.x - center.x, dy = axis->b.y - center.y, ratio = CLAMP (axis->wide, 0, 1);
  SelectionPoint corners[ELLIPSE_CORNERS];
  for (int i = 0; i < ELLIPSE_CORNERS; i++) {
    const double along = cos (i * 2 * G_PI / ELLIPSE_CORNERS), across = ratio * sin (i * 2 * G_PI / ELLIPSE_CORNERS);
    corners[i] = (SelectionPoint){center.x + along * dx - across * dy, center.y + along * dy + across * dx};
  }
  return selection_new (SELECTION_ELLIPSE, ELLIPSE_CORNERS, corners);
}

/* Corners the other way round, as of a flipped image, are the same ellipse. */
gboolean
roi_ellipse_axis (const Selection *ellipse, RoiAxis *axis)
{
  const SelectionPoint *p = ellipse->points;
  enum { HALF = ELLIPSE_CORNERS / 2, QUARTER = ELLIPSE_CORNERS / 4 };
  if (ellipse->n_points != ELLIPSE_CORNERS)
    return FALSE;
  const SelectionPoint a = p[HALF], b = p[0], c = p[QUARTER], d = p[HALF + QUARTER];
  const double major = distance (a, b), minor = distance (c, d);
  *axis = (RoiAxis){a, b, major > 0 ? minor / major : 1};
  if (minor > major + NEAR)
    return FALSE;
  g_autoptr (Selection) sorted = selection_copy (ellipse);
  const gboolean turned = (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x) > 0;
  for (guint i = 1; turned && i < HALF; i++) {
    sorted->points[i] = p[ELLIPSE_CORNERS - i];
    sorted->points[ELLIPSE_CORNERS - i] = p[i];
  }
  return is_same (sorted, roi_ellipse (axis));
}

/* ---- Rectangles with round corners ---- */

/* As many sides of a corner as keep it within a hundredth of a pixel of the arc. */
static guint
arc_sides (double radius)
{
  return (guint) CLAMP (ceil (5.6 * sqrt (radius)), 2, MAX_ARC);
}

Selection *
roi_rounded (const Selection *box, double diameter)
{
  const SelectionPoint low = box->points[0], high = box->points[1];
  const double rx = MIN (diameter, high.x - low.x) / 2, ry = MIN (diameter, high.y - low.y) / 2;
  const guint sides = arc_sides (MAX (rx, ry)), each = sides + 1;
  g_autofree SelectionPoint *p = g_new (SelectionPoint, 4 * each);
  for (guint i = 0; i < each; i++) {
    const double part = i * G_PI_2 / sides, along = i < sides ? rx * (1 - cos (part)) : rx,
                 down = i < sides ? ry * (1 - sin (part)) : 0;
    p[i] = (SelectionPoint){low.x + along, low.y + down};
    p[2 * each - 1 - i] = (SelectionPoint){high.x - along, low.y + down};
    p[2 * each + i] = (SelectionPoint){high.x - along, high.y - down};
    p[4 * each - 1 - i] = (SelectionPoint){low.x + along, high.y - down};
  }
  return selection_new (SELECTION_ROUNDED, 4 * each, p);
}

/* How far a corner is outside of the rectangle between the middles of the arcs, in radii: 1. */
static double
beyond (double v, double low, double high, double radius)
{
  return fmax (0, fmax (low + radius - v, v - (high - radius))) / radius;
}

/* The radii are how far the first corner on the upper side is from the left one, and on the left side from the upper one. Files have whole
 * diameters. */
int
roi_rounded_diameter (const Selection *rounded)
{
  SelectionPoint low, high;
  double rx = INFINITY, ry = INFINITY;
  selection_bounds (rounded, &low, &high);
  for (guint i = 0; i < rounded->n_points; i++) {
    const SelectionPoint p = rounded->points[i];
    rx = p.y == low.y ? fmin (rx, p.x - low.x) : rx;
    ry = p.x == low.x ? fmin (ry, p.y - low.y) : ry;
  }
  const double diameter = 2 * fmax (rx, ry);
  if (!(fmin (rx, ry) > 0) || fabs (rx - fmin (diameter, high.x - low.x) / 2) > NEAR
      || fabs (ry - fmin (diameter, high.y - low.y) / 2) > NEAR || diameter > G_MAXINT16
      || fabs (diameter - round (diameter)) > NEAR)
    return 0;
  for (guint i = 0; i < rounded->n_points; i++) {
    const SelectionPoint p = rounded->points[i];
    if (fabs (hypot (beyond (p.x, low.x, high.x, rx), beyond (p.y, low.y, high.y, ry)) - 1) * diameter > NEAR)
      return 0;
  }
  return (int) round (diameter);
}

/* ---- Splines ---- */

/* Natural cubic splines of x and y over the square root of the distance. A closed one wraps around at both ends. */
typedef struct {
  guint n;
  double *at;
  SelectionPoint *points, *second; /* and their second derivatives */
} Spline;

static void
spline_free (Spline *s)
{
  g_free (s->at);
  g_free (s->points);
  g_free (s->second);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Spline, spline_free)

static Spline
spline_of (const Selection *nodes, guint around)
{
  const guint n = nodes->n_points, all = n + 2 * around + (around ? 1 : 0);
  Spline s = {all, g_new0 (double, all), g_new0 (SelectionPoint, all), g_new0 (SelectionPoint, all)};
  for (guint i = 0; i < all; i++) {
    s.points[i] = nodes->points[(i + n - around) % n];
    s.at[i] = i ? s.at[i - 1] + fmax (sqrt (distance (s.points[i - 1], s.points[i])), 1e-3) : 0;
  }
  return s;
}

static void
spline_solve (Spline *s)
{
  const SelectionPoint *p = s->points;
  g_autofree double *right = g_new0 (double, s->n); /* the elimination's factors */
  for (guint i = 1; i + 1 < s->n; i++) {
    const double before = s->at[i] - s->at[i - 1], after = s->at[i + 1] - s->at[i], part = before / (before + after);
    const double pivot = part * right[i - 1] + 2, scale = 6 / (before + after);
    right[i] = (part - 1) / pivot;
    s->second[i].x =
      (scale * ((p[i + 1].x - p[i].x) / after - (p[i].x - p[i - 1].x) / before) - part * s->second[i - 1].x) / pivot;
    s->second[i].y =
      (scale * ((p[i + 1].y - p[i].y) / after - (p[i].y - p[i - 1].y) / before) - part * s->second[i - 1].y) / pivot;
  }
  for (guint i = s->n - 1; i-- > 0;) {
    s->second[i].x += right[i] * s->second[i + 1].x;
    s->second[i].y += right[i] * s->second[i + 1].y;
  }
}

/* *piece: which one it is on, from the one before. */
static SelectionPoint
spline_value (const Spline *s, double at, guint *piece)
{
  while (*piece + 2 < s->n && s->at[*piece + 1] <= at)
    ++*piece;
  const guint i = *piece;
  const double h = s->at[i + 1] - s->at[i], b = (at - s->at[i]) / h, a = 1 - b;
  const double u = (a * a * a - a) * h * h / 6, v = (b * b * b - b) * h * h / 6;
  const SelectionPoint *p = s->points + i, *q = s->second + i;
  return (SelectionPoint){a * p[0].x + b * p[1].x + u * q[0].x + v * q[1].x,
                          a * p[0].y + b * p[1].y + u * q[0].y + v * q[1].y};
}

Selection *
roi_spline (const Selection *nodes)
{
  const gboolean closed = selection_is_area (nodes);
  const guint around = closed ? MIN (AROUND, nodes->n_points) : 0;
  const guint n = (guint) CLAMP (selection_length (nodes, 1, 1) / 2, MIN_SPLINE, MAX_SPLINE);
  g_auto (Spline) s = spline_of (nodes, around);
  g_autofree SelectionPoint *points = g_new (SelectionPoint, n);
  guint piece = around;
  spline_solve (&s);
  const double from = s.at[around], to = s.at[s.n - 1 - around];
  for (guint i = 0; i < n; i++)
    points[i] = spline_value (&s, from + (to - from) * i / (n - 1), &piece);
  return selection_new (nodes->shape, n, points);
}

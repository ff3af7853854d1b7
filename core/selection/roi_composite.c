/* SPDX-License-Identifier: MIT
 *
 * The path of a composite is commands, each followed by its coordinates, all of them floats. Here it becomes polygons, each of which ends where
 * its first point comes again, and only there: a path that passes its beginning on the way is two.
 */
#include "core/selection/roi_layout.h"
#include "core/selection/roi_shapes.h"

#include <math.h>

enum { MAX_POINTS = 1 << 22, MAX_SIDES = 256 };

typedef struct {
  GArray *points;
  guint start; /* of the polygon that is open */
  SelectionPoint at;
  gboolean curves, unclosed;
} Path;

static gboolean
is_equal (SelectionPoint a, SelectionPoint b)
{
  return a.x == b.x && a.y == b.y;
}

static SelectionPoint
first_of (const Path *path)
{
  return g_array_index (path->points, SelectionPoint, path->start);
}

/* Closes the polygon; what has less than three corners encloses nothing and is dropped. */
static void
finish (Path *path)
{
  if (path->points->len < path->start + 3)
    g_array_set_size (path->points, path->start);
  else {
    const SelectionPoint first = first_of (path);
    g_array_append_val (path->points, first);
  }
  path->start = path->points->len;
}

static void
line_to (Path *path, SelectionPoint to)
{
  if (is_equal (to, path->at))
    return;
  if (path->points->len == path->start) /* after a close: from where that ended */
    g_array_append_val (path->points, path->at);
  else if (is_equal (to, first_of (path)))
    finish (path);
  g_array_append_val (path->points, to);
  path->at = to;
}

static SelectionPoint
between (SelectionPoint a, SelectionPoint b, double part)
{
  return (SelectionPoint){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
}

/* A curve by its one or two control points and its end, within about a thousandth of a pixel. */
static void
curve_to (Path *path, const SelectionPoint *p, guint n)
{
  const SelectionPoint from = path->at;
  double length = hypot (p[0].x - from.x, p[0].y - from.y);
  for (guint i = 1; i < n; i++)
    length += hypot (p[i].x - p[i - 1].x, p[i].y - p[i - 1].y);
  const guint sides = (guint) CLAMP (ceil (12 * sqrt (length)), 2, MAX_SIDES);
  for (guint i = 1; i < sides; i++) {
    const double part = (double) i / sides;
    SelectionPoint a = between (from, p[0], part), b = between (p[0], p[1], part);
    if (n == 3) {
      a = between (a, b, part);
      b = between (b, between (p[1], p[2], part), part);
    }
    line_to (path, between (a, b, part));
  }
  line_to (path, p[n - 1]);
  path->curves = TRUE;
}

/* Ends what was not closed: a line, unless nothing was drawn. */
static void
move_to (Path *path, SelectionPoint to)
{
  path->unclosed |= path->points->len > path->start + 1;
  finish (path);
  g_array_append_val (path->points, to);
  path->at = to;
}

static void
follow (Path *path, guint command, const float *numbers)
{
  SelectionPoint p[3];
  for (guint i = 0; i < 3 && command != PATH_CLOSE && (i == 0 || i < command); i++)
    p[i] = (SelectionPoint){numbers[2 * i], numbers[2 * i + 1]};
  switch (command) {
  case PATH_MOVE: move_to (path, p[0]); break;
  case PATH_LINE: line_to (path, p[0]); break;
  case PATH_CLOSE:
    if (path->points->len > path->start)
      path->at = first_of (path);
    finish (path);
    break;
  default: curve_to (path, p, command); break;
  }
}

static gboolean
are_finite (const float *numbers, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!isfinite (numbers[i]))
      return FALSE;
  return TRUE;
}

/* Returns what is wrong with it, or NULL. */
static const char *
follow_all (Path *path, const float *words, gsize n)
{
  static const guint numbers[] = {2, 2, 4, 6, 0};
  for (gsize i = 0; i < n;) {
    const float command = words[i++];
    if (!(command >= PATH_MOVE && command <= PATH_CLOSE) || command != floorf (command))
      return "is damaged: its path has an unknown command.";
    const guint k = numbers[(guint) command];
    if (k > n - i)
      return "is damaged: its path is cut off.";
    if (!are_finite (words + i, k))
      return "is damaged: its coordinates are not numbers.";
    follow (path, (guint) command, words + i);
    if (path->points->len > MAX_POINTS)
      return "has more than 4 million points.";
    i += k;
  }
  path->unclosed |= path->points->len > path->start + 1;
  finish (path);
  return path->unclosed          ? "is a composite with lines that enclose nothing, which cannot be read."
         : path->points->len < 4 ? "has too few points for a selection."
                                 : NULL;
}

Selection *
roi_composite (const float *words, gsize n, gboolean *curves, char **fault)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (SelectionPoint));
  Path path = {.points = points};
  const char *wrong = follow_all (&path, words, n);
  *curves = path.curves;
  if (!wrong)
    return selection_new (SELECTION_COMPOSITE, points->len, (SelectionPoint *) (gpointer) points->data);
  *fault = g_strdup (wrong);
  return NULL;
}

/* SPDX-License-Identifier: MIT
 *
 * Every outline, of a part or of a hole, has an edge above a pixel of the object. So the outlines that begin at such edges and have not been walked
 * are all. The object is to the right of the way. Where four pixels meet of which two, diagonal ones, are the object's, the walk turns right: parts
 * that touch at a corner alone get outlines of their own. An outline that still comes to a corner twice is two there.
 */
#include "core/measure/object_shape.h"

typedef struct {
  const gint32 *labels;
  gint64 stride, width, height;
  gint32 label;
  guint8 *walked; /* pixels whose upper edge was */
  GArray *loop;   /* SelectionPoint: each corner between pixels on the way, without the first one again */
  guint *at;      /* for each corner of the box: its index in the loop and 1, or 0 */
  GArray *points; /* SelectionPoint: of all outlines, each with the first one again */
  guint loops;
} Shape;

static gboolean
has (const Shape *s, gint64 x, gint64 y)
{
  return x >= 0 && y >= 0 && x < s->width && y < s->height && s->labels[y * s->stride + x] == s->label;
}

static guint *
corner_at (const Shape *s, SelectionPoint point)
{
  return &s->at[(gint64) point.y * (s->width + 1) + (gint64) point.x];
}

static gboolean
is_straight (SelectionPoint a, SelectionPoint b, SelectionPoint c)
{
  return (a.x == b.x && b.x == c.x) || (a.y == b.y && b.y == c.y);
}

/* Takes points [from, end) off the loop, as an outline with its true corners alone. */
static void
finish (Shape *s, guint from)
{
  const SelectionPoint *p = &g_array_index (s->loop, SelectionPoint, from);
  const guint n = s->loop->len - from, first = s->points->len;
  for (guint i = 0; i < n; i++) {
    *corner_at (s, p[i]) = 0;
    if (!is_straight (p[(i + n - 1) % n], p[i], p[(i + 1) % n]))
      g_array_append_val (s->points, p[i]);
  }
  const SelectionPoint again = g_array_index (s->points, SelectionPoint, first);
  g_array_append_val (s->points, again);
  g_array_set_size (s->loop, from);
  s->loops++;
}

static void
walk (Shape *s, gint64 first_x, gint64 first_y)
{
  /* Right, down, left, up; and from a corner the pixel ahead to the left, which is the one ahead to the right a turn before. */
  static const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1}, ahead_x[] = {0, 0, -1, -1}, ahead_y[] = {-1, 0, 0, -1};
  gint64 x = first_x, y = first_y;
  guint way = 0;
  do {
    const SelectionPoint here = {(double) x, (double) y};
    const guint before = *corner_at (s, here);
    if (before)
      finish (s, before - 1);
    g_array_append_val (s->loop, here);
    *corner_at (s, here) = s->loop->len;
    if (way == 0)
      s->walked[y * s->width + x] = 1;
    x += dx[way];
    y += dy[way];
    const guint turned = (way + 1) % 4;
    if (!has (s, x + ahead_x[turned], y + ahead_y[turned]))
      way = turned;
    else if (has (s, x + ahead_x[way], y + ahead_y[way]))
      way = (way + 3) % 4;
  } while (x != first_x || y != first_y || way);
  finish (s, 0);
}

Selection *
object_shape_trace (const gint32 *labels, gint64 stride, gint64 width, gint64 height, gint32 label,
                    SelectionPoint corner)
{
  g_autofree guint8 *walked = g_malloc0 ((gsize) (width * height));
  g_autofree guint *at = g_new0 (guint, (width + 1) * (height + 1));
  g_autoptr (GArray) loop = g_array_new (FALSE, FALSE, sizeof (SelectionPoint)),
                     points = g_array_new (FALSE, FALSE, sizeof (SelectionPoint));
  Shape s = {labels, stride, width, height, label, walked, loop, at, points, 0};
  for (gint64 y = 0; y < height; y++)
    for (gint64 x = 0; x < width; x++)
      if (has (&s, x, y) && !has (&s, x, y - 1) && !walked[y * width + x])
        walk (&s, x, y);
  const gboolean one = s.loops == 1;
  Selection *shape = selection_new (one ? SELECTION_TRACED : SELECTION_COMPOSITE, points->len - one,
                                    (SelectionPoint *) (gpointer) points->data);
  selection_move (shape, corner.x, corner.y);
  return shape;
}

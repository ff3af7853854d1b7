/* SPDX-License-Identifier: MIT
 */
#include "core/selection/roi_move.h"

#include "core/selection/roi_layout.h"

#include <math.h>

/* A selection on its way. */
typedef struct {
  const RoiMove *move;
  const guint8 *bytes;
  gsize size;
  GByteArray *to;         /* header, coordinates and all else */
  double low[2], high[2]; /* bounds of what was moved: x, y */
  gboolean center;        /* coordinates count from centers of pixels, as those of lines and points, not from corners */
  gboolean broken;        /* a coordinate is not a number */
} Moving;

/* ---- One position ---- */

/* What rounding has left beside a whole number is one. */
static double
snapped (double number)
{
  return fabs (number - rint (number)) < 1e-9 ? rint (number) + 0.0 : number;
}

static void
move_point (Moving *m, double *x, double *y)
{
  const RoiMove *by = m->move;
  const double half = m->center ? 0 : 0.5, x0 = *x - half, y0 = *y - half;
  *x = snapped (by->x[0] * x0 + by->x[1] * y0 + by->x[2] + half);
  *y = snapped (by->y[0] * x0 + by->y[1] * y0 + by->y[2] + half);
  m->broken = m->broken || !isfinite (*x) || !isfinite (*y);
  m->low[0] = fmin (m->low[0], *x), m->high[0] = fmax (m->high[0], *x);
  m->low[1] = fmin (m->low[1], *y), m->high[1] = fmax (m->high[1], *y);
}

/* Whether axes stay axes; whether all lengths change alike, and by how much. */
static gboolean
is_upright (const RoiMove *by)
{
  const double min = 1e-12 * (fabs (by->x[0]) + fabs (by->x[1]) + fabs (by->y[0]) + fabs (by->y[1]));
  return fmax (fabs (by->x[1]), fabs (by->y[0])) <= min || fmax (fabs (by->x[0]), fabs (by->y[1])) <= min;
}

static gboolean
is_similar (const RoiMove *by, double *scale)
{
  *scale = hypot (by->x[0], by->y[0]);
  return fabs (hypot (by->x[1], by->y[1]) - *scale) <= 1e-9 * *scale
         && fabs (by->x[0] * by->x[1] + by->y[0] * by->y[1]) <= 1e-9 * *scale * *scale;
}

static gboolean
is_shift (const RoiMove *by)
{
  return by->x[0] == 1 && by->x[1] == 0 && by->y[0] == 0 && by->y[1] == 1;
}

/* ---- Planes ---- */

/* The number of a plane, from 0; -1: it is not here. */
static gint64
plane_here (const RoiPlanes *p, gint64 there)
{
  const double here = ((double) there - p->first) / p->step;
  return p->known && here >= 0 && here < (double) p->after && here == floor (here) ? (gint64) here : -1;
}

/* A position of `n` bytes, from 1, where 0 is everywhere; in all planes, or along one axis. */
static gboolean
move_position (Moving *m, gsize at, int n, int axis)
{
  gint64 there = roi_get (m->to->data, at, n), here;
  if (there <= 0 || there > G_MAXINT32)
    return TRUE;
  if ((here = plane_here (&m->move->planes[axis], there - 1)) < 0)
    return FALSE;
  roi_put (m->to->data, at, n, here + 1);
  return TRUE;
}

/* The same of a number of a plane among all: channels first. */
static gint64
index_here (const RoiMove *by, gint64 there)
{
  gint64 here[3];
  there--;
  for (int axis = 0; axis < 3; axis++) {
    if ((here[axis] = plane_here (&by->planes[axis], there % by->planes[axis].before)) < 0)
      return -1;
    there /= by->planes[axis].before;
  }
  return there ? -1 : here[0] + by->planes[0].after * (here[1] + by->planes[1].after * here[2]) + 1;
}

/* Each point of several may have a plane of its own. */
static gboolean
move_counters (Moving *m, gsize at, gsize n)
{
  for (gsize i = 0; at >= HEADER && i < n && at + 4 * i + 4 <= m->to->len; i++) {
    const guint32 counter = roi_get (m->to->data, at + 4 * i, 4);
    const gint64 here = counter >> 8 ? index_here (m->move, counter >> 8) : 0;
    if (here < 0)
      return FALSE;
    roi_put (m->to->data, at + 4 * i, 4, here << 8 | (counter & 0xff));
  }
  return TRUE;
}

static gboolean
move_planes (Moving *m, gsize points)
{
  guint8 *bytes = m->to->data;
  const gsize second = roi_get (bytes, AT_SECOND, 4);
  gboolean placed = FALSE;
  if (second >= HEADER && second <= m->to->len && m->to->len - second >= SECOND) {
    for (int axis = 0; axis < 3; axis++) {
      const gsize at = second + SECOND_CHANNEL + 4 * (gsize) axis;
      placed = placed || roi_get (bytes, at, 4);
      if (!move_position (m, at, 4, axis))
        return FALSE;
    }
    if (!move_counters (m, roi_get (bytes, second + SECOND_COUNTERS, 4), points))
      return FALSE;
  }
  const gint64 index = roi_get (bytes, AT_POSITION, 4),
               here = index && index <= G_MAXINT32 ? index_here (m->move, index) : 0;
  roi_put (bytes, AT_POSITION, 4, MAX (here, 0));
  return placed || here >= 0;
}

/* ---- Shapes ---- */

/* Resizes the block of n coordinates, as integers and perhaps as floats; moves the data after it and updates the
 * offsets. */
static void
make_room (Moving *m, gsize before, gsize n, gboolean fractions)
{
  static const gsize pointers[] = {SECOND_NAME, SECOND_PROPERTIES, SECOND_COUNTERS};
  const gsize after = 4 * n + (fractions ? 8 * n : 0), end = MIN (HEADER + before, m->size);
  const gint64 by = (gint64) after - (gint64) before;
  gsize second = roi_get (m->bytes, AT_SECOND, 4);
  g_byte_array_set_size (m->to, (guint) (HEADER + after));
  memset (m->to->data + HEADER, 0, after);
  g_byte_array_append (m->to, m->bytes + end, (guint) (m->size - end));
  if (second < end || second > m->size || m->size - second < SECOND)
    return;
  second = (gsize) ((gint64) second + by);
  roi_put (m->to->data, AT_SECOND, 4, (gint64) second);
  for (gsize i = 0; i < G_N_ELEMENTS (pointers); i++) {
    const gint64 at = roi_get (m->to->data, second + pointers[i], 4);
    if (at >= (gint64) end)
      roi_put (m->to->data, second + pointers[i], 4, at + by);
  }
}

static void
set_fractions (Moving *m, gboolean fractions)
{
  const guint32 options = roi_get (m->to->data, AT_OPTIONS, 2);
  roi_put (m->to->data, AT_OPTIONS, 2, fractions ? options | SUB_PIXEL : options & ~(guint32) SUB_PIXEL);
  if (roi_get (m->to->data, AT_VERSION, 2) < 223)
    roi_put (m->to->data, AT_VERSION, 2, 223);
}

/* The bounds, and whether they can be written and are in the image. */
static gboolean
put_bounds (Moving *m)
{
  const double sizes[2] = {(double) m->move->columns, (double) m->move->rows};
  for (int a = 0; a < 2; a++) {
    if (m->broken || !(m->low[a] >= MIN_SHORT && m->high[a] <= G_MAXUINT16) || m->high[a] < 0 || m->low[a] > sizes[a])
      return FALSE;
    roi_put (m->to->data, AT_BOUNDS + 2 - 2 * (gsize) a, 2, (gint64) floor (m->low[a]));
    roi_put (m->to->data, AT_BOUNDS + 6 - 2 * (gsize) a, 2, (gint64) ceil (m->high[a]));
  }
  return TRUE;
}

static gboolean
are_whole (const double *numbers, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (numbers[i] != floor (numbers[i]))
      return FALSE;
  return TRUE;
}

/* n points; at: x of all, then y of all. before: bytes of those that were there. */
static gboolean
put_points (Moving *m, double *at, gsize n, gsize before)
{
  for (gsize i = 0; i < n; i++)
    move_point (m, at + i, at + n + i);
  const gboolean fractions = !are_whole (at, 2 * n);
  const double origin[2] = {floor (m->low[0]), floor (m->low[1])};
  if (!put_bounds (m))
    return FALSE;
  make_room (m, before, n, fractions);
  set_fractions (m, fractions);
  for (gsize i = 0; i < 2 * n; i++)
    roi_put (m->to->data, HEADER + 2 * i, 2, (gint64) (floor (at[i]) - origin[i / n]));
  for (gsize i = 0; fractions && i < 2 * n; i++)
    roi_put (m->to->data, HEADER + 4 * n + 4 * i, 4, roi_float_bits (at[i]));
  return TRUE;
}

/* An ellipse and a rotated rectangle are their long axis and a number. */
static gboolean
move_axis (Moving *m)
{
  const guint subtype = roi_get (m->bytes, AT_SUBTYPE, 2);
  double scale;
  if (m->bytes[AT_TYPE] != ROI_FREEHAND || (subtype != SUBTYPE_ELLIPSE && subtype != SUBTYPE_ROTATED))
    return TRUE;
  if (!is_similar (m->move, &scale))
    return FALSE;
  for (gsize at = AT_FLOATS; at < AT_FLOATS + 16; at += 8) {
    double x = roi_get_float (m->bytes, at), y = roi_get_float (m->bytes, at + 4);
    move_point (m, &x, &y);
    roi_put (m->to->data, at, 4, roi_float_bits (x));
    roi_put (m->to->data, at + 4, 4, roi_float_bits (y));
  }
  if (subtype == SUBTYPE_ROTATED)
    roi_put (m->to->data, AT_PARAMETER, 4, roi_float_bits (roi_get_float (m->bytes, AT_PARAMETER) * scale));
  return TRUE;
}

static gsize
count_of (const Moving *m)
{
  const gsize n = roi_get (m->bytes, AT_COUNT, 2);
  return n ? n : roi_get (m->bytes, AT_BIG_COUNT, 4);
}

static gboolean
move_points (Moving *m, gsize *points)
{
  const gsize n = *points = count_of (m);
  const gboolean fractions = roi_get (m->bytes, AT_OPTIONS, 2) & SUB_PIXEL && roi_get (m->bytes, AT_VERSION, 2) >= 222;
  const gsize before = (fractions ? 12 : 4) * n;
  if (!n || n > m->size || HEADER + before > m->size)
    return FALSE;
  g_autofree double *at = g_new (double, 2 * n);
  const int origin[2] = {roi_get_short (m->bytes, AT_BOUNDS + 2), roi_get_short (m->bytes, AT_BOUNDS)};
  for (gsize i = 0; i < 2 * n; i++)
    at[i] = fractions ? roi_get_float (m->bytes, HEADER + 4 * n + 4 * i)
                      : origin[i / n] + roi_get_short (m->bytes, HEADER + 2 * i);
  return put_points (m, at, n, before) && move_axis (m);
}

static gboolean
move_line (Moving *m)
{
  for (gsize at = AT_FLOATS; at < AT_FLOATS + 16; at += 8) {
    double x = roi_get_float (m->bytes, at), y = roi_get_float (m->bytes, at + 4);
    move_point (m, &x, &y);
    roi_put (m->to->data, at, 4, roi_float_bits (x));
    roi_put (m->to->data, at + 4, 4, roi_float_bits (y));
  }
  return put_bounds (m);
}

/* Left, top, right, bottom. */
static void
get_box (const Moving *m, double box[4])
{
  const gboolean fractions = roi_get (m->bytes, AT_OPTIONS, 2) & SUB_PIXEL && roi_get (m->bytes, AT_VERSION, 2) >= 223;
  for (gsize i = 0; i < 2; i++) {
    box[i] = fractions ? roi_get_float (m->bytes, AT_FLOATS + 4 * i) : roi_get_short (m->bytes, AT_BOUNDS + 2 - 2 * i);
    box[i + 2] = fractions ? box[i] + roi_get_float (m->bytes, AT_FLOATS + 8 + 4 * i)
                           : roi_get_short (m->bytes, AT_BOUNDS + 6 - 2 * i);
  }
}

/* A rectangle whose sides are none of the image any more. */
static gboolean
turn_box (Moving *m, const double box[4])
{
  double at[8] = {box[0], box[2], box[2], box[0], box[1], box[1], box[3], box[3]};
  if (m->bytes[AT_TYPE] != ROI_BOX)
    return FALSE;
  roi_put (m->to->data, AT_TYPE, 1, ROI_POLYGON);
  memset (m->to->data + AT_COUNT, 0, AT_FLOATS + 16 - AT_COUNT);
  roi_put (m->to->data, AT_COUNT, 2, 4);
  return put_points (m, at, 4, 0);
}

static gboolean
move_box (Moving *m)
{
  const guint subtype = roi_get (m->bytes, AT_SUBTYPE, 2), arc = roi_get (m->bytes, AT_ARC, 2);
  const gboolean picture = subtype == SUBTYPE_TEXT || subtype == SUBTYPE_IMAGE;
  double box[4], scale;
  const gboolean similar = is_similar (m->move, &scale);
  get_box (m, box);
  if ((picture && !is_shift (m->move)) || (arc && !(similar && is_upright (m->move))))
    return FALSE;
  if (!is_upright (m->move))
    return turn_box (m, box);
  move_point (m, box, box + 1);
  move_point (m, box + 2, box + 3);
  const double moved[4] = {m->low[0], m->low[1], m->high[0], m->high[1]};
  const gboolean fractions = !are_whole (moved, 4);
  for (gsize i = 0; i < 4; i++)
    roi_put (m->to->data, AT_FLOATS + 4 * i, 4, fractions ? roi_float_bits (moved[i] - (i > 1 ? moved[i - 2] : 0)) : 0);
  set_fractions (m, fractions);
  if (arc)
    roi_put (m->to->data, AT_ARC, 2, (gint64) lround (arc * scale));
  return put_bounds (m);
}

/* A composite: a path of floats, each part its kind and so many positions. */
static gboolean
move_path (Moving *m)
{
  static const gsize positions[] = {1, 1, 2, 3, 0};
  const gsize n = roi_get (m->bytes, AT_SHAPE_SIZE, 4), end = HEADER + 4 * n;
  if (n > m->size || end > m->size)
    return FALSE;
  for (gsize at = HEADER; at < end;) {
    const double kind = roi_get_float (m->bytes, at);
    if (!(kind >= 0 && kind < G_N_ELEMENTS (positions)) || at + 4 + 8 * positions[(gsize) kind] > end)
      return FALSE;
    at += 4;
    for (gsize i = 0; i < positions[(gsize) kind]; i++, at += 8) {
      double x = roi_get_float (m->bytes, at), y = roi_get_float (m->bytes, at + 4);
      move_point (m, &x, &y);
      roi_put (m->to->data, at, 4, roi_float_bits (x));
      roi_put (m->to->data, at + 4, 4, roi_float_bits (y));
    }
  }
  return put_bounds (m);
}

static gboolean
move_shape (Moving *m, gsize *points)
{
  const guint type = m->bytes[AT_TYPE];
  m->center = type == ROI_LINE || type == ROI_FREE_LINE || type == ROI_LINES || type == ROI_ANGLE || type == ROI_POINTS;
  if (roi_get (m->bytes, AT_SHAPE_SIZE, 4))
    return move_path (m);
  switch (type) {
  case ROI_BOX:
  case ROI_OVAL: return move_box (m);
  case ROI_LINE: return move_line (m);
  case ROI_NONE: return FALSE;
  default: return type <= ROI_POINTS && move_points (m, points);
  }
}

GBytes *
roi_moved (GBytes *roi, const RoiMove *move)
{
  gsize size, points = 0;
  const guint8 *bytes = g_bytes_get_data (roi, &size);
  if (size < HEADER || memcmp (bytes, "Iout", 4))
    return NULL;
  g_autoptr (GByteArray) to = g_byte_array_new ();
  g_byte_array_append (to, bytes, (guint) size);
  Moving m = {move, bytes, size, to, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}, FALSE, FALSE};
  return move_shape (&m, &points) && move_planes (&m, points) ? g_byte_array_free_to_bytes (g_steal_pointer (&to))
                                                              : NULL;
}

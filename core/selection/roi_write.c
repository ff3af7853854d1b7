/* SPDX-License-Identifier: MIT
 *
 * Writes ImageJ's .roi format, version 228, as ImageJ does. A shape that ImageJ knows by a few numbers and that was deformed is a polygon there.
 */
#include "core/selection/roi.h"

#include "core/selection/roi_layout.h"
#include "core/selection/roi_shapes.h"

#include <math.h>
#include <string.h>

static const guint8 types[] = {
  [SELECTION_RECTANGLE] = ROI_BOX,     [SELECTION_OVAL] = ROI_OVAL,        [SELECTION_POLYGON] = ROI_POLYGON,
  [SELECTION_FREEHAND] = ROI_FREEHAND, [SELECTION_TRACED] = ROI_TRACED,    [SELECTION_LINE] = ROI_LINE,
  [SELECTION_POINT] = ROI_POINTS,      [SELECTION_POLYLINE] = ROI_LINES,   [SELECTION_FREELINE] = ROI_FREE_LINE,
  [SELECTION_ANGLE] = ROI_ANGLE,       [SELECTION_ROTATED] = ROI_FREEHAND, [SELECTION_ELLIPSE] = ROI_FREEHAND,
  [SELECTION_ROUNDED] = ROI_BOX,       [SELECTION_COMPOSITE] = ROI_BOX,
};

static void
put (GByteArray *bytes, gsize at, int n, gint64 value)
{
  if (bytes->len < at + (gsize) n) {
    guint before = bytes->len;
    g_byte_array_set_size (bytes, (guint) (at + (gsize) n));
    memset (bytes->data + before, 0, bytes->len - before);
  }
  roi_put (bytes->data, at, n, value);
}

static void
put_float (GByteArray *bytes, gsize at, double number)
{
  put (bytes, at, 4, roi_float_bits (number));
}

/* Whether the integers of the format hold it exactly. */
static gboolean
is_whole (const Selection *selection)
{
  for (guint i = 0; i < selection->n_points; i++) {
    SelectionPoint point = selection->points[i];
    if (point.x != floor (point.x) || point.y != floor (point.y) || fmin (point.x, point.y) < 0
        || fmax (point.x, point.y) > G_MAXUINT16)
      return FALSE;
  }
  return TRUE;
}

/* 0: no number */
static gint64
to_short (double number)
{
  return isnan (number) ? 0 : (gint64) CLAMP (number, MIN_SHORT, G_MAXUINT16);
}

static void
put_ends (GByteArray *bytes, const Selection *selection)
{
  const SelectionPoint *ends = selection->points;
  gboolean line = selection->shape == SELECTION_LINE;
  put_float (bytes, AT_FLOATS, ends[0].x);
  put_float (bytes, AT_FLOATS + 4, ends[0].y);
  put_float (bytes, AT_FLOATS + 8, line ? ends[1].x : ends[1].x - ends[0].x);
  put_float (bytes, AT_FLOATS + 12, line ? ends[1].y : ends[1].y - ends[0].y);
}

static void
put_axis (GByteArray *bytes, const RoiAxis *axis, int subtype)
{
  put (bytes, AT_SUBTYPE, 2, subtype);
  put_float (bytes, AT_FLOATS, axis->a.x);
  put_float (bytes, AT_FLOATS + 4, axis->a.y);
  put_float (bytes, AT_FLOATS + 8, axis->b.x);
  put_float (bytes, AT_FLOATS + 12, axis->b.y);
  put_float (bytes, AT_PARAMETER, axis->wide);
}

/* Each polygon is a path from its first point to its last but one, which is closed. */
static void
put_composite (GByteArray *bytes, const Selection *composite)
{
  const SelectionPoint *p = composite->points;
  gsize at = HEADER;
  for (guint i = 0, end; i < composite->n_points; i = end) {
    end = selection_loop_end (composite, i);
    for (guint k = i; k + 1 < end; k++, at += 12) {
      put_float (bytes, at, k == i ? PATH_MOVE : PATH_LINE);
      put_float (bytes, at + 4, p[k].x);
      put_float (bytes, at + 8, p[k].y);
    }
    put_float (bytes, at, PATH_CLOSE);
    at += 4;
  }
  put (bytes, AT_SHAPE_SIZE, 4, (gint64) (at - HEADER) / 4);
}

static void
put_points (GByteArray *bytes, const Selection *selection, SelectionPoint low, gboolean whole)
{
  gsize n = selection->n_points, floats = HEADER + 4 * n;
  if (n > G_MAXUINT16)
    put (bytes, AT_BIG_COUNT, 4, (gint64) n);
  else
    put (bytes, AT_COUNT, 2, (gint64) n);
  for (gsize i = 0; i < n; i++) {
    put (bytes, HEADER + 2 * i, 2, to_short (floor (selection->points[i].x - low.x)));
    put (bytes, HEADER + 2 * (n + i), 2, to_short (floor (selection->points[i].y - low.y)));
  }
  for (gsize i = 0; i < n && !whole; i++) {
    put_float (bytes, floats + 4 * i, selection->points[i].x);
    put_float (bytes, floats + 4 * (n + i), selection->points[i].y);
  }
}

/* The position, the name and where they are. */
static void
put_second (GByteArray *bytes, const Selection *selection)
{
  gsize second = bytes->len;
  glong n = 0;
  g_autofree gunichar2 *name = selection->name ? g_utf8_to_utf16 (selection->name, -1, NULL, &n, NULL) : NULL;
  put (bytes, AT_SECOND, 4, (gint64) second);
  put (bytes, second + SECOND_CHANNEL, 4, selection->channel + 1);
  put (bytes, second + SECOND_CHANNEL + 4, 4, selection->slice + 1);
  put (bytes, second + SECOND_CHANNEL + 8, 4, selection->frame + 1);
  put (bytes, second + SECOND - 4, 4, 0);
  put_float (bytes, second + SECOND_STROKE, selection->stroke);
  if (!name || !n)
    return;
  put (bytes, second + SECOND_NAME, 4, (gint64) second + SECOND);
  put (bytes, second + SECOND_NAME + 4, 4, n);
  for (gsize i = 0; i < (gsize) n; i++)
    put (bytes, second + SECOND + 2 * i, 2, name[i]);
}

/* In whole pixels. Lines and points have the pixels in which their ends are. */
static void
put_bounds (GByteArray *bytes, const Selection *moved, SelectionPoint low, SelectionPoint high)
{
  const gboolean pixels = !selection_is_area (moved) && moved->shape != SELECTION_ANGLE;
  put (bytes, AT_BOUNDS, 2, to_short (low.y));
  put (bytes, AT_BOUNDS + 2, 2, to_short (low.x));
  put (bytes, AT_BOUNDS + 4, 2, to_short (pixels ? floor (high.y) + 1 : ceil (high.y)));
  put (bytes, AT_BOUNDS + 6, 2, to_short (pixels ? floor (high.x) + 1 : ceil (high.x)));
}

static void
put_stroke (GByteArray *bytes, const Selection *selection)
{
  put (bytes, AT_STROKE, 2, MIN (to_short (fmax (selection->stroke, 0)), G_MAXINT16));
  put (bytes, AT_STROKE_COLOR, 4, selection->stroke_color);
  put (bytes, AT_FILL, 4, selection->fill);
}

/* moved: as ImageJ counts. low: the corner of its bounds, in whole pixels. */
static void
put_shape (GByteArray *bytes, const Selection *moved, SelectionPoint low)
{
  const gboolean whole = is_whole (moved);
  const int diameter = moved->shape == SELECTION_ROUNDED ? roi_rounded_diameter (moved) : 0;
  SelectionPoint corners[2];
  const Selection box = {.shape = SELECTION_RECTANGLE, .n_points = 2, .points = corners};
  RoiAxis axis;
  selection_bounds (moved, &corners[0], &corners[1]);
  put (bytes, AT_TYPE, 1, moved->shape == SELECTION_ROUNDED && !diameter ? ROI_POLYGON : types[moved->shape]);
  put (bytes, AT_OPTIONS, 2,
       (diameter ? is_whole (&box) : whole) || moved->shape == SELECTION_COMPOSITE ? 0 : SUB_PIXEL);
  put (bytes, HEADER - 4, 4, 0);
  if (diameter)
    put (bytes, AT_ARC, 2, diameter);
  if (moved->shape == SELECTION_ROTATED && roi_rotated_axis (moved, &axis))
    put_axis (bytes, &axis, SUBTYPE_ROTATED);
  if (moved->shape == SELECTION_ELLIPSE && roi_ellipse_axis (moved, &axis))
    put_axis (bytes, &axis, SUBTYPE_ELLIPSE);
  if (moved->shape == SELECTION_COMPOSITE)
    put_composite (bytes, moved);
  else if (diameter || moved->shape <= SELECTION_OVAL) {
    if (!is_whole (&box))
      put_ends (bytes, &box);
  } else if (moved->shape == SELECTION_LINE)
    put_ends (bytes, moved);
  else
    put_points (bytes, moved, low, whole);
}

GBytes *
selection_to_roi (const Selection *selection)
{
  g_autoptr (Selection) moved = selection_copy (selection);
  GByteArray *bytes = g_byte_array_new ();
  SelectionPoint low, high;
  if (!selection_is_area (moved))
    selection_move (moved, -0.5, -0.5);
  selection_bounds (moved, &low, &high);
  low = (SelectionPoint){floor (low.x), floor (low.y)};
  g_byte_array_append (bytes, (const guint8 *) "Iout", 4);
  put (bytes, AT_VERSION, 2, VERSION);
  put_bounds (bytes, moved, low, high);
  put (bytes, HEADER - 4, 4, 0);
  put_stroke (bytes, selection);
  put_shape (bytes, moved, low);
  put_second (bytes, selection);
  return g_byte_array_free_to_bytes (bytes);
}

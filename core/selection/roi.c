/* SPDX-License-Identifier: MIT
 *
 * Reads ImageJ's .roi format, big-endian. A header of 64 bytes is followed by the coordinates as 16-bit integers from the upper left corner of the
 * bounds and, where they are fractions, again as floats. Then comes a second header with the position and the name. ImageJ counts lines and points
 * from the center of the first pixel, areas from its corner: lines and points are moved by half a pixel.
 */
#include "core/selection/roi.h"

#include "core/selection/roi_layout.h"
#include "core/selection/roi_shapes.h"

#include <math.h>
#include <string.h>

/* By ImageJ's number; -1: an empty selection. */
static const int shapes[] = {
  [ROI_POLYGON] = SELECTION_POLYGON,
  [ROI_BOX] = SELECTION_RECTANGLE,
  [ROI_OVAL] = SELECTION_OVAL,
  [ROI_LINE] = SELECTION_LINE,
  [ROI_FREE_LINE] = SELECTION_FREELINE,
  [ROI_LINES] = SELECTION_POLYLINE,
  [ROI_NONE] = -1,
  [ROI_FREEHAND] = SELECTION_FREEHAND,
  [ROI_TRACED] = SELECTION_TRACED,
  [ROI_ANGLE] = SELECTION_ANGLE,
  [ROI_POINTS] = SELECTION_POINT,
};

typedef struct {
  const guint8 *bytes;
  gsize size;
  char **fault;
  GString *lost; /* what cannot be carried: "arrow head, group" */
} Roi;

static guint32
get (const Roi *roi, gsize at, int n)
{
  return roi_get (roi->bytes, at, n);
}

static double
get_float (const Roi *roi, gsize at)
{
  return roi_get_float (roi->bytes, at);
}

static int
get_short (const Roi *roi, gsize at)
{
  return roi_get_short (roi->bytes, at);
}

static gboolean fail (const Roi *roi, const char *format, ...) G_GNUC_PRINTF (2, 3);
static gboolean
fail (const Roi *roi, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  *roi->fault = g_strdup_vprintf (format, ap);
  va_end (ap);
  return FALSE;
}

static void
lose (const Roi *roi, const char *what)
{
  g_string_append_printf (roi->lost, "%s%s", roi->lost->len ? ", " : "", what);
}

static gboolean
all_finite (const SelectionPoint *points, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!isfinite (points[i].x) || !isfinite (points[i].y))
      return FALSE;
  return TRUE;
}

/* Lines and boxes. */
static Selection *
read_ends (const Roi *roi, SelectionShape shape)
{
  gboolean fractions = get (roi, AT_OPTIONS, 2) & SUB_PIXEL && get (roi, AT_VERSION, 2) >= 223;
  SelectionPoint ends[2];
  if (shape == SELECTION_LINE || fractions)
    for (gsize i = 0; i < 2; i++)
      ends[i] = (SelectionPoint){get_float (roi, AT_FLOATS + 8 * i), get_float (roi, AT_FLOATS + 8 * i + 4)};
  else
    for (gsize i = 0; i < 2; i++)
      ends[i] = (SelectionPoint){get_short (roi, AT_BOUNDS + 4 * i + 2), get_short (roi, AT_BOUNDS + 4 * i)};
  if (!all_finite (ends, 2)) {
    fail (roi, "is damaged: its coordinates are not numbers.");
    return NULL;
  }
  if (shape != SELECTION_LINE && fractions)
    ends[1] = (SelectionPoint){ends[0].x + ends[1].x, ends[0].y + ends[1].y};
  if (shape != SELECTION_LINE && !(ends[1].x > ends[0].x && ends[1].y > ends[0].y)) {
    fail (roi, "is damaged or empty: its width and height are not above 0.");
    return NULL;
  }
  return selection_new (shape, 2, ends);
}

static guint
min_points (SelectionShape shape)
{
  return shape == SELECTION_POINT ? 1 : shape == SELECTION_POLYLINE || shape == SELECTION_FREELINE ? 2 : 3;
}

static Selection *
read_points (const Roi *roi, SelectionShape shape)
{
  gsize n = get (roi, AT_COUNT, 2) ? get (roi, AT_COUNT, 2) : get (roi, AT_BIG_COUNT, 4);
  gboolean fractions = get (roi, AT_OPTIONS, 2) & SUB_PIXEL && get (roi, AT_VERSION, 2) >= 222;
  gsize at = HEADER + (fractions ? 4 * n : 0), each = fractions ? 4 : 2;
  double left = get_short (roi, AT_BOUNDS + 2), top = get_short (roi, AT_BOUNDS);
  g_autofree SelectionPoint *points = NULL;
  if (n > roi->size || at + 2 * each * n > roi->size) {
    fail (roi, "is damaged: it ends before its %" G_GSIZE_FORMAT " points do.", n);
    return NULL;
  }
  if (n < min_points (shape)) {
    fail (roi, "has too few points (%" G_GSIZE_FORMAT ") for a selection.", n);
    return NULL;
  }
  points = g_new (SelectionPoint, n);
  for (gsize i = 0; i < n; i++)
    points[i] = fractions
                  ? (SelectionPoint){get_float (roi, at + 4 * i), get_float (roi, at + 4 * (n + i))}
                  : (SelectionPoint){left + get_short (roi, at + 2 * i), top + get_short (roi, at + 2 * (n + i))};
  if (!all_finite (points, (guint) n)) {
    fail (roi, "is damaged: its coordinates are not numbers.");
    return NULL;
  }
  return selection_new (shape, shape == SELECTION_ANGLE ? 3 : (guint) n, points);
}

/* A rotated rectangle or an ellipse: ImageJ, too, makes its corners from the axis. */
static Selection *
read_axis (const Roi *roi)
{
  RoiAxis axis = {.wide = get_float (roi, AT_PARAMETER)};
  axis.a = (SelectionPoint){get_float (roi, AT_FLOATS), get_float (roi, AT_FLOATS + 4)};
  axis.b = (SelectionPoint){get_float (roi, AT_FLOATS + 8), get_float (roi, AT_FLOATS + 12)};
  if (all_finite ((SelectionPoint[]){axis.a, axis.b, {axis.wide, 0}}, 3))
    return get (roi, AT_SUBTYPE, 2) == SUBTYPE_ROTATED ? roi_rotated (&axis) : roi_ellipse (&axis);
  fail (roi, "is damaged: its coordinates are not numbers.");
  return NULL;
}

static Selection *
read_rounded (const Roi *roi)
{
  g_autoptr (Selection) box = read_ends (roi, SELECTION_RECTANGLE);
  return box ? roi_rounded (box, get (roi, AT_ARC, 2)) : NULL;
}

static Selection *
read_composite (const Roi *roi)
{
  const gsize n = get (roi, AT_SHAPE_SIZE, 4);
  g_autofree float *words = NULL;
  gboolean curves;
  if (n > (roi->size - HEADER) / 4) {
    fail (roi, "is damaged: it ends before its path does.");
    return NULL;
  }
  words = g_new (float, n);
  for (gsize i = 0; i < n; i++)
    words[i] = (float) get_float (roi, HEADER + 4 * i);
  Selection *composite = roi_composite (words, n, &curves, roi->fault);
  if (composite && curves)
    lose (roi, "curves (now short lines)");
  return composite;
}

static Selection *
read_spline (const Roi *roi, SelectionShape shape)
{
  g_autoptr (Selection) nodes = read_points (roi, shape);
  if (nodes)
    lose (roi, "control points of the spline");
  return nodes ? roi_spline (nodes) : NULL;
}

static Selection *
read_shape (const Roi *roi)
{
  const guint type = roi->bytes[AT_TYPE], subtype = get (roi, AT_SUBTYPE, 2);
  if (get (roi, AT_SHAPE_SIZE, 4))
    return read_composite (roi);
  if (type == ROI_BOX && get (roi, AT_ARC, 2))
    return read_rounded (roi);
  if (type == ROI_FREEHAND && (subtype == SUBTYPE_ROTATED || subtype == SUBTYPE_ELLIPSE))
    return read_axis (roi);
  if (type == ROI_LINE && subtype == SUBTYPE_ARROW)
    lose (roi, "arrow head");
  if (type == ROI_BOX || type == ROI_OVAL || type == ROI_LINE)
    return read_ends (roi, (SelectionShape) shapes[type]);
  if (get (roi, AT_OPTIONS, 2) & SPLINE_FIT && type != ROI_ANGLE && type != ROI_POINTS)
    return read_spline (roi, (SelectionShape) shapes[type]);
  return read_points (roi, (SelectionShape) shapes[type]);
}

/* From UTF-16; NULL when there is none. */
static char *
read_name (const Roi *roi, gsize at, gsize n)
{
  g_autofree gunichar2 *units = NULL;
  if (!n || at > roi->size || n > (roi->size - at) / 2)
    return NULL;
  units = g_new (gunichar2, n);
  for (gsize i = 0; i < n; i++)
    units[i] = (gunichar2) get (roi, at + 2 * i, 2);
  return g_utf16_to_utf8 (units, (glong) n, NULL, NULL, NULL);
}

/* The width of the outline, as a fraction; what selections do not have. */
static void
read_rest (const Roi *roi, gsize second, Selection *selection)
{
  if (roi->size - second < SECOND)
    return;
  const double stroke = get_float (roi, second + SECOND_STROKE);
  if (stroke > 0 && isfinite (stroke) && selection->shape != SELECTION_POINT)
    selection->stroke = stroke;
  if (roi->bytes[second + SECOND_GROUP])
    lose (roi, "group");
  if (get (roi, second + SECOND_PROPERTIES_LENGTH, 4))
    lose (roi, "properties");
  if (get (roi, second + SECOND_COUNTERS, 4) && selection->shape == SELECTION_POINT)
    lose (roi, "counters");
}

/* From version 218 on; of points the width is their size. */
static void
read_stroke (const Roi *roi, Selection *selection)
{
  if (get (roi, AT_VERSION, 2) < 218)
    return;
  selection->stroke = selection->shape == SELECTION_POINT ? 0 : get (roi, AT_STROKE, 2);
  selection->stroke_color = get (roi, AT_STROKE_COLOR, 4);
  selection->fill = get (roi, AT_FILL, 4);
}

/* Numbers from 1, where 0 says everywhere. A position without dimensions is that in a stack of slices. */
static void
read_second (const Roi *roi, Selection *selection)
{
  gsize second = get (roi, AT_SECOND, 4);
  gint64 *const members[] = {&selection->channel, &selection->slice, &selection->frame};
  if (second >= HEADER && second <= roi->size && roi->size - second >= SECOND_NAME + 8) {
    for (gsize i = 0; i < 3; i++)
      *members[i] = MAX ((gint32) get (roi, second + SECOND_CHANNEL + 4 * i, 4), 0) - 1;
    selection->name = read_name (roi, get (roi, second + SECOND_NAME, 4), get (roi, second + SECOND_NAME + 4, 4));
    read_rest (roi, second, selection);
  }
  if (selection->channel < 0 && selection->slice < 0 && selection->frame < 0)
    selection->slice = MAX ((gint32) get (roi, AT_POSITION, 4), 0) - 1;
}

/* Whether it is a selection, and neither damaged nor something else. */
static gboolean
is_selection (const Roi *roi)
{
  const guint type = roi->bytes[AT_TYPE], subtype = get (roi, AT_SUBTYPE, 2);
  if (type >= G_N_ELEMENTS (shapes))
    return fail (roi, "is damaged: selection type %u does not exist.", type);
  if (shapes[type] < 0)
    return fail (roi, "is an empty selection.");
  if (type == ROI_BOX && !get (roi, AT_SHAPE_SIZE, 4) && (subtype == SUBTYPE_TEXT || subtype == SUBTYPE_IMAGE))
    return fail (roi, "is %s, not a selection.", subtype == SUBTYPE_TEXT ? "a text" : "an image");
  return TRUE;
}

Selection *
selection_from_roi (const guint8 *bytes, gsize size, char **fault)
{
  g_autoptr (GString) lost = g_string_new (NULL);
  const Roi roi = {bytes, size, fault, lost};
  *fault = NULL;
  if (size < 4 || memcmp (bytes, "Iout", 4)) {
    fail (&roi, "is not an ImageJ selection: it does not begin with 'Iout'.");
    return NULL;
  }
  if (size < HEADER) {
    fail (&roi, "is damaged: it ends within its header.");
    return NULL;
  }
  Selection *selection = is_selection (&roi) ? read_shape (&roi) : NULL;
  if (!selection)
    return NULL;
  if (!selection_is_area (selection))
    selection_move (selection, 0.5, 0.5);
  read_stroke (&roi, selection);
  read_second (&roi, selection);
  if (lost->len)
    *fault = g_strdup_printf ("loses its %s.", lost->str);
  return selection;
}

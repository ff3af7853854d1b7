/* SPDX-License-Identifier: MIT
 *
 * ImageJ's .roi format, versions 217 to 228, big-endian: 64 bytes of header, the coordinates as 16-bit integers from the
 * upper left corner of the bounds and, where they are fractions, again as floats, then a second header with the position
 * and the name. ImageJ counts lines and points from the centre of the first pixel, areas from its corner: lines and points
 * are moved by half a pixel. Facts as in ImageJ's class RoiDecoder and the Python package roifile.
 */
#include "core/selection/roi.h"

#include "core/selection/roi_layout.h"

#include <math.h>
#include <string.h>

/* By ImageJ's number: what it is to us, or its name when we have no such shape. */
static const struct {
  int shape;
  const char *refused;
} types[] = {
  {SELECTION_POLYGON, NULL},  {SELECTION_RECTANGLE, NULL}, {SELECTION_OVAL, NULL},
  {SELECTION_LINE, NULL},     {-1, "a freehand line"},     {-1, "a segmented line"},
  {-1, "an empty selection"}, {SELECTION_FREEHAND, NULL},  {SELECTION_TRACED, NULL},
  {-1, "an angle"},           {SELECTION_POINT, NULL},
};

typedef struct {
  const guint8 *bytes;
  gsize size;
  char **fault;
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
  if (n < (shape == SELECTION_POINT ? 1 : 3)) {
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
  return selection_new (shape, (guint) n, points);
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

/* Numbers from 1, where 0 says everywhere. A position without dimensions is that in a stack of slices. */
static void
read_second (const Roi *roi, Selection *selection)
{
  gsize second = get (roi, AT_SECOND, 4);
  gint64 *const places[] = {&selection->channel, &selection->slice, &selection->frame};
  if (second >= HEADER && second <= roi->size && roi->size - second >= SECOND_NAME + 8) {
    for (gsize i = 0; i < 3; i++)
      *places[i] = MAX ((gint32) get (roi, second + SECOND_CHANNEL + 4 * i, 4), 0) - 1;
    selection->name = read_name (roi, get (roi, second + SECOND_NAME, 4), get (roi, second + SECOND_NAME + 4, 4));
  }
  if (selection->channel < 0 && selection->slice < 0 && selection->frame < 0)
    selection->slice = MAX ((gint32) get (roi, AT_POSITION, 4), 0) - 1;
}

/* Whether it is one of our shapes, and not something more that they would not show. */
static gboolean
is_ours (const Roi *roi, guint type)
{
  guint subtype = get (roi, AT_SUBTYPE, 2);
  if (get (roi, AT_SHAPE_SIZE, 4))
    return fail (roi, "is a composite of several shapes, which cannot be read; split it in ImageJ "
                      "(More » Split in the ROI manager).");
  if (type >= G_N_ELEMENTS (types))
    return fail (roi, "is damaged: there is no selection type %u.", type);
  if (types[type].refused)
    return fail (roi, "is %s; only areas, straight lines and points can be read.", types[type].refused);
  if (types[type].shape == SELECTION_RECTANGLE && (subtype == SUBTYPE_TEXT || subtype == SUBTYPE_IMAGE))
    return fail (roi, "is %s, not a selection.", subtype == SUBTYPE_TEXT ? "a text" : "an image");
  if (types[type].shape == SELECTION_RECTANGLE && get (roi, AT_ARC, 2))
    return fail (roi, "is a rectangle with rounded corners, which cannot be read.");
  if (get (roi, AT_OPTIONS, 2) & SPLINE_FIT)
    return fail (roi, "is a fitted spline, which cannot be read; make it a polygon in ImageJ "
                      "(Edit » Selection » Interpolate).");
  return TRUE;
}

Selection *
selection_from_roi (const guint8 *bytes, gsize size, char **fault)
{
  Roi roi = {bytes, size, fault};
  g_autoptr (Selection) selection = NULL;
  SelectionShape shape;
  if (size < 4 || memcmp (bytes, "Iout", 4)) {
    fail (&roi, "is not an ImageJ selection: it does not begin with 'Iout'.");
    return NULL;
  }
  if (size < HEADER) {
    fail (&roi, "is damaged: it ends within its header.");
    return NULL;
  }
  if (!is_ours (&roi, bytes[AT_TYPE]))
    return NULL;
  shape = (SelectionShape) types[bytes[AT_TYPE]].shape;
  selection = shape == SELECTION_RECTANGLE || shape == SELECTION_OVAL || shape == SELECTION_LINE
                ? read_ends (&roi, shape)
                : read_points (&roi, shape);
  if (!selection)
    return NULL;
  if (!selection_is_area (selection))
    selection_move (selection, 0.5, 0.5);
  read_second (&roi, selection);
  return g_steal_pointer (&selection);
}

/* ---- Writing ---- */

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

static gint64
to_short (double number)
{
  return (gint64) CLAMP (number, LEAST_SHORT, G_MAXUINT16);
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
  if (!name || !n)
    return;
  put (bytes, second + SECOND_NAME, 4, (gint64) second + SECOND);
  put (bytes, second + SECOND_NAME + 4, 4, n);
  for (gsize i = 0; i < (gsize) n; i++)
    put (bytes, second + SECOND + 2 * i, 2, name[i]);
}

GBytes *
selection_to_roi (const Selection *selection)
{
  g_autoptr (Selection) moved = selection_copy (selection);
  GByteArray *bytes = g_byte_array_new ();
  gboolean whole, ends = selection->shape == SELECTION_LINE || selection->shape <= SELECTION_OVAL;
  guint8 type = 0;
  SelectionPoint low, high;
  if (!selection_is_area (moved))
    selection_move (moved, -0.5, -0.5);
  whole = is_whole (moved);
  while (types[type].shape != (int) moved->shape)
    type++;
  selection_bounds (moved, &low, &high);
  low = (SelectionPoint){floor (low.x), floor (low.y)};
  g_byte_array_append (bytes, (const guint8 *) "Iout", 4);
  put (bytes, AT_VERSION, 2, VERSION);
  put (bytes, AT_TYPE, 1, type);
  put (bytes, AT_BOUNDS, 2, to_short (low.y));
  put (bytes, AT_BOUNDS + 2, 2, to_short (low.x));
  put (bytes, AT_BOUNDS + 4, 2, to_short (ceil (high.y)));
  put (bytes, AT_BOUNDS + 6, 2, to_short (ceil (high.x)));
  put (bytes, AT_OPTIONS, 2, whole ? 0 : SUB_PIXEL);
  put (bytes, HEADER - 4, 4, 0);
  if (selection->shape == SELECTION_LINE || (ends && !whole))
    put_ends (bytes, moved);
  else if (!ends)
    put_points (bytes, moved, low, whole);
  put_second (bytes, selection);
  return g_byte_array_free_to_bytes (bytes);
}

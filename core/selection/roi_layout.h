/* SPDX-License-Identifier: MIT
 *
 * Where things are in ImageJ's .roi format, and its numbers, which are big-endian.
 */
#ifndef CORE_SELECTION_ROI_LAYOUT_H
#define CORE_SELECTION_ROI_LAYOUT_H

#include <glib.h>
#include <string.h>

enum { /* offsets in the header and, from HEADER on, in the second one */
       AT_VERSION = 4,
       AT_TYPE = 6,
       AT_BOUNDS = 8, /* top, left, bottom, right */
       AT_COUNT = 16,
       AT_FLOATS = 18,    /* of a line and an axis the ends, of a box with fractions x, y, width, height */
       AT_BIG_COUNT = 18, /* where the 16 bits of the count do not suffice and are 0 */
       AT_STROKE = 34,
       AT_SHAPE_SIZE = 36, /* words of a composite, from HEADER on: commands with their coordinates, as floats */
       AT_STROKE_COLOR = 40,
       AT_FILL = 44,
       AT_SUBTYPE = 48,
       AT_OPTIONS = 50,
       AT_PARAMETER = 52, /* a float: of an ellipse its aspect ratio, of a rotated rectangle its width */
       AT_ARC = 54,       /* of a rectangle with round corners their diameter */
       AT_POSITION = 56,
       AT_SECOND = 60,
       HEADER = 64,
       SECOND_CHANNEL = 4, /* and slice, frame */
       SECOND_NAME = 16,   /* where, and how many characters */
       SECOND_GROUP = 30,
       SECOND_STROKE = 36, /* a float */
       SECOND_PROPERTIES = 40,
       SECOND_PROPERTIES_LENGTH = 44,
       SECOND_COUNTERS = 48, /* of each point its counter and, above the lowest byte, its plane */
       SECOND = 64
};
enum {
  ROI_POLYGON,
  ROI_BOX,
  ROI_OVAL,
  ROI_LINE,
  ROI_FREE_LINE,
  ROI_LINES,
  ROI_NONE,
  ROI_FREEHAND,
  ROI_TRACED,
  ROI_ANGLE,
  ROI_POINTS
};
enum { PATH_MOVE, PATH_LINE, PATH_QUADRATIC, PATH_CUBIC, PATH_CLOSE };
#define VERSION 228
#define MIN_SHORT -5000
#define SPLINE_FIT 1
#define SUB_PIXEL 128
#define SUBTYPE_TEXT 1
#define SUBTYPE_ARROW 2
#define SUBTYPE_ELLIPSE 3
#define SUBTYPE_IMAGE 4
#define SUBTYPE_ROTATED 5

static inline guint32
roi_get (const guint8 *bytes, gsize at, int n)
{
  guint32 value = 0;
  while (n--)
    value = value << 8 | bytes[at++];
  return value;
}

static inline double
roi_get_float (const guint8 *bytes, gsize at)
{
  guint32 bits = roi_get (bytes, at, 4);
  float value;
  memcpy (&value, &bits, sizeof value);
  return value;
}

/* A coordinate: 16 bits that are signed from MIN_SHORT on and unsigned below, as ImageJ has them for images wider than 32 767. */
static inline int
roi_get_short (const guint8 *bytes, gsize at)
{
  const gint16 number = (gint16) roi_get (bytes, at, 2);
  return number < MIN_SHORT ? number + G_MAXUINT16 + 1 : number;
}

static inline void
roi_put (guint8 *bytes, gsize at, int n, gint64 value)
{
  while (n--) {
    bytes[at + (gsize) n] = (guint8) value;
    value >>= 8;
  }
}

static inline guint32
roi_float_bits (double number)
{
  float value = (float) number;
  guint32 bits;
  memcpy (&bits, &value, sizeof bits);
  return bits;
}

#endif

/* SPDX-License-Identifier: MIT
 *
 * A selection as the bytes of ImageJ's .roi format, moved to where its pixels are in another image. All else that the bytes say, such as
 * names, colors and widths of strokes, stays.
 */
#ifndef CORE_SELECTION_ROI_MOVE_H
#define CORE_SELECTION_ROI_MOVE_H

#include <glib.h>

/* How planes go on along an axis: number there = first + step * number here. */
typedef struct RoiPlanes {
  gboolean known;
  double first, step;
  gint64 before, after; /* how many there are, there and here */
} RoiPlanes;

typedef struct RoiMove {
  double x[3], y[3];    /* of the center of a pixel: x here = x[0] * x there + x[1] * y there + x[2] */
  gint64 columns, rows; /* of the image here */
  RoiPlanes planes[3];  /* channels, slices, frames */
} RoiMove;

/* NULL: its plane is missing here, it lies outside, or its shape became invalid, such as an oval rotated by 30 degrees. */
GBytes *roi_moved (GBytes *roi, const RoiMove *move);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Selections that ImageJ's files have as a few numbers and we as polygons, and these numbers of a polygon that still is such a shape.
 */
#ifndef CORE_SELECTION_ROI_SHAPES_H
#define CORE_SELECTION_ROI_SHAPES_H

#include "core/selection/selection.h"

/* The two ends of an axis; of a rotated rectangle how wide it is across, of an ellipse the ratio of its axes. */
typedef struct RoiAxis {
  SelectionPoint a, b;
  double wide;
} RoiAxis;

Selection *roi_rotated (const RoiAxis *axis);
Selection *roi_ellipse (const RoiAxis *axis);
/* box: a rectangle. diameter: of its corners, above 0. */
Selection *roi_rounded (const Selection *box, double diameter);
/* ImageJ's spline through the corners of a polygon or an open path: as many points as ImageJ takes. */
Selection *roi_spline (const Selection *nodes);
/* The polygons of a composite from its `n` words. NULL with *fault, the end of a sentence about the file. *curves: whether some sides were curves. */
Selection *roi_composite (const float *words, gsize n, gboolean *curves, char **fault);

/* FALSE: it was deformed. */
gboolean roi_rotated_axis (const Selection *rotated, RoiAxis *axis);
gboolean roi_ellipse_axis (const Selection *ellipse, RoiAxis *axis);
/* 0: it was deformed. */
int roi_rounded_diameter (const Selection *rounded);

#endif

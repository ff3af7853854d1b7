/* SPDX-License-Identifier: MIT
 *
 * All outlines of one object of a label image.
 */
#ifndef CORE_MEASURE_OBJECT_SHAPE_H
#define CORE_MEASURE_OBJECT_SHAPE_H

#include "core/selection/selection.h"

/* labels: the box of the object, height × width with rows `stride` apart; it has at least one pixel. corner: of that box in the image. A traced
 * outline, or a composite of several: those of parts and of holes. */
Selection *object_shape_trace (const gint32 *labels, gint64 stride, gint64 width, gint64 height, gint32 label,
                               SelectionPoint corner);

#endif

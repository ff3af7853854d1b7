/* SPDX-License-Identifier: MIT
 *
 * Objects as selections: their outlines along the edges of pixels.
 */
#ifndef CORE_MEASURE_OBJECT_OUTLINES_H
#define CORE_MEASURE_OBJECT_OUTLINES_H

#include "core/data/image.h"

/* One (element-type Selection) for each object of each plane, in the order of their labels, named as ImageJ's Analyze Particles names them: slice of a stack,
 * number, middle. What is not connected with an object's first pixel is left out. image: labels without large gaps, on the host. Any thread.
 * NULL with *error. */
GPtrArray *object_outlines (Image *image, GError **error);
/* The same with exactly the pixels of each object: with its holes, and with all of its parts. Parts that touch at corners alone are separate polygons,
 * so that no outline touches itself. */
GPtrArray *object_shapes (Image *image, GError **error);

#endif

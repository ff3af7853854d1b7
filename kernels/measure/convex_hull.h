/* SPDX-License-Identifier: MIT
 *
 * convex_hull: out(p) = 255 where the center of p lies in a convex hull or on its edge, else 0. Hulls are those of the connected objects of a plane,
 * or the one of all its foreground. A hull is that of the middles of the four sides of the pixels.
 * Reference: skimage.morphology.convex_hull_object, convex_hull_image.
 */
#ifndef KERNELS_MEASURE_CONVEX_HULL_H
#define KERNELS_MEASURE_CONVEX_HULL_H

#include "kernels/label/label_image.h"

typedef enum convex_hull_method { CONVEX_HULL_OBJECTS, CONVEX_HULL_ALL } convex_hull_method;

typedef struct convex_hull_args {
  int32_t method;       /* convex_hull_method */
  int32_t connectivity; /* label_connectivity */
} convex_hull_args;

#ifdef __cplusplus
extern "C" {
#endif

/* How objects are labeled. */
label_args convex_hull_labels (const void *args);
fv_status convex_hull_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

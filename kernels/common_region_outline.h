/* SPDX-License-Identifier: MIT
 *
 * What the border of an object tells: Euler number, three perimeters, holes.
 */
#ifndef KERNELS_COMMON_REGION_OUTLINE_H
#define KERNELS_COMMON_REGION_OUTLINE_H

#include "common_regions.h"

/* Objects minus holes, by 2x2 (2x2x2) patterns; the object is 8-connected (26-connected). In a plane also the Crofton
 * perimeter from four directions, in pixels. */
typedef struct region_patterns {
  int64_t euler;
  double crofton;
} region_patterns;
region_patterns region_patterns_plane (const region *o);
int64_t region_euler_volume (const region *o);

/* Length of the line through the centres of the object's 4-connected border pixels, in pixels (Benkrid and Crookes).
 * border: 3 * region_border_runs (widest box) runs to work in. */
double region_perimeter (const region *o, run *border);
static inline int64_t
region_border_runs (int64_t columns)
{
  return columns / 2 + 2;
}

/* Pixels of the object and of its holes, which are what the background outside the bounding box does not reach by
 * steps to the 8 (26) neighbours. link: n_runs items to work in. */
int64_t region_filled (const region *o, bool volume, int32_t *link);

/* ImageJ's perimeter: the traced outer outlines of the object's 8-connected parts, with corners cut. */
double region_traced_perimeter (const region *o, const fv_array *labels, double dy, double dx, int32_t *link);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Kept stars as shapes on the device: how bright they are beside their surroundings, and the seeds and mask of the watershed.
 */
#ifndef KERNELS_NETWORK_SEGMENT_SHAPES_H
#define KERNELS_NETWORK_SEGMENT_SHAPES_H

#include "kernels/network/segment_passes.h"

/* Memory on the device, all 0 at first. */
typedef struct segment_shapes {
  segment_shape *shapes;
  segment_sums *sums;
  int64_t size;
} segment_shapes;

/* The contrast of an object is how far its mean lies above that of the background around it. Of *n kept stars of a plane, those stay whose contrast is at
 * least the part `least` of the median of all, and those without a background around them. The mask has its bit 0 alone, the foreground. */
fv_status segment_shapes_keep (segment_shapes *s, const fv_call *call, const segment_passes *passes,
                               const segment_plane *plane, const segment_maps *maps, double least, star_kept *kept,
                               int64_t *n, fv_error *error);

/* Sorts the values; 0 without any. */
double segment_median (double *values, int64_t n);

/* How the two polygons of a shape lie to the star's outline: its distances times these, and so many pixels more. */
typedef struct segment_sizes {
  double seed, reach, more; /* more: of reach */
} segment_sizes;

/* Seeds and mask of n kept stars at that scale, numbered by their centers from the top left to the bottom right. */
fv_status segment_shapes_paint (segment_shapes *s, const fv_call *call, const segment_passes *passes, double scale,
                                const segment_sizes *to, const segment_maps *maps, const star_kept *kept, int64_t n,
                                fv_error *error);

#endif

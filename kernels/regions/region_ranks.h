/* SPDX-License-Identifier: MIT
 *
 * Median and mode of the intensities of each object.
 */
#ifndef KERNELS_REGIONS_REGION_RANKS_H
#define KERNELS_REGIONS_REGION_RANKS_H

#include "kernels/regions/regions.h"

typedef struct region_ranks {
  double median;       /* of an even number: the mean of the middle two, as NumPy has it */
  double upper_median; /* integers: the upper one of the middle two (ImageJ); floats: the median */
  double mode; /* integers: the most frequent value, the smallest of several; floats: the middle of the fullest of 256
                * bins over the range */
} region_ranks;

/* range: minimum and maximum of region i at range[2 * first[i]]. NaN among the values makes all NaN. */
fv_status region_ranks_of (const fv_call *call, const regions *r, const fv_array *image, int64_t first_plane,
                           const double *range, const int64_t *first, region_ranks *ranks, fv_error *error);

#endif

/* SPDX-License-Identifier: MIT
 *
 * profile: the values along a line, or one part after the other along a line that turns corners. Each part has the samples of sampled_line.h;
 * a corner is a sample of the part that ends there and is not repeated. Distances are added up from part to part, in the image's
 * unit. Reference: skimage.measure.profile_line with mode nearest; scipy.ndimage.map_coordinates of order 1.
 */
#ifndef KERNELS_MEASURE_PROFILE_H
#define KERNELS_MEASURE_PROFILE_H

#include "kernels/measure/sampled_line.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct profile_args {
  fv_matrix points; /* rows: x y */
  int32_t width;
} profile_args;

enum { PROFILE_PARTS = FV_MATRIX_MAX / 2 - 1 };

/* `corner` is the sample where the part begins, the one before its own. */
typedef struct profile_part {
  sampled_line line;
  int64_t corner;
  double distance, step; /* of the corner, and from sample to sample */
} profile_part;

/* All parts, at most PROFILE_PARTS; how many samples they have. */
int profile_parts (const profile_args *args, const fv_grid *image, profile_part *parts, int64_t *samples);

/* The part of sample i: the last one that begins before it. The first sample belongs to the first part. */
INLINE int
profile_part_at (const profile_part *parts, int n, int64_t i)
{
  int low = 0;
  for (int high = n; high - low > 1;) {
    const int middle = (low + high) / 2;
    if (parts[middle].corner < i)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* The table, from the values of all samples of plane after plane. */
fv_status profile_table (const fv_call *call, const profile_part *parts, int n, const double *values, fv_error *error);

fv_status profile_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * radial_profile: number, mean and standard deviation sqrt (sum (v - mean)^2 / n) of the pixels that count in each ring about a point: ring k
 * has those whose distance d from it is k width <= d < (k + 1) width. Distances are in pixels' widths: where pixels are higher than wide,
 * a row is more than one away from the next.
 */
#ifndef KERNELS_MEASURE_RADIAL_PROFILE_H
#define KERNELS_MEASURE_RADIAL_PROFILE_H

#include "kernels/measure/pixel_sums.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RADIAL_IMAGE, RADIAL_MASK }; /* inputs */
typedef enum radial_center { RADIAL_MIDDLE, RADIAL_POINT } radial_center;

typedef struct radial_profile_args {
  int32_t center; /* radial_center */
  double x, y, width, radius;
} radial_profile_args;

typedef struct radial_rings {
  double x, y, higher, width; /* higher: height of a pixel, in widths */
  int64_t n;                  /* rings */
} radial_rings;

/* Of a plane's ring. */
typedef struct radial_ring {
  double n, mean, squares; /* squares: about the mean */
} radial_ring;

radial_rings radial_rings_of (const radial_profile_args *args, const fv_grid *image);

/* As it is rounded on every device. */
INLINE double
radial_square_sum (double a, double b)
{
#ifdef __CUDA_ARCH__
  return __dadd_rn (__dmul_rn (a, a), __dmul_rn (b, b));
#else
  return a * a + b * b;
#endif
}

/* n or more: outside of all rings. */
INLINE int32_t
radial_ring_at (const radial_rings *r, int64_t y, int64_t x)
{
  const double k = sqrt (radial_square_sum ((double) x - r->x, ((double) y - r->y) * r->higher)) / r->width;
  return k < (double) r->n ? (int32_t) k : (int32_t) r->n;
}

/* The table, from the rings of all planes. */
fv_status radial_profile_table (const fv_call *call, const radial_ring *rings, fv_error *error);

fv_status radial_profile_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

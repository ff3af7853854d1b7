/* SPDX-License-Identifier: MIT
 *
 * radial_profile: number, mean and standard deviation sqrt (sum (v - mean)^2 / n) of the pixels that count in each ring about a point. Ring k has
 * those whose distance d from it is k width <= d < (k + 1) width. Distances are in pixels' widths: where pixels are higher than wide, a row is more
 * than one away from the next.
 */
#ifndef KERNELS_MEASURE_RADIAL_PROFILE_H
#define KERNELS_MEASURE_RADIAL_PROFILE_H

#include "kernels/common/exact.h"
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

/* What a pass adds up of a ring: values or, the second time, squares of distances from the mean, as exact.h has them. */
typedef struct radial_sum {
  int64_t n, high, low;
} radial_sum;

/* What values of a plane, and distances between them, are multiplied by to be added up. */
typedef struct radial_scale {
  double value, distance;
} radial_scale;

/* Whether the scale depends on the pixels. */
INLINE bool
radial_needs_range (fv_type type)
{
  return type != FV_U8 && type != FV_U16;
}

/* low, high: of the pixels of the plane that count, or of the type; high is less where none does. */
INLINE radial_scale
radial_scale_of (fv_type type, double low, double high)
{
  const double most = fabs (low) > fabs (high) ? fabs (low) : fabs (high);
  const double half = exact_scale (high / 2 - low / 2, EXACT_BITS / 2);
  const radial_scale scale = {type & FV_FLOATS ? exact_scale (most, EXACT_BITS) : 1, half / 2};
  return scale;
}

INLINE radial_sum
radial_sum_of (const radial_scale *scale, const radial_ring *ring, bool squares, double v)
{
  const double d = squares ? (v - ring->mean) * scale->distance : 0;
  radial_sum sum;
  sum.n = 1;
  exact_parts (squares ? d * d : v, squares ? 1 : scale->value, &sum.high, &sum.low);
  return sum;
}

/* After a pass. */
INLINE void
radial_take (radial_ring *ring, const radial_sum *sum, const radial_scale *scale, bool squares)
{
  const double all = exact_sum (sum->high, sum->low);
  if (squares)
    ring->squares = all / scale->distance / scale->distance;
  else {
    ring->n = (double) sum->n;
    ring->mean = all / scale->value / ring->n;
    ring->squares = 0;
  }
}

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

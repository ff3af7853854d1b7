/* SPDX-License-Identifier: MIT
 *
 * gaussian: one pass along each axis, out(i) = sum over k = -r ... r of w(k) in(i + k), with
 * w(k) = exp (-k^2 / (2 sigma^2)), scaled to the sum 1, and r = floor (truncate sigma + 1/2).
 * Border: as the argument says. NaN: every window that contains one gives NaN.
 * Reference: scipy.ndimage.gaussian_filter.
 */
#ifndef KERNELS_FILTERS_GAUSSIAN_H
#define KERNELS_FILTERS_GAUSSIAN_H

#include "kernels/common/common.h"

typedef enum gaussian_units { GAUSSIAN_PIXEL, GAUSSIAN_PHYSICAL } gaussian_units;
typedef enum gaussian_output { GAUSSIAN_FLOAT, GAUSSIAN_SAME } gaussian_output;

typedef struct gaussian_args {
  fv_axes sigma; /* z is used with volume only */
  int32_t units;
  double truncate;
  int32_t border;
  double value; /* outside, with BORDER_CONSTANT */
  int32_t output;
  bool volume;
} gaussian_args;

#define GAUSSIAN_MAX_RADIUS 100000

/* Standard deviation in pixels along axis 0 (z), 1 (y) or 2 (x). */
static inline double
gaussian_sigma (const gaussian_args *a, const fv_grid *in, int axis)
{
  int at = a->sigma.n == 1 ? 0 : axis - 3 + a->sigma.n;
  if (at < 0 || (axis == 0 && !a->volume))
    return 0;
  return a->units == GAUSSIAN_PHYSICAL ? a->sigma.v[at] / in->spacing[axis] : a->sigma.v[at];
}

static inline int64_t
gaussian_radius (const gaussian_args *a, const fv_grid *in, int axis)
{
  double reach = a->truncate * gaussian_sigma (a, in, axis) + 0.5;
  return reach < GAUSSIAN_MAX_RADIUS + 1 ? (int64_t) reach : GAUSSIAN_MAX_RADIUS + 1;
}

enum { GAUSSIAN_FLOAT_RADIUS = 1000 }; /* longer sums of floats lose the sixth digit */

/* Float, or double where float would lose digits of the input or of the sums. */
static inline fv_type
gaussian_working_type (const gaussian_args *a, const fv_grid *in)
{
  bool wide = in->type == FV_I32 || in->type == FV_F64;
  for (int i = 0; i < 3; i++)
    wide = wide || gaussian_radius (a, in, i) > GAUSSIAN_FLOAT_RADIUS;
  return wide ? FV_F64 : FV_F32;
}

/* w[0 ... radius], the centre first. */
static inline void
gaussian_weights (double *w, int64_t radius, double sigma)
{
  double sum = 1;
  w[0] = 1;
  for (int64_t k = 1; k <= radius; k++)
    sum += 2 * (w[k] = exp (-0.5 / (sigma * sigma) * (double) k * (double) k));
  for (int64_t k = 0; k <= radius; k++)
    w[k] /= sum;
}

#ifdef __cplusplus
extern "C" {
#endif

fv_status gaussian_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * gaussian: one pass along each axis, out(i) = sum over k = -r ... r of w(k) in(i + k), with
 * w(k) = exp (-k^2 / (2 sigma^2)), scaled to the sum 1, and r = floor (truncate sigma + 1/2).
 * Operations that are made of it may have derivatives along axes, with k / sigma^2 w(k) or (k^2 / sigma^4 - 1 / sigma^2) w(k) in place of w(k).
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
  int32_t order[3]; /* of the derivative along each axis, 0 ... 2; no parameter, but for operations that use this one */
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

/* Whether there is anything to do along z. */
static inline bool
gaussian_along_z (const gaussian_args *a, const fv_grid *in)
{
  return gaussian_radius (a, in, 0) > 0 || a->order[0];
}

enum { GAUSSIAN_FLOAT_RADIUS = 1000 }; /* longer sums of floats lose the sixth digit */

/* Float, or double where float would lose digits of the input or of the sums, as it does where these nearly cancel. */
static inline fv_type
gaussian_working_type (const gaussian_args *a, const fv_grid *in)
{
  bool wide = in->type == FV_I32 || in->type == FV_F64;
  for (int i = 0; i < 3; i++)
    wide = wide || gaussian_radius (a, in, i) > GAUSSIAN_FLOAT_RADIUS || a->order[i];
  return wide ? FV_F64 : FV_F32;
}

/* What makes the weight at k that of a derivative. */
INLINE double
gaussian_derivative (int32_t order, double k, double sigma)
{
  double v = sigma * sigma;
  return order == 0 ? 1 : order == 1 ? k / v : (k * k / v - 1) / v;
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

/* What a pass along that axis makes of a constant: the sum of its weights. */
static inline double
gaussian_gain (const gaussian_args *a, const fv_grid *in, int axis)
{
  double sigma = gaussian_sigma (a, in, axis), sum = 1,
         derivative = a->order[axis] == 2 ? gaussian_derivative (2, 0, sigma) : 0;
  if (a->order[axis] == 0)
    return 1;
  for (int64_t k = 1; k <= gaussian_radius (a, in, axis); k++) {
    double w = 2 * exp (-0.5 / (sigma * sigma) * (double) k * (double) k);
    sum += w;
    derivative += a->order[axis] == 2 ? w * gaussian_derivative (2, (double) k, sigma) : 0;
  }
  return derivative / sum;
}

#ifdef __cplusplus
extern "C" {
#endif

fv_status gaussian_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

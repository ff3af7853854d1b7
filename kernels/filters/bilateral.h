/* SPDX-License-Identifier: MIT
 *
 * bilateral: out(p) = the sum of w(q) in(q) over the sum of w(q). Pixels q are the square of r pixels around p, r = ceil (3 sigma) and at
 * least 2. Weights are w(q) = exp (-|p - q|^2 / (2 sigma^2) - (in(p) - in(q))^2 / (2 sigma_range^2)). Planes by themselves.
 * Border: as the argument says. NaN and infinities spoil every square that contains one.
 * Reference: skimage.restoration.denoise_bilateral.
 */
#ifndef KERNELS_FILTERS_BILATERAL_H
#define KERNELS_FILTERS_BILATERAL_H

#include "kernels/common/exp.h"
#include "kernels/filters/stencil.h"

typedef enum bilateral_output { BILATERAL_FLOAT, BILATERAL_SAME } bilateral_output;

typedef struct bilateral_args {
  stencil_args around; /* first: the parameters of stencils find theirs */
  double sigma, sigma_range;
  int32_t output;
} bilateral_args;

/* The weight is exp (space (x^2 + y^2) + range d^2). */
typedef struct bilateral_rule {
  int64_t reach;
  double space, range;
} bilateral_rule;

INLINE bilateral_rule
bilateral_make_rule (const bilateral_args *a)
{
  bilateral_rule r = {(int64_t) ceil (3 * a->sigma), -0.5 / (a->sigma * a->sigma),
                      -0.5 / (a->sigma_range * a->sigma_range)};
  r.reach = r.reach < 2 ? 2 : r.reach;
  return r;
}

#ifdef __cplusplus
extern "C" {
#endif

fv_status bilateral_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * nlmeans: out(p) = the sum of w(t) in(p + t) over the sum of w(t), over all shifts t of at most `distance` pixels along each axis, with w(t) = exp (-max (D, 0)) and D the
 * mean, over h^2, of (in(p + o) - in(p + t + o))^2 - 2 sigma^2 over a patch of side s (made odd) of offsets o, r = (s - 1) / 2. Planes by themselves.
 * fast: D is the sum over r - s + 2 ... r along each axis, over s^2 h^2; above 5 the weight is 0.
 * exact: D has weights exp (-|o|^2 / (2 a^2)), a = (s - 1) / 4, whose sum is 1; the weight is 0 where D is more than 5 before its last row.
 * Border: mirror. NaN and infinities spoil what is within distance + r of them.
 * Reference: skimage.restoration.denoise_nl_means, whose exponential is off by some percent, and whose exact form looks for no patch outside the image.
 */
#ifndef KERNELS_FILTERS_NLMEANS_H
#define KERNELS_FILTERS_NLMEANS_H

#include "kernels/common/exp.h"
#include "kernels/filters/stencil.h"

enum { NLMEANS_PATCH_MAX = 21, NLMEANS_DISTANCE_MAX = 50 };

typedef enum nlmeans_method { NLMEANS_FAST, NLMEANS_EXACT } nlmeans_method;
typedef enum nlmeans_output { NLMEANS_FLOAT, NLMEANS_SAME } nlmeans_output;

typedef struct nlmeans_args {
  int32_t patch_size, patch_distance;
  double h, sigma;
  int32_t method, output;
} nlmeans_args;

typedef struct nlmeans_rule {
  int32_t method, reach, distance;                                      /* reach of a patch */
  double noise;                                                         /* 2 sigma^2 */
  double share;                                                         /* fast: by which sums become D */
  double weights[NLMEANS_PATCH_MAX / 2 + 1][NLMEANS_PATCH_MAX / 2 + 1]; /* exact: by |y|, |x| */
} nlmeans_rule;

static inline nlmeans_rule
nlmeans_make_rule (const nlmeans_args *args)
{
  const int reach = args->patch_size / 2, side = 2 * reach + 1;
  const double h2 = args->h * args->h, a = (side - 1) / 4.0;
  nlmeans_rule r = {args->method,           reach, args->patch_distance, 2 * args->sigma * args->sigma,
                    1 / (h2 * side * side), {{0}}};
  double sum = 0;
  for (int y = -reach; y <= reach; y++)
    for (int x = -reach; x <= reach; x++)
      sum += exp (-(x * x + y * y) / (2 * a * a));
  for (int y = 0; y <= reach; y++)
    for (int x = 0; x <= reach; x++)
      r.weights[y][x] = exp (-(x * x + y * y) / (2 * a * a)) / (sum * h2);
  return r;
}

#ifdef __cplusplus
extern "C" {
#endif

fv_status nlmeans_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * The arguments of nlmeans, and what both devices derive from them.
 */
#ifndef KERNELS_FILTERS_NLMEANS_ARGS_H
#define KERNELS_FILTERS_NLMEANS_ARGS_H

#include "kernels/common/common.h"

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

#endif

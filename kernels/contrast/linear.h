/* SPDX-License-Identifier: MIT
 *
 * What contrast and normalize share: out = (v - low) / (high - low), times the largest value of an integer type. `low` and `high` are found in each
 * plane, stack or series: saturated or as percentiles (ranks.h), the smallest and the largest value, or the mean and what is a standard deviation more.
 * Limited to 0 ... 1 where it is asked for; integers are cut to whole, as ImageJ and scikit-image cut them. NaN stays; NaN and infinities
 * are left out of what is found. Where low is high, or nothing is finite, values above become 1 and others 0, without limits all 0.
 * References: ij.plugin.ContrastEnhancer, skimage.exposure.rescale_intensity, numpy.percentile.
 */
#ifndef KERNELS_CONTRAST_LINEAR_H
#define KERNELS_CONTRAST_LINEAR_H

#include "kernels/common/exact.h"
#include "kernels/contrast/full.h"
#include "kernels/contrast/ranks.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum linear_over { LINEAR_PLANE, LINEAR_STACK, LINEAR_SERIES } linear_over;
typedef enum linear_method { LINEAR_RANGE, LINEAR_PERCENTILE, LINEAR_ZSCORE, LINEAR_SATURATED } linear_method;

typedef struct contrast_args {
  double saturated;
  int32_t over, output;
} contrast_args;

typedef struct normalize_args {
  int32_t method; /* linear_method, but the last */
  double low, high;
  bool clip;
  int32_t over;
} normalize_args;

/* The arguments of either: contrast has its `user` set. */
typedef struct linear_rule {
  linear_method method;
  ranks_rule ranks;
  bool clip;
  linear_over over;
} linear_rule;

typedef struct linear_map {
  double low, width, full;
  bool clip;
} linear_map;

linear_rule linear_rule_of (const fv_op *op, const void *args);

static inline linear_map
linear_map_of (const linear_rule *r, const double limits[2], fv_type type)
{
  linear_map m = {limits[0], limits[1] - limits[0], full_of (type), r->clip};
  return m;
}

/* Before it is cut to whole. Of v - low = 0 and no width 0 / 0 is made 0. */
INLINE double
linear_value (double v, const linear_map *m)
{
  double part = (v - m->low) / m->width;
  if (m->clip) {
    part = part > 0 ? part : 0;
    part = part < 1 ? part : 1;
  } else
    part = m->width > 0 ? part : 0;
  return v == v ? part * m->full : v;
}

/* Of finite pixels: how many, and the sum of d or d^2 (exact.h), of mean and deviation. */
typedef struct linear_sum {
  int64_t n;
  exact_total sum;
} linear_sum;

INLINE linear_sum
linear_join (linear_sum a, linear_sum b)
{
  a.n += b.n;
  a.sum = exact_join (a.sum, b.sum);
  return a;
}

INLINE double
linear_deviation_of (const exact_about *mean, const linear_sum *squares)
{
  return sqrt (exact_value (squares->sum) / mean->square / (double) squares->n) / mean->unit;
}

#define LINEAR_OVERS                                                                                                   \
  (const fv_choice[])                                                                                                  \
  {                                                                                                                    \
    {"plane", "Each plane", "Each slice, channel and frame by itself."},                                               \
      {"stack", "Each stack", "All slices of a channel and a frame together."},                                        \
      {"series", "The whole image", "All slices, channels and frames together."},                                      \
    {                                                                                                                  \
      0                                                                                                                \
    }                                                                                                                  \
  }
#define LINEAR_SCALARS                                                                                                 \
  (const fv_scalar[])                                                                                                  \
  {                                                                                                                    \
    {"low", "Low", "The value that becomes 0.", FV_COLUMN_FLOAT},                                                      \
      {"high", "High", "The value that becomes 1 of a float, or the largest of the type.", FV_COLUMN_FLOAT},           \
    {                                                                                                                  \
      0                                                                                                                \
    }                                                                                                                  \
  }

static inline fv_grain
linear_grain_of (int32_t over)
{
  return over == LINEAR_PLANE ? FV_PLANES : over == LINEAR_STACK ? FV_STACK : FV_SERIES;
}

fv_status linear_cpu (const fv_call *call, fv_error *error);
fv_status linear_cuda (const fv_call *call, fv_error *error);
int64_t linear_scratch (const fv_op *op, const void *args, const fv_grid *const *in);

#ifdef __cplusplus
}
#endif

#endif

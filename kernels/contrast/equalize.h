/* SPDX-License-Identifier: MIT
 *
 * equalize: out = the share of pixels that are at most v, in each plane, stack or series, times the largest value of an integer type, rounded to nearest.
 * Of 8 and 16 bits, and of 32-bit integers that span at most 65536 values, each value counts; of others bins (histogram.h), and between
 * their centers the share is interpolated linearly. An image of one value becomes 1. NaN stays and is not counted, nor are infinities, the lowest and the
 * highest values.
 * Reference: skimage.exposure.equalize_hist.
 */
#ifndef KERNELS_CONTRAST_EQUALIZE_H
#define KERNELS_CONTRAST_EQUALIZE_H

#include "kernels/common/histogram.h"
#include "kernels/contrast/full.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { EQUALIZE_LIMIT = 65536 };

typedef struct equalize_args {
  int32_t over; /* linear_over */
  int32_t bins, output;
} equalize_args;

typedef struct equalize_table {
  bool exact;        /* bin i is the value low + i */
  double low, scale; /* scale: of the centers */
  int64_t bins;      /* 1: one value, or none */
  const double *centers, *shares;
  double full; /* what a share of 1 becomes */
} equalize_table;

INLINE double
equalize_share (double v, const equalize_table *t)
{
  const int64_t last = t->bins - 1;
  const double *at = t->centers, x = v * t->scale;
  double i = v - t->low;
  if (v != v)
    return v;
  if (t->exact || last == 0) {
    i = i > 0 ? i : 0;
    return t->shares[i < (double) last ? (int64_t) i : last];
  }
  if (!(x > at[0]))
    return t->shares[0];
  if (x >= at[last])
    return t->shares[last];
  int64_t k = (int64_t) ((x - at[0]) / (at[last] - at[0]) * (double) last);
  k = k < last ? k : last - 1;
  return t->shares[k] + (t->shares[k + 1] - t->shares[k]) * ((x - at[k]) / (at[k + 1] - at[k]));
}

INLINE double
equalize_value (double v, const equalize_table *t)
{
  return equalize_share (v, t) * t->full;
}

fv_status equalize_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

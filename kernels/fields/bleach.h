/* SPDX-License-Identifier: MIT
 *
 * bleach: brings the frames of a series, or the slices of a stack, to one brightness, each channel on its own. M(t) is the mean of the
 * finite pixels of frame t, less the background B.
 * ratio: (v - B) M(r) / M(t), where r is the first frame whose M is above 0.
 * exponential: (v - B) f(0) / f(t), where f(t) = a e^(-b t) + c with b > 0 fits M(t) by least squares. Linear equations give a and c for
 * each b that is tried. A factor that is not positive becomes 1. Both are rounded and clamped.
 * histogram: of 8- and 16-bit images; v becomes the value below or at which the first frame has as many pixels as frame t below or at v, in
 * between along straight lines, rounded. NaN stays.
 * References: scikit-image, exposure.match_histograms; K. Miura, Bleach correction ImageJ plugin for compensating the photobleaching of
 * time-lapse sequences, F1000Research 9 (2020), 1494.
 */
#ifndef KERNELS_FIELDS_BLEACH_H
#define KERNELS_FIELDS_BLEACH_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bleach_method { BLEACH_RATIO, BLEACH_EXPONENTIAL, BLEACH_HISTOGRAM } bleach_method;
typedef enum bleach_axis { BLEACH_FRAMES, BLEACH_SLICES } bleach_axis;

typedef struct bleach_args {
  int32_t method, axis;
  double background;
} bleach_args;

/* Groups are what is corrected on its own: channels. Part i, with the planes from i * depth on, is of frame i / groups and of group
 * i % groups. */
typedef struct bleach_plan {
  int64_t frames, groups, depth;
} bleach_plan;

/* Of the finite pixels of a part. */
typedef struct bleach_sum {
  double count, sum;
} bleach_sum;

bleach_plan bleach_plan_of (const bleach_args *args, const fv_grid *in);
/* The factor of each part; `frames` is memory for as many numbers. */
void bleach_factors (const bleach_args *args, const bleach_plan *plan, const bleach_sum *sums, double *frames,
                     double *factors);
fv_status bleach_cuda (const fv_call *call, fv_error *error);

/* The index of the first number above v, among `levels` that never fall. */
INLINE int64_t
bleach_above (const int64_t *numbers, int64_t levels, int64_t v)
{
  int64_t low = 0, high = levels;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (numbers[middle] > v)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* What a value becomes at or below which are `upto` pixels; the first frame has upto_first[w] at or below w. */
INLINE double
bleach_matched (const int64_t *upto_first, int64_t levels, int64_t upto)
{
  const int64_t after = bleach_above (upto_first, levels, upto), share = after ? upto_first[after - 1] : 0;
  if (share == 0)
    return (double) after;
  const int64_t before = bleach_above (upto_first, levels, share - 1);
  if (after == levels)
    return (double) before;
  return (double) before + (double) (after - before) / (double) (upto_first[after] - share) * (double) (upto - share);
}

#ifdef __cplusplus
}
#endif

#endif

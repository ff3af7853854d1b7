/* SPDX-License-Identifier: MIT
 *
 * histogram: how many pixels of each channel have values in each of `bins` bins of equal width from low to high. They are the bins of
 * numpy.histogram, in double: edge (i) = low + i * ((high - low) / bins), edge (i) <= v < edge (i + 1), the last bin closed. Pixels count that are
 * finite and inside the mask. An end that is not given is the smallest or the largest value; where these are one, half of 1 on each side.
 */
#ifndef KERNELS_MEASURE_HISTOGRAM_H
#define KERNELS_MEASURE_HISTOGRAM_H

#include "kernels/measure/pixel_sums.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HISTOGRAM_IMAGE, HISTOGRAM_MASK }; /* inputs */

typedef struct histogram_args {
  int32_t bins;
  double low, high; /* infinite: not given */
} histogram_args;

/* Of a channel. */
typedef struct histogram_range {
  double low, high, step;
  int64_t bins;
} histogram_range;

/* least, most: of the pixels; infinite where there are none. */
INLINE histogram_range
histogram_range_of (const histogram_args *a, double least, double most)
{
  histogram_range r = {a->low, a->high, 0, a->bins};
  if (least > most) {
    least = isfinite (a->high) ? a->high - 1 : 0;
    most = isfinite (a->low) ? a->low + 1 : 1;
  }
  if (!isfinite (r.low))
    r.low = isfinite (a->high) && least > a->high ? a->high : least;
  if (!isfinite (r.high))
    r.high = most < r.low ? r.low : most;
  if (r.low == r.high) {
    r.low -= 0.5;
    r.high += 0.5;
  }
  r.step = (r.high / 2 - r.low / 2) / (double) r.bins * 2;
  return r;
}

/* As it is rounded on every device. */
INLINE double
histogram_edge (const histogram_range *r, int64_t i)
{
#ifdef __CUDA_ARCH__
  return __dadd_rn (__dmul_rn ((double) i, r->step), r->low);
#else
  return (double) i * r->step + r->low;
#endif
}

/* The bin of a value, or -1. The quotient may be off by one next to an edge: the edges decide. */
INLINE int64_t
histogram_bin (const histogram_range *r, double v)
{
  if (!(v >= r->low && v <= r->high))
    return -1;
  int64_t k = (int64_t) ((v / 2 - r->low / 2) / (r->high / 2 - r->low / 2) * (double) r->bins);
  k = k < r->bins ? k : r->bins - 1;
  if (k > 0 && v < histogram_edge (r, k))
    k--;
  else if (k + 1 < r->bins && v >= histogram_edge (r, k + 1))
    k++;
  return k;
}

/* The range of a channel; meaningless when p->stop. */
histogram_range histogram_find_range (const fv_array *image, const fv_array *mask, const histogram_args *args,
                                      int64_t channel, progress *p);
/* Those of all channels, in memory of the device. */
fv_status histogram_find_ranges_cuda (const fv_call *call, const fv_array *image, const fv_array *mask,
                                      const histogram_args *args, histogram_range *ranges, fv_error *error);

/* The table, from the ranges of the channels and their counts, [channels][bins]. */
fv_status histogram_table (const fv_call *call, const histogram_range *ranges, const uint64_t *counts, fv_error *error);

fv_status histogram_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

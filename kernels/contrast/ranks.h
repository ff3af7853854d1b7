/* SPDX-License-Identifier: MIT
 *
 * Values of pixels by rank, exactly, of whichever type: keys in the order of the values, found digit by digit. NaN and infinities are
 * left out.
 */
#ifndef KERNELS_CONTRAST_RANKS_H
#define KERNELS_CONTRAST_RANKS_H

#include "kernels/common/histogram.h"
#include "kernels/common/keys.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RANKS_MAX = 4 };

/* Two limits of n pixels in order. saturated: so many percent lie outside, half of them below: the pixels at n saturated / 200, cut to whole, from either
 * end. Else the percentiles `low` and `high`, between two pixels in proportion, as numpy.percentile. */
typedef struct ranks_rule {
  bool saturated;
  double low, high; /* percent; low alone with `saturated` */
} ranks_rule;

INLINE int
ranks_count (const ranks_rule *r)
{
  return r->saturated ? 2 : RANKS_MAX;
}

/* Rank i of n > 0 pixels. */
INLINE int64_t
rank_at (const ranks_rule *r, int i, int64_t n)
{
  if (r->saturated) {
    const int64_t cut = (int64_t) ((double) n * r->low / 200);
    return i == 0 ? cut : n - 1 - cut;
  }
  const int64_t rank = (int64_t) ((i < 2 ? r->low : r->high) / 100 * (double) (n - 1)) + i % 2;
  return rank < n - 1 ? rank : n - 1;
}

/* Limit 0 or 1 of n pixels, of the values at the ranks. */
INLINE double
ranks_limit (const ranks_rule *r, const double *values, int i, int64_t n)
{
  if (r->saturated)
    return values[i];
  const double at = (i ? r->high : r->low) / 100 * (double) (n - 1), part = at - (double) (int64_t) at;
  return values[2 * i] * (1 - part) + values[2 * i + 1] * part;
}

/* The limits, NaN where no pixel is finite. */
fv_status ranks_limits (const pixels *p, const ranks_rule *rule, buffer *tables, progress *progress, double limits[2],
                        fv_error *error);
/* Bytes of `tables`. */
size_t ranks_bytes (fv_type type);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * Averages over areas. Along an axis where n pixels become fewer, m, pixel k is the mean from k n / m to (k + 1) n / m; pixels that are cut count in
 * part. Sums are made in double, down the columns first. NaN spreads.
 */
#ifndef KERNELS_GEOMETRY_AREA_H
#define KERNELS_GEOMETRY_AREA_H

#include "kernels/common/common.h"

/* What pixel k of an axis is made of: of `count` pixels from `first` on the first counts `head`, the last `tail`, those between `whole`. */
typedef struct area_span {
  int64_t first, count;
  double head, whole, tail;
} area_span;

INLINE area_span
area_span_of (int64_t n, int64_t m, int64_t k)
{
  const double ratio = (double) n / (double) m, from = (double) k * ratio, to = (double) (k + 1) * ratio;
  area_span s = {(int64_t) from, 1, 1, 1 / ratio, 0};
  if (m >= n) {
    s.first = k;
    return s;
  }
  int64_t end = (int64_t) ceil (to);
  end = end < n ? end : n;
  s.count = end - s.first;
  s.head = ((double) (s.first + 1) - from) / ratio;
  s.tail = (to - (double) (end - 1)) / ratio;
  return s;
}

INLINE double
area_weight (const area_span *s, int64_t i)
{
  return i == 0 ? s->head : i == s->count - 1 ? s->tail : s->whole;
}

/* On the CPU: `in` to the rows and columns of `out`, which has as many, or fewer, and any type. */
fv_status area_cpu (const fv_call *call, const fv_array *in, const fv_array *out, fv_error *error);
/* The scratch that it takes. */
int64_t area_scratch (const fv_grid *in);

#endif

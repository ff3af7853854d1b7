/* SPDX-License-Identifier: MIT
 *
 * Mean and deviation of numbers from one pass over them, with the same bits in any order. Integers are summed (exact.h): of d = (number -
 * center) unit, from -2^51 to 2^51, and of d^2 / 2^51. Sums lose digits where the center is far from the mean, or the range was thought to
 * be much wider than it is; another pass then sums about this mean.
 */
#ifndef KERNELS_SKY_SPREAD_H
#define KERNELS_SKY_SPREAD_H

#include "kernels/common/exact.h"

enum { SPREAD_PASSES = 4 }; /* at most */

typedef struct spread {
  double center, unit, start; /* unit: a power of two; start: center unit */
  int passes;
  double mean, sigma;
} spread;

typedef struct spread_sums {
  exact_total values, squares;
} spread_sums;

/* Of numbers from low to high. */
INLINE double
spread_unit (double low, double high, double center)
{
  return exact_scale (fmax (high / 2 - center / 2, center / 2 - low / 2), EXACT_TERM_BITS - 1);
}

INLINE void
spread_about (spread *s, double low, double high, double center)
{
  s->center = center;
  s->unit = spread_unit (low, high, center);
  s->start = center * s->unit;
}

INLINE void
spread_begin (spread *s, double low, double high, double center)
{
  s->passes = 0;
  spread_about (s, low, high, center);
}

/* Term of the sum of squares. */
INLINE uint64_t
spread_square (double d)
{
  return exact_term (d * d * 0x1p-51);
}

INLINE spread_sums
spread_join (spread_sums a, spread_sums b)
{
  a.values = exact_join (a.values, b.values);
  a.squares = exact_join (a.squares, b.squares);
  return a;
}

/* Takes the sums of n numbers, of which low is the smallest and high the largest. False: another pass is needed. */
INLINE bool
spread_take (spread *s, const spread_sums *sums, double n, double low, double high)
{
  const double shift = exact_value (sums->values) / n, square = exact_value (sums->squares) / n * 0x1p51,
               variance = square - shift * shift;
  s->mean = low < high ? (s->start + shift) / s->unit : low;
  s->sigma = low < high && variance > 0 ? sqrt (variance) / s->unit : 0;
  if (++s->passes == SPREAD_PASSES || !(low < high)
      || (square <= 1000 * variance && spread_unit (low, high, s->center) <= 32 * s->unit))
    return true;
  spread_about (s, low, high, s->mean);
  return false;
}

#endif

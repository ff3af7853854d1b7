/* SPDX-License-Identifier: MIT
 *
 * Sums of doubles in any order: each number, times a power of two, becomes an integer. What is summed by position has integers of at
 * most EXACT_BITS bits, in two parts that can be added up without overflow, 2^32 of them, by atomic operations too. What is added up in
 * long loops has terms of EXACT_TERM_BITS bits, EXACT_TERMS of them in 64 bits before they go into an exact_total.
 */
#ifndef KERNELS_COMMON_EXACT_H
#define KERNELS_COMMON_EXACT_H

#include "kernels/common/defined.h"

enum { EXACT_BITS = 60, EXACT_LOW = 31 };

__extension__ typedef __int128 exact_integer;

/* The largest power of two that makes no more than 2^bits of `most`; 1 for 0 and what is not finite. */
INLINE double
exact_scale (double most, int bits)
{
  int k = 0;
  if (!(most > 0) || !(most < INFINITY))
    return 1;
  defined_split (most, &k);
  k = bits - 1 - k;
  return defined_power_of_2 (k < -1022 ? -1022 : k > 1000 ? 1000 : k);
}

/* v times the scale as high 2^EXACT_LOW + low. */
INLINE void
exact_parts (double v, double scale, int64_t *high, int64_t *low)
{
  const int64_t number = (int64_t) rint (v * scale);
  *high = number >> EXACT_LOW;
  *low = number & (((int64_t) 1 << EXACT_LOW) - 1);
}

/* The sum that the sums of the parts are, still times the scale. */
INLINE double
exact_sum (int64_t high, int64_t low)
{
  return (double) ((exact_integer) high * ((exact_integer) 1 << EXACT_LOW) + low);
}

/* ---- Terms of long loops ---- */

enum { EXACT_TERM_BITS = 51, EXACT_TERMS = 2048 };
#define EXACT_BIAS UINT64_C (0x4338000000000000)

typedef struct exact_total {
  int64_t high, low; /* high 2^EXACT_LOW + low */
} exact_total;

/* The bits of a double. memcpy() with _FORTIFY_SOURCE is not vectorized. */
typedef union exact_bits {
  double number;
  uint64_t bits;
} exact_bits;

/* x, from -2^51 to 2^51, as the nearest integer, plus EXACT_BIAS: the bits of the double x + 1.5 2^52, whose last digit is 1. */
INLINE uint64_t
exact_term (double x)
{
  const exact_bits sum = {x + 0x1.8p52};
  return sum.bits;
}

/* Adds the sum of n terms, modulo 2^64. */
INLINE void
exact_add (exact_total *to, uint64_t terms, int64_t n)
{
  const int64_t sum = (int64_t) (terms - (uint64_t) n * EXACT_BIAS);
  to->high += sum >> EXACT_LOW;
  to->low += sum & (((int64_t) 1 << EXACT_LOW) - 1);
}

INLINE exact_total
exact_join (exact_total a, exact_total b)
{
  a.high += b.high;
  a.low += b.low;
  return a;
}

/* Rounded once, of up to 2^33 terms, still times their scale. */
INLINE double
exact_value (exact_total t)
{
  const double high = (double) (t.high + (t.low >> EXACT_LOW));
  return high * (double) ((int64_t) 1 << EXACT_LOW) + (double) (t.low & (((int64_t) 1 << EXACT_LOW) - 1));
}

/* Numbers about a center, as d = number unit - center: a power of two keeps them and their squares in range. */
typedef struct exact_about {
  double unit, center, value, square; /* the latter make terms of d and of d^2 */
} exact_about;

/* low, high: the smallest and the largest of the numbers. */
INLINE exact_about
exact_about_center (double low, double high, double center)
{
  exact_about e;
  e.unit = exact_scale (fmax (fabs (low), fabs (high)), 0);
  e.center = center * e.unit;
  const double most = fmax (high * e.unit - e.center, e.center - low * e.unit);
  e.value = exact_scale (most, EXACT_TERM_BITS);
  e.square = exact_scale (most * most, EXACT_TERM_BITS);
  return e;
}

/* The number that lies the mean of d from the center. */
INLINE double
exact_mean (const exact_about *e, exact_total values, double n)
{
  return (e->center + exact_value (values) / e->value / n) / e->unit;
}

#endif

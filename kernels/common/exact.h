/* SPDX-License-Identifier: MIT
 *
 * Sums of doubles whose order does not matter, for what is added up by place: each number, times a power of two, becomes an integer of at
 * most EXACT_BITS bits, in two parts that can be added up without overflow, 2^32 of them, by atomic operations too.
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

#endif

/* SPDX-License-Identifier: MIT
 *
 * Sums of doubles that are the same on every device and processor: numbers in a row are added up in LANES lanes, number i in lane i modulo
 * LANES, and lanes are joined by halves. A lane is an element of a vector of a CPU, and a thread of a warp of a GPU.
 */
#ifndef KERNELS_COMMON_LANES_H
#define KERNELS_COMMON_LANES_H

#include "kernels/common/common.h"

enum { LANES = 32 };

/* Does what follows for I = 0 ... N - 1, where L is I's lane when the first has lane FIRST; LANES at a time, which compilers do in vectors. */
#define EACH_LANE(N, FIRST, I, L, ...)                                                                                 \
  for (int64_t start_##I = 0, first_##I = (FIRST), some_##I; start_##I < (N); start_##I += some_##I, first_##I = 0) {  \
    some_##I = LANES - first_##I < (N) -start_##I ? LANES - first_##I : (N) -start_##I;                                \
    if (some_##I == LANES)                                                                                             \
      for (int L = 0; L < LANES; L++) {                                                                                \
        const int64_t I = start_##I + L;                                                                               \
        __VA_ARGS__                                                                                                    \
      }                                                                                                                \
    else                                                                                                               \
      for (int64_t L = first_##I; L < first_##I + some_##I; L++) {                                                     \
        const int64_t I = start_##I + L - first_##I;                                                                   \
        __VA_ARGS__                                                                                                    \
      }                                                                                                                \
  }

/* The sum of n numbers, a power of two, which are changed. */
INLINE double
join_halves (double *v, int n)
{
  for (int half = n / 2; half; half /= 2)
    for (int i = 0; i < half; i++)
      v[i] += v[i + half];
  return v[0];
}

#endif

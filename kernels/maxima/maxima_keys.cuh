/* SPDX-License-Identifier: MIT
 *
 * What both methods of maxima share on the GPU: values as integers of the same order.
 */
#ifndef KERNELS_MAXIMA_MAXIMA_KEYS_CUH
#define KERNELS_MAXIMA_MAXIMA_KEYS_CUH

#include "kernels/common/blocks.cuh"
#include "kernels/common/items.cuh"
#include "kernels/maxima/maxima_args.h"

enum { MAXIMA_THREADS = 256 };

__device__ static inline long long
maxima_key (double v)
{
  long long bits = __double_as_longlong (v);
  return bits < 0 ? bits ^ 0x7fffffffffffffffll : bits;
}

BOTH static inline double
maxima_of_key (long long key)
{
  long long bits = key < 0 ? key ^ 0x7fffffffffffffffll : key;
  double v;
  memcpy (&v, &bits, sizeof v);
  return v;
}

#endif

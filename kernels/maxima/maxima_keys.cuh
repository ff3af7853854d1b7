/* SPDX-License-Identifier: MIT
 *
 * What both methods of maxima share on the GPU: values as integers of the same order, and where pixels are.
 */
#ifndef KERNELS_MAXIMA_MAXIMA_KEYS_CUH
#define KERNELS_MAXIMA_MAXIMA_KEYS_CUH

#include "kernels/common/blocks.cuh"
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

static inline unsigned
maxima_blocks (int64_t n)
{
  int64_t blocks = blocks_for (n, MAXIMA_THREADS), most = 16 * (int64_t) multiprocessors ();
  return (unsigned) (blocks < 1 ? 1 : blocks < most ? blocks : most);
}

/* Where a pixel is that is counted through all planes. */
struct maxima_position {
  int64_t z, y, x;

  template <typename T> __device__ maxima_position (const view<T> &v, int64_t i)
  {
    int64_t line = i / v.columns;
    x = i - line * v.columns;
    z = line / v.rows;
    y = line - z * v.rows;
  }
};

#endif

/* SPDX-License-Identifier: MIT
 *
 * One kernel for what is done for each of n items, such as the pixels of all planes: a grid-stride loop in blocks of 256, without a barrier.
 */
#ifndef KERNELS_COMMON_ITEMS_CUH
#define KERNELS_COMMON_ITEMS_CUH

#include "kernels/common/common.cuh"

enum { ITEMS_THREADS = 256 };

template <typename F>
__global__ static void
__launch_bounds__ (ITEMS_THREADS) items_kernel (int64_t n, const __grid_constant__ F f)
{
  for (int64_t i = (int64_t) blockIdx.x * ITEMS_THREADS + threadIdx.x; i < n; i += (int64_t) gridDim.x * ITEMS_THREADS)
    f (i);
}

/* Calls f (i) for i from 0 to n - 1. */
template <typename F>
static inline void
items_launch (const fv_call *call, int64_t n, const F &f)
{
  const int64_t blocks = blocks_for (n, ITEMS_THREADS), most = 32 * (int64_t) multiprocessors ();
  if (n > 0)
    items_kernel<<<(unsigned) (blocks < most ? blocks : most), ITEMS_THREADS, 0, cuda_stream (call)>>> (n, f);
}

/* Where a pixel is that is counted through all planes. */
struct pixel_position {
  int64_t z, y, x;
};

template <typename V>
__device__ __forceinline__ pixel_position
position_of (const V &v, int64_t i)
{
  const int64_t line = i / v.columns, z = line / v.rows;
  return {z, line - z * v.rows, i - line * v.columns};
}

#endif

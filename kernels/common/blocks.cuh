/* SPDX-License-Identifier: MIT
 *
 * What all threads of a block, and all blocks of a group, do together.
 */
#ifndef KERNELS_COMMON_BLOCKS_CUH
#define KERNELS_COMMON_BLOCKS_CUH

#include "kernels/common/common.cuh"

/* The value of the thread `d` lanes away: d is XORed into the lane. */
template <typename T>
__device__ T
lane_away (T v, int d)
{
  constexpr int words = sizeof (T) / 4;
  T other;
  int from[words], to[words];
  memcpy (from, &v, sizeof v);
#pragma unroll
  for (int i = 0; i < words; i++)
    to[i] = __shfl_xor_sync (~0u, from[i], d);
  memcpy (&other, to, sizeof v);
  return other;
}

/* Joins the values of all threads of the warp, for all of them, by halves. */
template <typename T, typename F>
__device__ T
join_lanes (T v, F join)
{
#pragma unroll 1
  for (int d = 16; d; d /= 2)
    v = join (v, lane_away (v, d));
  return v;
}

/* Joins the values of all threads of the block, for all of them; `shared`: 32 of them. The number of warps is a power of two. Not
 * unrolled: code that runs once has to be fetched first. */
template <typename T, typename F>
__device__ T
join_block (T v, T *shared, F join)
{
  int warp = (int) threadIdx.x / 32, lane = (int) threadIdx.x & 31, warps = (int) blockDim.x / 32;
#pragma unroll 1
  for (int turn = 0; turn < 2; turn++) {
    if (turn) {
      __syncthreads ();
      if (lane == 0)
        shared[warp] = v;
      __syncthreads ();
      v = shared[lane & (warps - 1)];
    }
#pragma unroll 1
    for (int d = (turn ? warps : 32) / 2; d; d /= 2)
      v = join (v, lane_away (v, d));
  }
  return v;
}

/* All blocks of a group wait for each other; `turn` counts the barriers. All blocks of the grid must be resident. */
__device__ __forceinline__ void
group_barrier (unsigned *arrived, int parts, unsigned *turn)
{
  __syncthreads ();
  ++*turn;
  if (threadIdx.x == 0) {
    unsigned all = *turn * (unsigned) parts, seen;
    __threadfence ();
    atomicAdd (arrived, 1);
    do
      asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(arrived) : "memory");
    while ((int) (seen - all) < 0);
    __threadfence ();
  }
  __syncthreads ();
}

#endif

/* SPDX-License-Identifier: MIT
 *
 * The GPU's part of clip.h: keys of pixels, and the bin that is wanted.
 */
#ifndef KERNELS_SKY_CLIP_CUH
#define KERNELS_SKY_CLIP_CUH

#include "kernels/common/common.cuh"
#include "kernels/sky/clip.h"

#include <type_traits>

enum { CLIP_THREADS = 1024, EACH_BIN = CLIP_BINS / CLIP_THREADS };

typedef unsigned long long count64;

template <typename T>
__device__ __forceinline__ auto
clip_key (T v)
{
  if constexpr (sizeof (T) < 4)
    return (uint32_t) v;
  else if constexpr (std::is_same<T, float>::value)
    return clip_key_f32 (v);
  else if constexpr (std::is_same<T, double>::value)
    return clip_key_f64 (v);
  else
    return clip_key_i32 (v);
}

/* For thread 0; a whole block of CLIP_THREADS works. count (i): of bin i. */
template <typename F>
__device__ clip_bin
clip_find_bin (const clip &c, F count)
{
  __shared__ count64 sums[CLIP_THREADS / 32];
  __shared__ clip_bin found;
  __shared__ int next;
  const int warp = (int) threadIdx.x / 32, lane = (int) threadIdx.x & 31, begin = (int) threadIdx.x * EACH_BIN;
  count64 n[EACH_BIN], own = 0, upto, before = 0, all = 0;
  for (int k = 0; k < EACH_BIN; k++)
    own += n[k] = count (begin + k);
  upto = own;
  for (int d = 1; d < 32; d *= 2) {
    count64 other = __shfl_up_sync (~0u, upto, d);
    upto += lane >= d ? other : 0;
  }
  if (lane == 31)
    sums[warp] = upto;
  if (threadIdx.x == 0)
    next = INT32_MAX;
  __syncthreads ();
  for (int w = 0; w < CLIP_THREADS / 32; w++) {
    before += w < warp ? sums[w] : 0;
    all += sums[w];
  }
  before += upto - own;
  const count64 rank = (count64) clip_wanted (&c, (int64_t) all);
  if (all == 0 && threadIdx.x == 0)
    found = {};
  for (int k = 0; k < EACH_BIN; before += n[k++])
    if (all && rank >= before && rank < before + n[k])
      found = {(int64_t) all, (int64_t) before, (int64_t) n[k], begin + k, -1};
  __syncthreads ();
  for (int k = EACH_BIN - 1, at = -1; k >= 0; k--) {
    at = n[k] && begin + k > found.bin ? begin + k : at;
    if (k == 0 && at >= 0)
      atomicMin (&next, at);
  }
  __syncthreads ();
  clip_bin b = found;
  b.next = next == INT32_MAX ? -1 : next;
  return b;
}

#endif

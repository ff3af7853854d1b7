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

/* For thread 0; a whole block of CLIP_THREADS works. count (i): of bin i; kept, below: of a guess. */
template <typename F>
__device__ clip_bin
clip_find_bin (const clip &c, F count, count64 kept, count64 below)
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
  if (threadIdx.x == 0) {
    next = INT32_MAX;
    found = {0, 0, 0, 0, 0, -1, -1};
  }
  __syncthreads ();
  for (int w = 0; w < CLIP_THREADS / 32; w++) {
    before += w < warp ? sums[w] : 0;
    all += sums[w];
  }
  before += upto - own;
  if (!c.guess)
    kept = all;
  const int64_t rank = clip_wanted (&c, (int64_t) kept, (int64_t) below);
  for (int k = 0; k < EACH_BIN; before += n[k++])
    if (rank >= (int64_t) before && rank < (int64_t) (before + n[k]))
      found = {0, 0, 0, (int64_t) before, (int64_t) n[k], begin + k, -1};
  __syncthreads ();
  for (int k = EACH_BIN - 1, at = -1; k >= 0; k--) {
    at = found.bin >= 0 && n[k] && begin + k > found.bin ? begin + k : at;
    if (k == 0 && at >= 0)
      atomicMin (&next, at);
  }
  __syncthreads ();
  clip_bin b = found;
  b.next = next == INT32_MAX ? -1 : next;
  b.kept = (int64_t) kept;
  b.below = (int64_t) below;
  b.all = (int64_t) all;
  return b;
}

#endif

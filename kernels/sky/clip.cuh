/* SPDX-License-Identifier: MIT
 *
 * The GPU's part of clip.h: keys of pixels, and the bin that is wanted.
 */
#ifndef KERNELS_SKY_CLIP_CUH
#define KERNELS_SKY_CLIP_CUH

#include "kernels/common/common.cuh"
#include "kernels/common/keys.cuh"
#include "kernels/sky/clip.h"

#include <type_traits>

enum { CLIP_THREADS = 1024, EACH_BIN = CLIP_BINS / CLIP_THREADS };

typedef unsigned long long count64;

/* What thread t of a block has of the bins' counts: those of its own from t * EACH_BIN on, and how many lie before them, and in all. */
struct clip_scan {
  count64 n[EACH_BIN], before, all;
};

/* The sum of lanes up to and with each. */
__device__ __forceinline__ count64
clip_scan_warp (count64 v)
{
#pragma unroll 1
  for (int d = 1; d < 32; d *= 2) {
    const count64 other = __shfl_up_sync (~0u, v, d);
    v += ((int) threadIdx.x & 31) >= d ? other : 0;
  }
  return v;
}

/* A whole block of CLIP_THREADS works. count (i): of bin i. A barrier. */
template <typename F>
__device__ clip_scan
clip_scan_bins (F count)
{
  __shared__ count64 sums[CLIP_THREADS / 32];
  const int warp = (int) threadIdx.x / 32, lane = (int) threadIdx.x & 31, begin = (int) threadIdx.x * EACH_BIN;
  count64 own = 0, upto;
  clip_scan s;
  for (int k = 0; k < EACH_BIN; k++)
    own += s.n[k] = count (begin + k);
  upto = clip_scan_warp (own);
  if (lane == 31)
    sums[warp] = upto;
  __syncthreads ();
  const count64 each = sums[lane], all = clip_scan_warp (each);
  s.before = upto - own + __shfl_sync (~0u, all - each, warp);
  s.all = __shfl_sync (~0u, all, 31);
  return s;
}

/* For thread 0; a whole block of CLIP_THREADS works. count (i): of bin i. */
template <typename F>
__device__ clip_bin
clip_find_bin (const clip &c, F count)
{
  __shared__ clip_bin found;
  __shared__ int next;
  const int begin = (int) threadIdx.x * EACH_BIN;
  if (threadIdx.x == 0)
    next = INT32_MAX;
  const clip_scan s = clip_scan_bins (count);
  const count64 rank = (count64) clip_wanted (&c, (int64_t) s.all);
  count64 before = s.before;
  if (s.all == 0 && threadIdx.x == 0)
    found = {};
  for (int k = 0; k < EACH_BIN; before += s.n[k++])
    if (s.all && rank >= before && rank < before + s.n[k])
      found = {(int64_t) s.all, (int64_t) before, (int64_t) s.n[k], begin + k, -1};
  __syncthreads ();
  int at = -1;
  for (int k = EACH_BIN - 1; k >= 0; k--)
    at = s.n[k] && begin + k > found.bin ? begin + k : at;
  const unsigned some = __ballot_sync (~0u, at >= 0);
  if (some && ((int) threadIdx.x & 31) == __ffs ((int) some) - 1) /* the lane with the first of the warp's */
    atomicMin (&next, at);
  __syncthreads ();
  clip_bin b = found;
  b.next = next == INT32_MAX ? -1 : next;
  return b;
}

/* Finds the median, or the pixel of c->rank, of n keys; c is shared. A whole block of CLIP_THREADS works. key (i): of pixel i; counts:
 * CLIP_BINS in shared memory. Some ten barriers for each dozen bits. */
template <typename F>
__device__ void
clip_find_median (clip *c, int64_t n, F key, uint32_t *counts)
{
  __shared__ count64 above;
  while (!c->found && !c->done) {
    for (int i = (int) threadIdx.x; i < CLIP_BINS; i += CLIP_THREADS)
      counts[i] = 0;
    if (threadIdx.x == 0)
      above = UINT64_MAX;
    __syncthreads ();
    const count64 first = c->first, last = c->last, high = c->high;
    const int shift = c->shift;
    count64 over = UINT64_MAX;
    for (int64_t i = threadIdx.x; i < n; i += CLIP_THREADS) {
      const count64 k = key (i);
      if (k - first <= last - first)
        atomicAdd (counts + ((k - first) >> shift), 1u);
      else if (k > last && k <= high)
        over = min (over, k);
    }
    for (int d = 16; d; d /= 2)
      over = min (over, __shfl_xor_sync (~0u, over, d));
    if (threadIdx.x % 32 == 0)
      atomicMin (&above, over);
    __syncthreads ();
    const clip_bin b = clip_find_bin (*c, [&] (int i) { return (count64) counts[i]; });
    if (threadIdx.x == 0) {
      c->sums = false; /* the median alone */
      const clip_sums s = {{}, 0, 0, above};
      clip_after (c, &b, &s);
    }
    __syncthreads ();
  }
}

#endif

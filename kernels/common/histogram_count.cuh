/* SPDX-License-Identifier: MIT
 *
 * Counting the pixels in the bins of histogram.cuh, by blocks with counters in shared memory. Counts are 32-bit, or
 * 64-bit (`wide`) where a problem has 2^32 pixels or more.
 */
#ifndef KERNELS_COMMON_HISTOGRAM_COUNT_CUH
#define KERNELS_COMMON_HISTOGRAM_COUNT_CUH

#include "kernels/common/histogram.cuh"

struct counts_of {
  void *data; /* uint32_t or uint64_t [problems][capacity] */
  int64_t capacity;
  bool wide;

  __device__ __forceinline__ void add (int64_t problem, int64_t bin, uint32_t n) const
  {
    int64_t i = problem * capacity + bin;
    if (wide)
      atomicAdd ((unsigned long long *) data + i, (unsigned long long) n);
    else
      atomicAdd ((uint32_t *) data + i, n);
  }
  __device__ __forceinline__ uint64_t get (int64_t problem, int64_t bin) const
  {
    int64_t i = problem * capacity + bin;
    return wide ? ((const uint64_t *) data)[i] : ((const uint32_t *) data)[i];
  }
};

/* The bins of this block's problem, for all its threads; the first block of a problem also keeps them. */
template <typename T>
__device__ void
bins_join (const extent<T> *extents, int parts, int64_t bins, int64_t limit, gpu_bins *keep, gpu_bins *result)
{
  __shared__ extent<T> shared[32];
  extent<T> e = {0, sizeof (T) == 1 ? (T) 255 : (T) 65535, 0};
  if (sizeof (T) >= 4)
    e = extents_join (extents, parts, shared);
  if (threadIdx.x == 0) {
    bool some = e.low <= e.high;
    *result =
      bins_make<T> (some ? (double) e.low : (double) NAN, some ? (double) e.high : (double) NAN, e.odd, bins, limit);
    if (keep)
      *keep = *result;
  }
  __syncthreads ();
}

template <typename T> struct counting_job {
  lines<T> pixels;
  int parts; /* blocks for each problem */
  const extent<T> *extents;
  int extent_parts;
  int64_t bins, limit;
  gpu_bins *keep; /* [problems] */
  counts_of counts;
  int64_t room; /* bins that fit in shared memory; more are counted in the result */
};

/* At most 256 bins. Each lane has a counter of 8 bits for each bin: bin k in byte k / 64 of word k % 64. Its bank is the lane's own, so
 * that no two lanes ever meet. Before 255 pixels a lane, lane i sums the words 2 i and 2 i + 1. */
enum { FEW_THREADS = 256, FEW_WARPS = FEW_THREADS / 32, FEW_BYTES = FEW_WARPS * 64 * 32 * 4 };
template <typename T> constexpr int few_deep = sizeof (T) == 1 ? 3 : sizeof (T) == 8 ? 8 : 4;

__device__ __forceinline__ void
few_collect (uint32_t *words, uint32_t total[8])
{
  int lane = (int) threadIdx.x & 31;
  __syncwarp ();
#pragma unroll
  for (int w = 0; w < 2; w++) {
    uint32_t even = 0, odd = 0;
    uint32_t *row = words + (2 * lane + w) * 32;
#pragma unroll 4
    for (int i = 0; i < 32; i++) {
      uint32_t v = row[(i + lane) & 31];
      even += v & 0x00ff00ff;
      odd += v >> 8 & 0x00ff00ff;
    }
    total[4 * w] += even & 0xffff;
    total[4 * w + 1] += odd & 0xffff;
    total[4 * w + 2] += even >> 16;
    total[4 * w + 3] += odd >> 16;
  }
  __syncwarp ();
}

__device__ __forceinline__ void
few_clear (uint32_t *words)
{
  uint4 *at = (uint4 *) words + (threadIdx.x & 31);
#pragma unroll 4
  for (int i = 0; i < 16; i++)
    at[32 * i] = {0, 0, 0, 0};
  __syncwarp ();
}

/* Counts bin k; mine: the shared address of the lane's first counter, less (bits of k above the lowest 8) / 64. */
__device__ __forceinline__ void
few_count (uint32_t mine, uint32_t k)
{
  uint32_t at = mine + (k >> 6) + ((k & 63) << 7);
  asm volatile("{\n\t.reg .u32 n;\n\tld.shared.u8 n, [%0];\n\tadd.u32 n, n, 1;\n\tst.shared.u8 [%0], n;\n\t}" ::"r"(at)
               : "memory");
}

/* problems x parts blocks of 256, 64 KiB of shared memory. Reads each pixel once, from the end, which the pass before has left in the
 * cache. Adds at most 256 counts a block to the result. */
template <typename T>
__global__ void
__launch_bounds__ (FEW_THREADS) few_kernel (counting_job<T> job)
{
  extern __shared__ uint4 memory[];
  __shared__ gpu_bins bins;
  __shared__ uint32_t sums[256];
  constexpr int deep = few_deep<T>, size = piece_pixels<T, deep>, each = deep * 16 / (int) sizeof (T);
  int64_t problem = blockIdx.x / job.parts;
  int part = (int) (blockIdx.x % job.parts), warp = (int) threadIdx.x / 32, lane = (int) threadIdx.x & 31;
  uint32_t *words = (uint32_t *) memory + warp * 64 * 32, total[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  int64_t pieces = job.pixels.count * ((job.pixels.columns + size - 1) / size), step = (int64_t) job.parts * FEW_WARPS;
  int64_t s = pieces - 1 - ((int64_t) part * FEW_WARPS + warp);
  fetched<T, deep> p, next;
  if (s >= 0) /* no kernel of this operation writes pixels */
    fetch (job.pixels, problem, s, &next);
  few_clear (words);
  sums[threadIdx.x] = 0;
  wait_for_kernel_before ();
  bins_join (job.extents + problem * job.extent_parts, job.extent_parts, job.bins, job.limit,
             part == 0 ? job.keep + problem : NULL, &bins);
  if (bins.bins < 2)
    return;

  binner<T> b (&bins);
  uint32_t mine = (uint32_t) __cvta_generic_to_shared (words) + 4 * (uint32_t) lane;
  const uint32_t mine_quick = mine - (0x4b400000u >> 6);
  const bool direct = sizeof (T) == 1 || bins.quick;
  int filled = 0;
#pragma unroll 1
  for (; s >= 0; s -= step) {
    p = next;
    if (s - step >= 0)
      fetch (job.pixels, problem, s - step, &next);
    if (filled + each > 255) {
      few_collect (words, total);
      few_clear (words);
      filled = 0;
    }
    filled += each;
    if (p.n || !direct) {
      /* rare: pixel by pixel */
      const int n = p.n ? p.n : size;
      const T *at = p.at;
#pragma unroll 1
      for (int i = lane; i < n; i += 32, at += 32) {
        int k = sizeof (T) == 1 ? (int) *at : b.of (*at);
        if (k >= 0)
          few_count (mine, (uint32_t) k);
      }
      continue;
    }
#pragma unroll
    for (int k = 0; k < deep; k++) {
      if constexpr (sizeof (T) == 1) {
#pragma unroll
        for (int i = 0; i < p.each; i++)
          few_count (mine, (uint32_t) p.v[k].pixel[i]);
      } else {
        uint32_t bin[p.each];
        bool ok = true;
#pragma unroll
        for (int i = 0; i < p.each; i++)
          bin[i] = b.quick (p.v[k].pixel[i], &ok);
        if (!ok)
#pragma unroll
          for (int i = 0; i < p.each; i++)
            bin[i] = 0x4b400000u + (uint32_t) b.quick_or_edge (p.v[k].pixel[i]);
#pragma unroll
        for (int i = 0; i < p.each; i++)
          few_count (mine_quick, bin[i]);
      }
    }
  }
  few_collect (words, total);
#pragma unroll
  for (int i = 0; i < 8; i++)
    if (total[i])
      atomicAdd (&sums[(i & 3) * 64 + 2 * lane + (i >> 2)], total[i]);
  __syncthreads ();
  if (sums[threadIdx.x])
    job.counts.add (problem, threadIdx.x, sums[threadIdx.x]);
}

/* Up to 65536 bins: one block has counters of 16 bits, bins k and k + half in one word, so that neighbors are apart. All
 * counters are below 2^15 before a round and a round has at most 2^15 pixels; in between what has reached 2^15 goes to the
 * result. More bins, which i32 can have: straight into the result. */
enum { MANY_THREADS = 1024, MANY_WARPS = MANY_THREADS / 32 };
template <typename T> constexpr int many_deep = sizeof (T) == 2 ? 4 : sizeof (T) == 8 ? 8 : 4;

template <typename T>
__device__ void
many_sweep (const counting_job<T> &job, int64_t problem, uint4 *words, int half)
{
  const uint32_t full = 0x80008000u;
#pragma unroll 4
  for (int i = (int) threadIdx.x; i < half / 4; i += MANY_THREADS) {
    uint4 v = words[i];
    if (!((v.x | v.y | v.z | v.w) & full))
      continue;
    uint32_t *word = (uint32_t *) &words[i];
#pragma unroll 1
    for (int k = 0; k < 4; k++) {
      uint32_t low = word[k] & 0x8000 ? word[k] & 0xffff : 0, high = word[k] >> 31 ? word[k] >> 16 : 0;
      if (low)
        job.counts.add (problem, 4 * i + k, low);
      if (high)
        job.counts.add (problem, half + 4 * i + k, high);
      word[k] -= low + (high << 16);
    }
  }
}

/* problems x parts blocks of 1024 with up to 128 KiB of shared memory; reads each pixel once, a warp 16 bytes a lane at
 * a time. Two barriers a round. */
template <typename T>
__global__ void
__launch_bounds__ (MANY_THREADS) many_kernel (counting_job<T> job)
{
  extern __shared__ uint4 memory[];
  __shared__ gpu_bins bins;
  constexpr int deep = many_deep<T>, size = piece_pixels<T, deep>;
  static_assert (size * MANY_WARPS <= 32768, "counters would run over");
  int64_t problem = blockIdx.x / job.parts;
  int part = (int) (blockIdx.x % job.parts), lane = (int) threadIdx.x & 31;
  bins_join (job.extents + problem * job.extent_parts, job.extent_parts, job.bins, job.limit,
             part == 0 ? job.keep + problem : NULL, &bins);
  if (bins.bins < 2)
    return;
  binner<T> b (&bins);
  const bool exact = bins.exact, inside = bins.bins <= job.room;
  const int64_t low = (int64_t) bins.low;
  const int half = inside ? (int) ((bins.bins + 1) / 2 + 3) / 4 * 4 : 0;
  uint32_t *words = (uint32_t *) memory;
  int64_t pieces = job.pixels.count * ((job.pixels.columns + size - 1) / size), step = (int64_t) job.parts * MANY_WARPS;
  int64_t s = pieces - 1 - ((int64_t) part * MANY_WARPS + threadIdx.x / 32);
  int64_t rounds = (pieces - (int64_t) part * MANY_WARPS + step - 1) / step;
  fetched<T, deep> p;
  for (int i = (int) threadIdx.x; i < half / 4; i += MANY_THREADS)
    memory[i] = {0, 0, 0, 0};
  __syncthreads ();

  auto count = [&] (T v, uint32_t n) {
    int k;
    if constexpr (sizeof (T) == 2)
      k = (int) v;
    else if (exact)
      k = (int) ((int64_t) v - low);
    else
      k = b.of (v);
    if (k < 0)
      return;
    if (!inside)
      job.counts.add (problem, k, n);
    else if constexpr (sizeof (T) == 2)
      atomicAdd (&words[k & 0x7fff], n << (k >> 15 << 4));
    else
      atomicAdd (&words[k < half ? k : k - half], k < half ? n : n << 16);
  };
#pragma unroll 1
  for (int64_t round = 0; round < rounds; round++, s -= step) {
    if (s >= 0)
      fetch (job.pixels, problem, s, &p);
    if (s >= 0 && p.n)
#pragma unroll 1
      for (int i = lane; i < p.n; i += 32, p.at += 32)
        count (*p.at, 1);
    else if (s >= 0)
#pragma unroll
      for (int k = 0; k < deep; k++) {
        uint4 v = p.v[k].vector;
        bool same = sizeof (T) <= 4 && v.x == v.y && v.x == v.z && v.x == v.w;
        if (sizeof (T) == 2)
          same = same && p.v[k].pixel[0] == p.v[k].pixel[1];
        if (same) /* as in backgrounds, where all would meet at one counter */
          count (p.v[k].pixel[0], (uint32_t) p.each);
        else
#pragma unroll
          for (int i = 0; i < p.each; i++)
            count (p.v[k].pixel[i], 1);
      }
    if (inside && round + 1 < rounds) {
      __syncthreads ();
      many_sweep (job, problem, memory, half);
      __syncthreads ();
    }
  }
  if (!inside)
    return;
  __syncthreads ();
#pragma unroll 4
  for (int i = (int) threadIdx.x; i < half; i += MANY_THREADS) {
    uint32_t v = words[i];
    if (v & 0xffff)
      job.counts.add (problem, i, v & 0xffff);
    if (v >> 16)
      job.counts.add (problem, half + i, v >> 16);
  }
}

/* problems x parts blocks of 512: clears the bins in use. For i32, whose bins only the device knows. */
template <typename T>
__global__ void
clear_kernel (counting_job<T> job)
{
  __shared__ gpu_bins bins;
  int64_t problem = blockIdx.x / job.parts;
  int part = (int) (blockIdx.x % job.parts);
  bins_join (job.extents + problem * job.extent_parts, job.extent_parts, job.bins, job.limit, NULL, &bins);
  int64_t n = (bins.bins * (job.counts.wide ? 8 : 4) + 15) / 16;
  uint4 *at = (uint4 *) ((char *) job.counts.data + problem * job.counts.capacity * (job.counts.wide ? 8 : 4));
  for (int64_t i = (int64_t) part * blockDim.x + threadIdx.x; i < n; i += (int64_t) job.parts * blockDim.x)
    at[i] = {0, 0, 0, 0};
}

#endif

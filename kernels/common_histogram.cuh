/* SPDX-License-Identifier: MIT
 *
 * Histograms on the GPU, equal to those of common_histogram.h: going over the pixels, range, bins, counting.
 * A problem is what has a histogram of its own: a plane or a volume. Counts are 32-bit, or 64-bit (`wide`) where a problem
 * has 2^32 pixels or more. Nothing is read back: kernels take the range and the bins from device memory.
 */
#ifndef KERNELS_COMMON_HISTOGRAM_CUH
#define KERNELS_COMMON_HISTOGRAM_CUH

#include "common.cuh"
#include "common_histogram.h"

#include <float.h>
#include <type_traits>

/* ---- Going over the pixels of a problem ---- */

/* Lines of pixels: rows, or what remains when rows (and planes) that follow each other in memory are joined. */
template <typename T> struct lines {
  const T *data;
  int64_t problem_stride, plane_stride, row_stride; /* in pixels */
  int64_t rows, count;                              /* lines of a plane, of a problem */
  int64_t columns;
  bool aligned; /* lines start at multiples of 16 bytes */
};

/* first: a plane; together: planes of a problem. join: lines that follow each other in memory become one. */
template <typename T>
static inline lines<T>
lines_of (const fv_array *a, int64_t first, int64_t problems, int64_t together, bool join = true)
{
  view<T> v = view_of<T> (a);
  lines<T> l = {v.row (first, 0), v.plane_stride * together, v.plane_stride, v.row_stride, v.rows, 0, v.columns, false};
  if (join && (l.rows == 1 || l.row_stride == l.columns)) {
    l.columns *= l.rows;
    l.rows = 1;
  }
  if (join && l.rows == 1 && l.plane_stride == l.columns) {
    l.columns *= together;
    together = 1;
  }
  l.count = l.rows * together;
  const int64_t each = 16 / (int64_t) sizeof (T);
  l.aligned = (uintptr_t) l.data % 16 == 0 && (l.rows == 1 || l.row_stride % each == 0)
              && (together == 1 || l.plane_stride % each == 0) && (problems == 1 || l.problem_stride % each == 0);
  return l;
}

/* A warp takes a piece of a line at a time: DEEP vectors of 16 bytes for each lane. */
template <typename T, int DEEP> constexpr int piece_pixels = 32 * DEEP * (16 / (int) sizeof (T));

template <typename T, int DEEP>
static inline int64_t
pieces_of (const lines<T> &l)
{
  return l.count * blocks_for (l.columns, piece_pixels<T, DEEP>);
}

template <typename T>
__device__ __forceinline__ const T *
line_at (const lines<T> &l, int64_t problem, int64_t line)
{
  const T *at = l.data + problem * l.problem_stride;
  if (l.count == 1)
    return at;
  if (l.count == l.rows)
    return at + line * l.row_stride;
  int64_t plane = (line | l.rows) >> 31 ? line / l.rows : (int64_t) ((uint32_t) line / (uint32_t) l.rows);
  return at + plane * l.plane_stride + (line - plane * l.rows) * l.row_stride;
}

/* A lane's part of a piece: vectors, or, at the end of a line or where lines are not aligned, every 32nd pixel of n from `at` on. */
template <typename T, int DEEP> struct fetched {
  static constexpr int each = 16 / (int) sizeof (T);
  union {
    uint4 vector;
    T pixel[each];
  } v[DEEP];
  const T *at;
  int n; /* 0: vectors */
};

template <typename T, int DEEP>
__device__ __forceinline__ void
fetch (const lines<T> &l, int64_t problem, int64_t s, fetched<T, DEEP> *f)
{
  constexpr int size = piece_pixels<T, DEEP>;
  int64_t line = 0;
  if (l.count > 1) {
    int64_t across = (l.columns + size - 1) / size;
    line = across == 1 ? s : (s | across) >> 31 ? s / across : (int64_t) ((uint32_t) s / (uint32_t) across);
    s -= line * across;
  }
  const T *at = line_at (l, problem, line) + s * size;
  int64_t left = l.columns - s * size;
  int lane = (int) threadIdx.x & 31;
  f->at = at + lane;
  f->n = l.aligned && left >= size ? 0 : left < size ? (int) left : size;
  if (f->n == 0)
#pragma unroll
    for (int k = 0; k < DEEP; k++)
      f->v[k].vector = __ldg ((const uint4 *) at + k * 32 + lane);
}

/* Calls f with each pixel of piece s, coalesced. The lanes of a warp may call it different numbers of times. */
template <int DEEP, typename T, typename F>
__device__ __forceinline__ void
each_pixel (const lines<T> &l, int64_t problem, int64_t s, F f)
{
  fetched<T, DEEP> p;
  fetch (l, problem, s, &p);
  if (p.n == 0) {
#pragma unroll
    for (int k = 0; k < DEEP; k++)
#pragma unroll
      for (int i = 0; i < p.each; i++)
        f (p.v[k].pixel[i]);
  } else
#pragma unroll 1
    for (int i = (int) threadIdx.x & 31; i < p.n; i += 32, p.at += 32)
      f (*p.at);
}

/* ---- Range ---- */

template <typename T> struct extent {
  T low, high; /* low > high: no finite pixel */
  int odd;     /* not zero: NaN or infinities occur */
};

template <typename T>
__device__ __forceinline__ extent<T>
extent_none (void)
{
  if constexpr (sizeof (T) == 1)
    return {255, 0, 0};
  else if constexpr (sizeof (T) == 2)
    return {65535, 0, 0};
  else if constexpr (std::is_integral<T>::value)
    return {INT32_MAX, INT32_MIN, 0};
  else
    return {(T) HUGE_VAL, (T) -HUGE_VAL, 0};
}

template <typename T>
__device__ __forceinline__ bool
is_finite_pixel (T v)
{
  if constexpr (std::is_integral<T>::value)
    return true;
  else if constexpr (sizeof (T) == 4)
    return fabsf (v) <= FLT_MAX;
  else
    return fabs (v) <= DBL_MAX;
}

template <typename T>
__device__ __forceinline__ void
extent_join (extent<T> &e, T low, T high, int odd)
{
  e.low = low < e.low ? low : e.low;
  e.high = high > e.high ? high : e.high;
  e.odd |= odd;
}

template <typename T>
__device__ __forceinline__ extent<T>
extent_of_warp (extent<T> e)
{
#pragma unroll 1
  for (int d = 16; d; d /= 2)
    extent_join (e, (T) __shfl_xor_sync (~0u, e.low, d), (T) __shfl_xor_sync (~0u, e.high, d), __shfl_xor_sync (~0u, e.odd, d));
  return e;
}

/* For the whole block; `shared`: 32 of them. */
template <typename T>
__device__ extent<T>
extent_of_block (extent<T> e, extent<T> *shared)
{
  int warp = (int) threadIdx.x / 32, lane = (int) threadIdx.x & 31;
#pragma unroll 1
  for (int turn = 0; turn < 2; turn++) {
    e = extent_of_warp (e);
    if (turn)
      break;
    if (lane == 0)
      shared[warp] = e;
    __syncthreads ();
    e = lane < (int) blockDim.x / 32 ? shared[lane] : extent_none<T> ();
  }
  __syncthreads ();
  return e;
}

enum { RANGE_THREADS = 512, RANGE_DEEP = 4, MOST_PARTS = 1024 };

/* Blocks for each problem. */
template <typename T>
static inline int
range_parts (const lines<T> &l)
{
  int64_t n = blocks_for (pieces_of<T, RANGE_DEEP> (l), RANGE_THREADS / 32 * 2), most = 4 * multiprocessors ();
  return (int) (n < 1 ? 1 : n < most ? n : most < MOST_PARTS ? most : MOST_PARTS);
}

/* problems x parts blocks of 512; reads each pixel once, writes one extent a block; clears `clear`. One barrier in each
 * block, none between them: whoever needs the range joins the parts. */
template <typename T>
__global__ void __launch_bounds__ (RANGE_THREADS)
range_kernel (lines<T> l, int parts, extent<T> *extents, uint4 *clear, int64_t n_clear)
{
  __shared__ extent<T> shared[32];
  int64_t problem = blockIdx.x / parts;
  int part = (int) (blockIdx.x % parts);
  constexpr int warps = RANGE_THREADS / 32, size = piece_pixels<T, RANGE_DEEP>;
  int64_t pieces = l.count * ((l.columns + size - 1) / size);
  for (int64_t i = (int64_t) blockIdx.x * RANGE_THREADS + threadIdx.x; i < n_clear; i += (int64_t) gridDim.x * RANGE_THREADS)
    clear[i] = {0, 0, 0, 0};

  extent<T> e = extent_none<T> ();
  for (int64_t s = (int64_t) part * warps + threadIdx.x / 32; s < pieces; s += (int64_t) parts * warps)
    each_pixel<RANGE_DEEP> (l, problem, s, [&] (T v) {
      const extent<T> none = extent_none<T> ();
      bool finite = is_finite_pixel (v);
      extent_join (e, finite ? v : none.low, finite ? v : none.high, finite ? 0 : 1);
    });
  e = extent_of_block (e, shared);
  if (threadIdx.x == 0)
    extents[blockIdx.x] = e;
}

/* Every thread gets the range of a problem. */
template <typename T>
__device__ extent<T>
extents_join (const extent<T> *extents, int parts, extent<T> *shared)
{
  extent<T> e = extent_none<T> ();
#pragma unroll 2
  for (int i = (int) threadIdx.x; i < parts; i += (int) blockDim.x)
    extent_join (e, extents[i].low, extents[i].high, extents[i].odd);
  return extent_of_block (e, shared);
}

/* The same, NaN for one without finite pixels. */
template <typename T>
__device__ void
range_join (const extent<T> *extents, int parts, extent<T> *shared, double *low, double *high)
{
  extent<T> e = extents_join (extents, parts, shared);
  *low = e.low <= e.high ? (double) e.low : (double) NAN;
  *high = e.low <= e.high ? (double) e.high : (double) NAN;
}

/* ---- Bins ---- */

/* The arithmetic of common_histogram.c, which must not be fused. `quick`: all pixels are finite, and where in its bin a pixel lies
 * comes out so well in single precision that an edge has to be looked at only within `margin` bins of it. */
struct gpu_bins {
  double low, high;   /* of the pixels; NaN: no finite pixel */
  double scale;       /* a power of two */
  double first, last; /* low and high times scale */
  double delta, width;
  int64_t bins;       /* 0: no finite pixel; 1: all are equal */
  float a, b, margin; /* (place of a pixel, in bins from `low`, - 1/4) / (bins - 1/2) = pixel * a + b */
  bool exact, quick;
};

/* margin: 32 roundings of single precision at the size of the largest pixel, in bins. All roundings of the quotient and of
 * the edges together are less. */
template <typename T>
__device__ gpu_bins
bins_make (double low, double high, bool odd, int64_t bins, int64_t limit)
{
  constexpr bool integer = std::is_integral<T>::value, single = !integer && sizeof (T) == 4;
  gpu_bins g = {};
  g.low = low;
  g.high = high;
  g.scale = 1;
  g.exact = true;
  if (sizeof (T) < 4 || !(low < high)) {
    g.bins = isnan (low) ? 0 : (int64_t) (high - low) + 1;
    return g;
  }
  g.exact = integer && high - low < (double) limit;
  g.bins = g.exact ? (int64_t) (high - low) + 1 : bins;
  if (g.exact)
    return g;
  int exponent = ilogb (fmax (fabs (low), fabs (high))), most = single ? 126 : 1022;
  exponent = exponent > most ? most : exponent < -most ? -most : exponent;
  g.scale = ldexp (1.0, -exponent);
  g.first = low * g.scale;
  g.last = high * g.scale;
  g.delta = single ? (double) (float) (g.last - g.first) : g.last - g.first;
  g.width = single ? (double) (float) (g.delta / (double) bins) : g.delta / (double) bins;
  double steps = (double) bins / g.delta;
  g.a = (float) (steps * g.scale / ((double) bins - 0.5));
  g.b = (float) ((-g.first * steps - 0.25) / ((double) bins - 0.5));
  g.margin = (float) (steps * 0x1p-19);
  g.quick = !odd && exponent <= 100 && exponent >= -100 && steps * 0x1p-19 < 0.0625;
  return g;
}

__device__ __forceinline__ double
fused_not (double a, double b, double c)
{
  return __dadd_rn (__dmul_rn (a, b), c);
}

__device__ __forceinline__ float
fused_not (float a, float b, float c)
{
  return __fadd_rn (__fmul_rn (a, b), c);
}

__device__ __forceinline__ double
quotient (double a, double b)
{
  return __ddiv_rn (a, b);
}

__device__ __forceinline__ float
quotient (float a, float b)
{
  return __fdiv_rn (a, b);
}

/* The bin of a finite pixel as the CPU finds it; -1: not finite. R: float for f32, else double. */
template <typename R>
__device__ __noinline__ int
bin_slowly (R pixel, const gpu_bins *g)
{
  R low = (R) g->first, high = (R) g->last, width = (R) g->width;
  R x = pixel * (R) g->scale, y = x > low ? x : low;
  y = y < high ? y : high;
  int last = (int) g->bins - 1, k = (int) (quotient (y - low, (R) g->delta) * (R) g->bins);
  k = k < last ? k : last;
  k -= y < fused_not ((R) k, width, low);
  k += y >= fused_not ((R) (k + 1), width, low);
  k = k < last ? k : last;
  return x == y ? k : -1;
}

template <typename T> using bin_real = typename std::conditional<std::is_same<T, float>::value, float, double>::type;

/* What finding a bin needs, in registers. The place less 1/2 is held between -1/4 and bins - 3/4, so that the ends of the range are
 * far from edges; its nearest integer is the bin. */
template <typename T> struct binner {
  typedef bin_real<T> R;
  float a, b, reach, far; /* far: from the middle of a bin, as far as is safe */
  const gpu_bins *g;      /* in shared memory */

  __device__
  binner (const gpu_bins *from)
      : a (from->a), b (from->b), reach ((float) from->bins - 0.5f), far (0.5f - from->margin), g (from)
  {
  }

  /* For `quick`: the low bits of the result are the bin, if *ok remains true. */
  __device__ __forceinline__ uint32_t
  quick (T v, bool *ok) const
  {
    float place = __fmaf_rn (__saturatef (__fmaf_rn ((float) v, a, b)), reach, -0.25f);
    float t = __fadd_rn (place, 12582912.0f), off = __fsub_rn (place, __fsub_rn (t, 12582912.0f));
    *ok = *ok && fabsf (off) <= far;
    return __float_as_uint (t);
  }
  /* For `quick`: near an edge, that edge decides. */
  __device__ __forceinline__ int
  quick_or_edge (T v) const
  {
    float place = __fmaf_rn (__saturatef (__fmaf_rn ((float) v, a, b)), reach, -0.25f), middle = rintf (place);
    int k = (int) middle, edge = place > middle ? k + 1 : k;
    if (fabsf (place - middle) <= far)
      return k;
    k = (R) v * (R) g->scale >= fused_not ((R) edge, (R) g->width, (R) g->first) ? edge : edge - 1;
    return k < (int) g->bins ? k : (int) g->bins - 1;
  }
  /* -1: not finite. */
  __device__ __forceinline__ int
  of (T v) const
  {
    return g->quick ? quick_or_edge (v) : bin_slowly ((R) v, g);
  }
};

/* The value of bin i, in pixel * scale. */
template <typename R>
__device__ __forceinline__ double
gpu_edge (const gpu_bins &g, int64_t i)
{
  return i == g.bins ? g.last : (double) fused_not ((R) i, (R) g.width, (R) g.first);
}

/* ---- Counting ---- */

struct counts_of {
  void *data; /* uint32_t or uint64_t [problems][capacity] */
  int64_t capacity;
  bool wide;

  __device__ __forceinline__ void
  add (int64_t problem, int64_t bin, uint32_t n) const
  {
    int64_t i = problem * capacity + bin;
    if (wide)
      atomicAdd ((unsigned long long *) data + i, (unsigned long long) n);
    else
      atomicAdd ((uint32_t *) data + i, n);
  }
  __device__ __forceinline__ uint64_t
  get (int64_t problem, int64_t bin) const
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
    *result = bins_make<T> (some ? (double) e.low : (double) NAN, some ? (double) e.high : (double) NAN, e.odd, bins, limit);
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

/* At most 256 bins: each lane has a counter of 8 bits for each bin: bin k in byte k / 64 of word k % 64, whose bank is the lane's own,
 * so that no two lanes ever meet, whatever the pixels. Before 255 pixels a lane, lane i sums the words 2 i and 2 i + 1. */
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
  asm volatile ("{\n\t.reg .u32 n;\n\tld.shared.u8 n, [%0];\n\tadd.u32 n, n, 1;\n\tst.shared.u8 [%0], n;\n\t}" ::"r"(at)
                : "memory");
}

/* problems x parts blocks of 256, 64 KiB of shared memory; reads each pixel once, from the end (which the pass before has
 * left in the cache); adds at most 256 counts a block to the result. */
template <typename T>
__global__ void __launch_bounds__ (FEW_THREADS)
few_kernel (counting_job<T> job)
{
  extern __shared__ uint4 memory[];
  __shared__ gpu_bins bins;
  __shared__ uint32_t sums[256];
  constexpr int deep = few_deep<T>, size = piece_pixels<T, deep>, each = deep * 16 / (int) sizeof (T);
  int64_t problem = blockIdx.x / job.parts;
  int part = (int) (blockIdx.x % job.parts), warp = (int) threadIdx.x / 32, lane = (int) threadIdx.x & 31;
  uint32_t *words = (uint32_t *) memory + warp * 64 * 32, total[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  few_clear (words);
  sums[threadIdx.x] = 0;
  bins_join (job.extents + problem * job.extent_parts, job.extent_parts, job.bins, job.limit,
             part == 0 ? job.keep + problem : NULL, &bins);
  if (bins.bins < 2)
    return;

  binner<T> b (&bins);
  uint32_t mine = (uint32_t) __cvta_generic_to_shared (words) + 4 * (uint32_t) lane;
  const uint32_t mine_quick = mine - (0x4b400000u >> 6);
  const bool direct = sizeof (T) == 1 || bins.quick;
  int64_t pieces = job.pixels.count * ((job.pixels.columns + size - 1) / size), step = (int64_t) job.parts * FEW_WARPS;
  int filled = 0;
  fetched<T, deep> p;
#pragma unroll 1
  for (int64_t s = pieces - 1 - ((int64_t) part * FEW_WARPS + warp); s >= 0; s -= step) {
    fetch (job.pixels, problem, s, &p);
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

/* Up to 65536 bins: one block has counters of 16 bits, bins k and k + half in one word, so that neighbours are apart. All
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

/* problems x parts blocks of 1024 with up to 128 KiB of shared memory; reads each pixel once; the next round's pixels are on
 * their way while a round is counted. Two barriers a round. */
template <typename T>
__global__ void __launch_bounds__ (MANY_THREADS)
many_kernel (counting_job<T> job)
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
  constexpr bool ahead = sizeof (T) == 2; /* the others have not the registers */
  fetched<T, deep> p, now;
  if (ahead && s >= 0)
    fetch (job.pixels, problem, s, &p);
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
    now = p;
    if (ahead && s - step >= 0)
      fetch (job.pixels, problem, s - step, &p);
    if (!ahead && s >= 0)
      fetch (job.pixels, problem, s, &now);
    if (s >= 0 && now.n)
#pragma unroll 1
      for (int i = lane; i < now.n; i += 32, now.at += 32)
        count (*now.at, 1);
    else if (s >= 0)
#pragma unroll
      for (int k = 0; k < deep; k++) {
        uint4 v = now.v[k].vector;
        bool same = sizeof (T) <= 4 && v.x == v.y && v.x == v.z && v.x == v.w;
        if (sizeof (T) == 2)
          same = same && now.v[k].pixel[0] == now.v[k].pixel[1];
        if (same) /* as in backgrounds, where all would meet at one counter */
          count (now.v[k].pixel[0], (uint32_t) now.each);
        else
#pragma unroll
          for (int i = 0; i < now.each; i++)
            count (now.v[k].pixel[i], 1);
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

/* problems x parts blocks of 512: clears the bins that there are. For i32, whose bins only the device knows. */
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

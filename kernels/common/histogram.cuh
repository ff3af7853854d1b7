/* SPDX-License-Identifier: MIT
 *
 * Range and bins of the histograms on the GPU, equal to those of histogram.h; a problem is what has a histogram of
 * its own: a plane or a volume. Nothing is read back: kernels take the range and the bins from device memory.
 */
#ifndef KERNELS_COMMON_HISTOGRAM_CUH
#define KERNELS_COMMON_HISTOGRAM_CUH

#include "kernels/common/histogram.h"
#include "kernels/common/lines.cuh"

#include <float.h>

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
    extent_join (e, (T) __shfl_xor_sync (~0u, e.low, d), (T) __shfl_xor_sync (~0u, e.high, d),
                 __shfl_xor_sync (~0u, e.odd, d));
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
  int64_t n = blocks_for (pieces_of<T, RANGE_DEEP> (l), RANGE_THREADS / 32), most = 2 * multiprocessors ();
  return (int) (n < 1 ? 1 : n < most ? n : most < MOST_PARTS ? most : (int64_t) MOST_PARTS);
}

/* problems x parts blocks of 512; reads each pixel once, writes one extent a block; clears `clear`. One barrier in each block, none between
 * them: the kernel that needs the range joins the parts. */
template <typename T>
__global__ void
__launch_bounds__ (RANGE_THREADS, 2)
  range_kernel (lines<T> l, int parts, extent<T> *extents, uint4 *clear, int64_t n_clear)
{
  __shared__ extent<T> shared[32];
  let_next_start ();
  int64_t problem = blockIdx.x / parts;
  int part = (int) (blockIdx.x % parts);
  constexpr int warps = RANGE_THREADS / 32, size = piece_pixels<T, RANGE_DEEP>;
  int64_t pieces = l.count * ((l.columns + size - 1) / size);
  for (int64_t i = (int64_t) blockIdx.x * RANGE_THREADS + threadIdx.x; i < n_clear;
       i += (int64_t) gridDim.x * RANGE_THREADS)
    clear[i] = {0, 0, 0, 0};

  const extent<T> none = extent_none<T> ();
  constexpr bool single = std::is_same<T, float>::value;
  extent<T> e = none;
  T zero = 0; /* becomes NaN by a pixel that is not finite: then all is done again with more care */
#pragma unroll 1
  for (int again = 0; again < 2 && (!again || zero != 0); again++) {
    e = none;
#pragma unroll 1
    for (int64_t s = (int64_t) part * warps + threadIdx.x / 32; s < pieces; s += (int64_t) parts * warps)
      if (single && !again)
        each_pixel<RANGE_DEEP> (l, problem, s, [&] (T v) {
          e.low = single ? (T) fminf ((float) e.low, (float) v) : e.low;
          e.high = single ? (T) fmaxf ((float) e.high, (float) v) : e.high;
          zero = single ? (T) __fmaf_rn ((float) v, 0.0f, (float) zero) : zero;
        });
      else
        each_pixel<RANGE_DEEP> (l, problem, s, [&] (T v) {
          bool finite = is_finite_pixel (v);
          extent_join (e, finite ? v : none.low, finite ? v : none.high, finite ? 0 : 1);
        });
  }
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

/* The arithmetic of histogram.c, which must not be fused. `quick`: all pixels are finite, and where in its bin a pixel lies
 * comes out so well in single precision that an edge has to be looked at only within `margin` bins of it. */
struct gpu_bins {
  double low, high;   /* of the pixels; NaN: no finite pixel */
  double scale;       /* a power of two */
  double first, last; /* low and high times scale */
  double delta, width;
  int64_t bins;       /* 0: no finite pixel; 1: all are equal */
  float a, b, margin; /* (position of a pixel, in bins from `low`, - 1/4) / (bins - 1/2) = pixel * a + b */
  bool exact, quick;
};

/* margin: 64 roundings of single precision at the size of the largest pixel, in bins. All roundings of the position and of the
 * edges together are less. */
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
  int exponent = (__double2hiint (fmax (fabs (low), fabs (high))) >> 20 & 2047) - 1023, most = single ? 126 : 1022;
  exponent = exponent > most ? most : exponent < -most ? -most : exponent;
  g.scale = __hiloint2double ((1023 - exponent) << 20, 0); /* 2 to the power of -exponent */
  g.first = low * g.scale;
  g.last = high * g.scale;
  g.delta = single ? (double) (float) (g.last - g.first) : g.last - g.first;
  g.width = single ? (double) (float) (g.delta / (double) bins) : g.delta / (double) bins;
  const float steps = __fdividef ((float) bins, (float) g.delta), reach = 1 / ((float) bins - 0.5f);
  g.a = (float) ((double) steps * g.scale * (double) reach);
  g.b = (float) ((-g.first * (double) steps - 0.25) * (double) reach);
  g.margin = steps * 0x1p-18f;
  g.quick = !odd && exponent <= 100 && exponent >= -100 && g.margin < 0.0625f;
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

/* What finding a bin needs, in registers. The position less 1/2 is held between -1/4 and bins - 3/4, so that the ends of the range are
 * far from edges; its nearest integer is the bin. */
template <typename T> struct binner {
  typedef bin_real<T> R;
  float a, b, reach, far; /* far: from the middle of a bin, as far as is safe */
  const gpu_bins *g;      /* in shared memory */

  __device__ binner (const gpu_bins *from)
      : a (from->a), b (from->b), reach ((float) from->bins - 0.5f), far (0.5f - from->margin), g (from)
  {
  }

  /* For `quick`: the low bits of the result are the bin, if *ok remains true. */
  __device__ __forceinline__ uint32_t quick (T v, bool *ok) const
  {
    float position = __fmaf_rn (__saturatef (__fmaf_rn ((float) v, a, b)), reach, -0.25f);
    float t = __fadd_rn (position, 12582912.0f), off = __fsub_rn (position, __fsub_rn (t, 12582912.0f));
    *ok = *ok && fabsf (off) <= far;
    return __float_as_uint (t);
  }
  /* For `quick`: near an edge, that edge decides. */
  __device__ __forceinline__ int quick_or_edge (T v) const
  {
    float position = __fmaf_rn (__saturatef (__fmaf_rn ((float) v, a, b)), reach, -0.25f), middle = rintf (position);
    int k = (int) middle, edge = position > middle ? k + 1 : k;
    if (fabsf (position - middle) <= far)
      return k;
    k = (R) v * (R) g->scale >= fused_not ((R) edge, (R) g->width, (R) g->first) ? edge : edge - 1;
    return k < (int) g->bins ? k : (int) g->bins - 1;
  }
  /* -1: not finite. */
  __device__ __forceinline__ int of (T v) const
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

#endif

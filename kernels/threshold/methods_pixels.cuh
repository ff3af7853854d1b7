/* SPDX-License-Identifier: MIT
 *
 * The methods that work on the pixels, on the GPU: mean, and li on floats and on integers that span too much. One kernel
 * whose blocks are all resident, as it takes another step until nothing moves. Sums are of integers, as the CPU's.
 */
#ifndef KERNELS_THRESHOLD_METHODS_PIXELS_CUH
#define KERNELS_THRESHOLD_METHODS_PIXELS_CUH

#include "kernels/threshold/choosing.cuh"
#include "kernels/common/defined.h"

enum { MOMENTS_DEEP = 4, GAP_BUCKETS = 1 << 20 };

template <typename T> struct moments_job {
  lines<T> pixels;
  const extent<T> *extents;
  int extent_parts, parts, groups; /* blocks and problems at a time: parts * groups blocks */
  int64_t problems;
  moments_part *partial; /* [groups][2][parts] */
  int *smaller;          /* [groups][parts]: gaps */
  unsigned *arrived;     /* [groups], cleared */
  double *buckets;       /* [groups][GAP_BUCKETS] */
  double *gaps;          /* [groups][parts][3] */
  unsigned *clash;       /* [groups], cleared */
  int64_t limit;         /* exact histograms of integers have been dealt with */
  choosing c;
};

/* Moments of the pixels by all blocks of a group; every block joins the parts. */
template <typename T>
__device__ __noinline__ moments
moments_at (const moments_job<T> &job, int64_t problem, int group, int part, const moments_rule &rule, unsigned *turn,
            moments_part *shared)
{
  constexpr int size = piece_pixels<T, MOMENTS_DEEP>;
  int64_t pieces = job.pixels.count * ((job.pixels.columns + size - 1) / size), warps = blockDim.x / 32;
  const double low = rule.low, t = rule.t, scale_below = rule.scale[0], scale_above = rule.scale[1];
  moments_part m = {};
  for (int64_t s = (int64_t) part * warps + threadIdx.x / 32; s < pieces; s += (int64_t) job.parts * warps) {
    uint64_t sum0 = 0, sum1 = 0;
    uint32_t n0 = 0, n1 = 0;
    each_pixel<MOMENTS_DEEP> (job.pixels, problem, s, [&] (T p) {
      double d;
      if constexpr (std::is_same<T, float>::value)
        d = (double) __fsub_rn (p, (float) low);
      else
        d = __dsub_rn ((double) p, low);
      if (!(fabs (d) <= DBL_MAX))
        return;
      if (d <= t) {
        n0++;
        sum0 += exact_term (__dmul_rn (d, scale_below));
      } else {
        n1++;
        sum1 += exact_term (__dmul_rn (d, scale_above));
      }
    });
    m.n[0] += n0;
    m.n[1] += n1;
    exact_add (&m.sum[0], sum0, n0);
    exact_add (&m.sum[1], sum1, n1);
  }
  m = join_block (m, shared, moments_join);
  moments_part *partial = job.partial + ((int64_t) group * 2 + (*turn & 1)) * job.parts;
  if (threadIdx.x == 0)
    partial[part] = m;
  group_barrier (job.arrived + group, job.parts, turn);
  m = {};
  for (int i = (int) threadIdx.x; i < job.parts; i += (int) blockDim.x) {
    const moments_part *from = partial + i;
    m = moments_join (m, {{__ldcg (from->n), __ldcg (from->n + 1)},
                          {{__ldcg (&from->sum[0].high), __ldcg (&from->sum[0].low)},
                           {__ldcg (&from->sum[1].high), __ldcg (&from->sum[1].low)}}});
  }
  m = join_block (m, shared, moments_join);
  return moments_of (&m, &rule);
}

/* pixels_smallest_gap() by all blocks of a group. */
template <typename T>
__device__ __noinline__ double
smallest_gap (const moments_job<T> &job, int64_t problem, int group, int part, double low, double high, double width,
              unsigned *turn)
{
  __shared__ double shared[3][32];
  double span = sizeof (T) == 4 ? (double) __fsub_rn ((float) high, (float) low) : __dsub_rn (high, low);
  if (!(__ddiv_rn (span, width) < (double) (GAP_BUCKETS - 1)))
    return 0;
  double *buckets = job.buckets + (int64_t) group * GAP_BUCKETS;
  volatile unsigned *clash = job.clash + group;
  int64_t threads = (int64_t) job.parts * blockDim.x, me = (int64_t) part * blockDim.x + threadIdx.x;
  for (int64_t i = me; i < GAP_BUCKETS; i += threads)
    __stcg (buckets + i, -1.0);
  if (me == 0)
    *clash = 0;
  group_barrier (job.arrived + group, job.parts, turn);

  constexpr int size = piece_pixels<T, MOMENTS_DEEP>;
  int64_t pieces = job.pixels.count * ((job.pixels.columns + size - 1) / size), warps = blockDim.x / 32;
  for (int64_t s = (int64_t) part * warps + threadIdx.x / 32; s < pieces && !*clash; s += (int64_t) job.parts * warps)
    each_pixel<MOMENTS_DEEP> (job.pixels, problem, s, [&] (T p) {
      if (!is_finite_pixel (p))
        return;
      double d;
      if constexpr (std::is_same<T, float>::value)
        d = (double) __fsub_rn (p, (float) low);
      else
        d = __dsub_rn ((double) p, low);
      double *bucket = buckets + (int64_t) __ddiv_rn (d, width);
      double is = __ldcg (bucket);
      if (is == d)
        return;
      unsigned long long old = __double_as_longlong (-1.0);
      if (is < 0)
        old = atomicCAS ((unsigned long long *) bucket, old, (unsigned long long) __double_as_longlong (d));
      else
        old = (unsigned long long) __double_as_longlong (is);
      if (__longlong_as_double ((long long) old) >= 0 && __longlong_as_double ((long long) old) != d)
        *clash = 1;
    });
  group_barrier (job.arrived + group, job.parts, turn);
  if (*clash)
    return 0;

  /* Each thread of the group has buckets that follow each other; first, last and smallest gap are joined in order. */
  int64_t each = (GAP_BUCKETS + threads - 1) / threads, from = me * each;
  double first = HUGE_VAL, last = -HUGE_VAL, least = HUGE_VAL;
  for (int64_t i = from; i < from + each && i < GAP_BUCKETS; i++) {
    double v = __ldcg (buckets + i);
    if (v < 0)
      continue;
    least = fmin (least, __dsub_rn (v, last));
    first = fmin (first, v);
    last = v;
  }
  auto join = [&] (double other_first, double other_last,
                   double other_least) { /* the other comes after */
                                         least = fmin (fmin (least, other_least), __dsub_rn (other_first, last));
                                         first = fmin (first, other_first);
                                         last = fmax (last, other_last);
  };
  int lane = (int) threadIdx.x & 31, warp = (int) threadIdx.x / 32;
#pragma unroll 1
  for (int d = 1; d < 32; d *= 2) {
    double a = __shfl_down_sync (~0u, first, d), b = __shfl_down_sync (~0u, last, d),
           e = __shfl_down_sync (~0u, least, d);
    if ((lane & (2 * d - 1)) == 0)
      join (a, b, e);
  }
  if (lane == 0) {
    shared[0][warp] = first;
    shared[1][warp] = last;
    shared[2][warp] = least;
  }
  __syncthreads ();
  double *gaps = job.gaps + (int64_t) group * job.parts * 3;
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int i = 1; i < (int) warps; i++)
      join (shared[0][i], shared[1][i], shared[2][i]);
    __stcg (gaps + part * 3, first);
    __stcg (gaps + part * 3 + 1, last);
    __stcg (gaps + part * 3 + 2, least);
  }
  group_barrier (job.arrived + group, job.parts, turn);
  first = HUGE_VAL, last = -HUGE_VAL, least = HUGE_VAL;
#pragma unroll 1
  for (int i = 0; i < job.parts; i++)
    join (__ldcg (gaps + i * 3), __ldcg (gaps + i * 3 + 1), __ldcg (gaps + i * 3 + 2));
  return least >= width ? least : 0;
}

enum { MOMENTS_THREADS = 512 };

/* parts x groups blocks of 512, all resident; reads each pixel once for each step (once for `mean`), one barrier between the
 * blocks of a group each time. */
template <typename T>
__global__ void
__launch_bounds__ (MOMENTS_THREADS) moments_kernel (const __grid_constant__ moments_job<T> job)
{
  __shared__ extent<T> ends[32];
  __shared__ moments_part shared[32];
  __shared__ double t[LI_STEPS + 1];
  constexpr bool integer = std::is_integral<T>::value;
  int group = (int) (blockIdx.x / job.parts), part = (int) (blockIdx.x % job.parts);
  unsigned turn = 0;
  for (int64_t problem = group; problem < job.problems; problem += job.groups) {
    double low = 0, high = sizeof (T) == 1 ? 255 : 65535, threshold;
    if (sizeof (T) >= 4)
      range_join (job.extents + problem * job.extent_parts, job.extent_parts, ends, &low, &high);
    if (job.c.method == THRESHOLD_MEAN) {
      const double start = integer ? 0 : low;
      const moments_rule rule = moments_rule_of (job.c.type, low, high, start, HUGE_VAL);
      const moments m = moments_at (job, problem, group, part, rule, &turn, shared);
      threshold = rounded (__dadd_rn (start, __ddiv_rn (m.sum[0], m.n[0])), std::is_same<T, float>::value);
    } else {
      if (!(low < high) || (integer && high - low < (double) job.limit)) {
        if (!integer && part == 0 && threadIdx.x == 0)
          finish (job.c, problem, low);
        continue; /* choose_kernel has found that of integers */
      }
      moments_rule rule = moments_rule_of (job.c.type, low, high, low, HUGE_VAL);
      moments m = moments_at (job, problem, group, part, rule, &turn, shared);
      int n = 0, last = 0;
      double now = __ddiv_rn (m.sum[0], m.n[0]), smallest = HUGE_VAL, gap = 1;
      if (threadIdx.x == 0)
        t[0] = now;
      while (n < LI_STEPS) {
        rule = moments_rule_of (job.c.type, low, high, low, now);
        m = moments_at (job, problem, group, part, rule, &turn, shared);
        double below = __ddiv_rn (m.sum[0], m.n[0]), above = __ddiv_rn (m.sum[1], m.n[1]), next = -1;
        if (below > 0)
          next = __ddiv_rn (__dsub_rn (below, above), __dsub_rn (defined_log (below), defined_log (above)));
        if (!(next > 0) || next == now)
          break;
        smallest = fmin (smallest, fabs (next - now));
        now = next;
        n++;
        if (threadIdx.x == 0)
          t[n] = now;
      }
      if (n && !integer)
        gap = smallest_gap (job, problem, group, part, low, high, 2 * smallest, &turn);
      __syncthreads ();
      while (last < n && !(last && fabs (t[last] - t[last - 1]) <= gap / 2))
        last++;
      threshold = rounded (__dadd_rn (t[last], low), std::is_same<T, float>::value);
    }
    if (part == 0 && threadIdx.x == 0)
      finish (job.c, problem, threshold);
    __syncthreads ();
  }
}

#endif

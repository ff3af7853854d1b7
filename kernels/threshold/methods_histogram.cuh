/* SPDX-License-Identifier: MIT
 *
 * The methods that work on the histogram, on the GPU, as in methods.c. Equality with the CPU: exact integers in
 * any order, or the CPU's roundings in the CPU's order. Launch shapes and barriers stand before each kernel.
 */
#ifndef KERNELS_THRESHOLD_METHODS_HISTOGRAM_CUH
#define KERNELS_THRESHOLD_METHODS_HISTOGRAM_CUH

#include "kernels/threshold/choosing.cuh"
#include "kernels/common/defined.h"

/* ---- Methods: the best bin of the block's, for all threads; {.at = INT32_MAX}: none ---- */

struct memory {
  char *at; /* arrays of n values follow each other */
  int64_t n;

  template <typename R> __device__ R *array (int i) const
  {
    return (R *) at + (int64_t) i * n;
  }
};

/* How sums of pixels are made. EXACT: as integers, which the CPU's doubles are as well; SINGLE: in the CPU's order; EITHER:
 * as integers where those are and stay below 2^53, else in the CPU's order. */
enum mode { EXACT, SINGLE, EITHER };

__device__ bool
sums_exact (const table &t)
{
  double low = fabs (t.low ()), high = fabs (t.low () + (double) t.n);
  return t.g->exact && (double) t.all.n * fmax (low, high) < 9007199254740992.0;
}

/* The first block then deals with all bins. */
__device__ void
take_all (table *t)
{
  t->begin = t->part == 0 ? 0 : t->n;
  t->end = t->n;
  t->before = {0, 0};
}

/* Sums of count * center, of bins 0 ... i and of bins i ... n - 1, in the CPU's order; floats for f32. */
template <int MODE> struct sums {
  bool exact;
  int64_t low;
  weight all;
  const void *up, *down;

  __device__ __forceinline__ double below (int i, weight w) const
  {
    return exact ? (double) ((int64_t) w.sum + (int64_t) w.n * low) : at (up, i);
  }
  __device__ __forceinline__ double above (int i, weight w) const
  {
    return exact ? (double) ((int64_t) (all.sum - w.sum) + (int64_t) (all.n - w.n) * low) : at (down, i + 1);
  }
  __device__ __forceinline__ double at (const void *array, int64_t i) const
  {
    return MODE == SINGLE ? (double) ((const float *) array)[i] : ((const double *) array)[i];
  }
};

template <typename R>
__device__ void
sums_in_order (const table &t, R *up, R *down)
{
#pragma unroll 1
  for (int i = threadIdx.x; i < t.n; i += blockDim.x) {
    up[i] = (R) __dmul_rn ((double) t.count (i), t.center (i));
    if (down)
      down[i] = up[i];
  }
  __syncthreads ();
  R sum = 0;
  auto add = [&] (R v, int) {
    if constexpr (sizeof (R) == 4)
      return sum = __fadd_rn (sum, v); /* the same as in double, rounded to single */
    else
      return sum = __dadd_rn (sum, v);
  };
  if (threadIdx.x < 32)
    chain<false> (up, t.n, add);
  else if (threadIdx.x < 64 && down)
    chain<true> (down, t.n, add);
  __syncthreads ();
}

template <int MODE>
__device__ sums<MODE>
sums_make (table *t, memory m, bool both)
{
  sums<MODE> s = {MODE == EXACT || (MODE == EITHER && sums_exact (*t)), (int64_t) t->low (), t->all,
                  m.array<double> (0), m.array<double> (1)};
  if (MODE == EXACT || s.exact)
    return s;
  take_all (t);
  if (t->begin == t->end)
    return s;
  if constexpr (MODE == SINGLE)
    sums_in_order (*t, (float *) s.up, both ? (float *) s.down : NULL);
  else if constexpr (MODE == EITHER)
    sums_in_order (*t, (double *) s.up, both ? (double *) s.down : NULL);
  return s;
}

template <int EACH, int MODE>
__device__ best
otsu (table &t, memory m)
{
  __shared__ best shared[32];
  constexpr bool single = MODE == SINGLE;
  const sums<MODE> s = sums_make<MODE> (&t, m, true);
  best b = {-1, INT32_MAX};
  scan_bins<EACH> (t, [&] (int i, uint64_t n, weight w) {
    if (!n || i == t.n - 1)
      return;
    double below = __ddiv_rn (s.below (i, w), (double) w.n),
           above = __ddiv_rn (s.above (i, w), (double) (t.all.n - w.n));
    double d = rounded (__dsub_rn (rounded (below, single), rounded (above, single)), single);
    float product = __fmul_rn ((float) (int64_t) w.n, (float) (int64_t) (t.all.n - w.n));
    double variance = rounded (__dmul_rn ((double) product, rounded (__dmul_rn (d, d), single)), single);
    if (variance > b.value)
      b = {variance, i, 0};
  });
  return join_block (b, shared, better);
}

/* The first bin that reaches up to the middle; the value puts what was found there first in order. */
template <int EACH, int MODE>
__device__ best
isodata (table &t, memory m)
{
  __shared__ best shared[32];
  constexpr bool single = MODE == SINGLE;
  const sums<MODE> s = sums_make<MODE> (&t, m, false);
  double width = rounded (t.center (1) - t.center (0), single);
  double sum = s.exact ? (double) ((int64_t) t.all.sum + (int64_t) t.all.n * s.low) : s.at (s.up, t.n - 1);
  best b = {-HUGE_VAL, INT32_MAX};
  scan_bins<EACH> (t, [&] (int i, uint64_t, weight w) {
    if (b.at != INT32_MAX || i == t.n - 1)
      return;
    double below = s.below (i, w), lower = rounded (__ddiv_rn (below, (double) w.n), single);
    double higher = rounded (__ddiv_rn (rounded (__dsub_rn (sum, below), single), (double) (t.all.n - w.n)), single);
    double middle = rounded (rounded (__dadd_rn (lower, higher), single) / 2, single);
    double distance = rounded (__dsub_rn (middle, t.center (i)), single);
    if (distance < width)
      b = {-(double) i, distance >= 0 || i == 0 ? i : i - 1};
  });
  return join_block (b, shared, better);
}

__device__ best
triangle (const table &t)
{
  __shared__ best shared[32];
  int n = t.n, peak = t.peak;
  bool flip = peak < n - 1 - peak;
  double height = (double) t.count (peak), width = (double) (flip ? n - 1 - peak : peak);
  double norm = __dsqrt_rn (fused_not (height, height, __dmul_rn (width, width)));
  double slope = __ddiv_rn (height, norm), drop = __ddiv_rn (width, norm);
  best b = {-HUGE_VAL, INT32_MAX};
  for (int i = t.begin + threadIdx.x; i < t.end; i += blockDim.x) {
    int x = flip ? n - 1 - i : i;
    if ((double) x < width)
      b = better (b, {__dsub_rn (__dmul_rn (slope, (double) x), __dmul_rn (drop, (double) t.count (i))), x});
  }
  return join_block (b, shared, better);
}

__device__ int
yen (const table &t, memory m)
{
  __shared__ best shared[32];
  float *share = m.array<float> (0), *squares = m.array<float> (1), *squares_above = m.array<float> (2);
  best b = {-HUGE_VAL, INT32_MAX};
  for (int i = threadIdx.x; i < t.n; i += blockDim.x) {
    float p = __fdiv_rn ((float) (int64_t) t.count (i), (float) (int64_t) t.all.n);
    share[i] = p;
    squares[i] = squares_above[i] = __fmul_rn (p, p);
  }
  __syncthreads ();
  float sum = 0;
  auto add = [&] (float v, int) { return sum = __fadd_rn (sum, v); };
  if (threadIdx.x < 64)
    chain<false> (threadIdx.x < 32 ? share : squares, t.n, add);
  else if (threadIdx.x < 96)
    chain<true> (squares_above, t.n, add);
  __syncthreads ();
  for (int i = threadIdx.x; i < t.n - 1; i += blockDim.x) {
    float below = share[i], spread = __fmul_rn (below, __fsub_rn (1, below));
    float v = __fmul_rn (__fdiv_rn (1, __fmul_rn (squares[i], squares_above[i + 1])), __fmul_rn (spread, spread));
    v = (float) defined_log ((double) v);
    if (v > b.value)
      b = {v, i};
  }
  b = join_block (b, shared, better);
  return b.at == INT32_MAX ? 0 : b.at;
}

template <int EACH>
__device__ int
max_entropy (const table &t, memory m)
{
  __shared__ int result;
  double *work = m.array<double> (0), *entropy = m.array<double> (1);
  for (int i = threadIdx.x; i < t.n; i += blockDim.x) {
    double n = (double) t.count (i);
    work[i] = n > 0 ? __dmul_rn (n, defined_log (n)) : 0;
  }
  __syncthreads ();
  double sum = 0;
  if (threadIdx.x < 32)
    chain<false> (work, t.n, [&] (double v, int) { return sum = __dadd_rn (sum, v); });
  __syncthreads ();
  sum = work[t.n - 1];
  scan_bins<EACH> (t, [&] (int i, uint64_t, weight w) {
    double b = (double) w.n, a = (double) (t.all.n - w.n);
    double e = __dsub_rn (defined_log (b), __ddiv_rn (work[i], b));
    e = __dadd_rn (e, defined_log (a));
    entropy[i] = i < t.n - 1 ? __dsub_rn (e, __ddiv_rn (__dsub_rn (sum, work[i]), a)) : -HUGE_VAL;
  });
  __syncthreads ();
  if (threadIdx.x < 32) {
    double bar = -HUGE_VAL;
    int at = 0, n = (int) t.n, lane = (int) threadIdx.x;
    for (int base = 0; base < n; base += 32) {
      double e = base + lane < n ? entropy[base + lane] : -HUGE_VAL, next = __dadd_rn (e, 1e-12);
      /* Where no bin is above the bar, as from the maximum on, nothing changes. */
      for (unsigned more = __ballot_sync (~0u, e > bar); more;) {
        int i = __ffs ((int) more) - 1;
        bar = __shfl_sync (~0u, next, i);
        at = base + i;
        more = __ballot_sync (~0u, e > bar && lane > i);
      }
    }
    if (lane == 0)
      result = at;
  }
  __syncthreads ();
  return result;
}

/* The weights of all bins up to each, for li_of_table(). */
template <int EACH>
__device__ void
li_prepare (const table &t, memory m)
{
  uint64_t *number = m.array<uint64_t> (0), *sum = m.array<uint64_t> (1);
  scan_bins<EACH> (t, [&] (int i, uint64_t, weight w) {
    number[i] = w.n;
    sum[i] = w.sum;
  });
}

/* The threshold itself, by one thread. Values from 0, the smallest pixel. */
__device__ double
li_of_table (const table &t, memory m)
{
  const uint64_t *number = m.array<uint64_t> (0), *sum = m.array<uint64_t> (1);
  double all = (double) t.all.sum, total = (double) t.all.n, v = __ddiv_rn (all, total);
  for (int k = 0; k < LI_STEPS; k++) {
    int i = v < (double) (t.n - 1) ? (int64_t) v : t.n - 1;
    double n0 = (double) __ldcg (number + i), sum0 = (double) __ldcg (sum + i);
    double below = __ddiv_rn (sum0, n0), above = __ddiv_rn (__dsub_rn (all, sum0), __dsub_rn (total, n0));
    if (!(below > 0))
      break;
    double next = __ddiv_rn (__dsub_rn (below, above), __dsub_rn (defined_log (below), defined_log (above))),
           before = v;
    if (next < 0)
      break;
    v = next;
    if (fabs (v - before) <= 0.5 || isnan (v))
      break;
  }
  return __dadd_rn (t.low (), v);
}

/* What the kernels of `minimum` and `huang` hand on. */
struct state {
  int64_t n;
  table t;
  int running; /* no answer yet */
  int done;    /* minimum: stages that have ended without one */
};

__device__ __forceinline__ state *
state_of (const choosing &c, int64_t problem)
{
  return (state *) (c.work + problem * c.work_bytes);
}

__device__ __forceinline__ memory
memory_of (const choosing &c, int64_t problem, int64_t n)
{
  return {c.work + problem * c.work_bytes + (sizeof (state) + 63) / 64 * 64, n};
}

__device__ void
minimum_start (const choosing &c, const table &t, memory m)
{
  uint64_t *now = m.array<uint64_t> (0); /* as bin_load() has them: at stage 0 */
  for (int i = (int) threadIdx.x; i < t.n; i += (int) blockDim.x)
    now[i] = __float_as_uint ((float) (int64_t) t.count (i));
  if (threadIdx.x == 0)
    *state_of (c, t.problem) = {t.n, t, 1, 0};
}

/* Counts, weights and sums as doubles; all are integers. */
template <int EACH>
__device__ void
huang_start (const choosing &c, const table &t, memory m)
{
  double *counts = m.array<double> (0), *number = m.array<double> (1), *sum = m.array<double> (2);
  scan_bins<EACH> (t, [&] (int i, uint64_t n, weight w) {
    counts[i] = (double) n;
    number[i] = (double) w.n;
    sum[i] = (double) w.sum;
  });
  if (threadIdx.x == 0)
    *state_of (c, t.problem) = {t.n, t, 1, 0};
}

/* The block that comes last gets the best of all blocks of its problem; false for the others. */
__device__ bool
best_of_all (const choosing &c, int64_t problem, best *b)
{
  __shared__ best shared[32];
  __shared__ bool last;
  if (c.parts == 1)
    return true;
  if (threadIdx.x == 0) {
    c.bests[blockIdx.x] = *b;
    __threadfence ();
    last = atomicAdd (&c.tickets[problem], 1) == (unsigned) c.parts - 1;
    __threadfence ();
  }
  __syncthreads ();
  if (!last)
    return false;
  *b = {-HUGE_VAL, INT32_MAX};
  for (int i = (int) threadIdx.x; i < c.parts; i += (int) blockDim.x) {
    const best *other = c.bests + problem * c.parts + i;
    *b = better (*b, {__ldcg (&other->value), __ldcg (&other->at)});
  }
  *b = join_block (*b, shared, better);
  return true;
}

/* problems x parts blocks of 256 or 1024 threads; reads the counts (4 bytes a bin) once or twice. Barriers: a few, and one for
 * each 256, 1024 or 4096 bins. The last block of a problem, by a ticket, ends it. */
template <int METHOD, int EACH, int MODE>
__global__ void
__launch_bounds__ (EACH == 1 ? CHOOSE_SMALL : CHOOSE_LARGE) choose_kernel (choosing c)
{
  __shared__ __align__ (16) char few[3 * 256 * 8];
  constexpr bool goes_on = METHOD == THRESHOLD_MINIMUM || METHOD == THRESHOLD_HUANG;
  double threshold;
  table t;
  wait_for_kernel_before ();
  bool some = table_make (c, &t, &threshold);
  int64_t problem = t.problem;
  memory m = memory_of (c, problem, t.n);
  best b = {-HUGE_VAL, INT32_MAX};
  if (!some) {
    if (threadIdx.x == 0 && t.part == 0) {
      if (goes_on)
        state_of (c, problem)->running = 0;
      finish (c, problem, threshold);
    }
    return;
  }
  if (METHOD == THRESHOLD_MINIMUM)
    minimum_start (c, t, m);
  if (METHOD == THRESHOLD_HUANG)
    huang_start<EACH> (c, t, m);
  if (goes_on || (METHOD == THRESHOLD_LI && !t.g->exact))
    return; /* other kernels find it */
  if (METHOD != THRESHOLD_LI && t.n <= 256)
    m.at = few;
  if (METHOD == THRESHOLD_OTSU)
    b = otsu<EACH, MODE> (t, m);
  if (METHOD == THRESHOLD_ISODATA)
    b = isodata<EACH, MODE> (t, m);
  if (METHOD == THRESHOLD_TRIANGLE)
    b = triangle (t);
  if (METHOD == THRESHOLD_YEN)
    b.at = yen (t, m);
  if (METHOD == THRESHOLD_MAX_ENTROPY)
    b.at = max_entropy<EACH> (t, m);
  if (METHOD == THRESHOLD_LI) {
    li_prepare<EACH> (t, m);
    __threadfence ();
    __syncthreads ();
  }
  if (!best_of_all (c, problem, &b) || threadIdx.x)
    return;
  if (METHOD == THRESHOLD_LI)
    threshold = li_of_table (t, m);
  else {
    int bin = b.at != INT32_MAX ? b.at : METHOD == THRESHOLD_ISODATA ? t.n - 2 : 0;
    if (METHOD == THRESHOLD_TRIANGLE && t.peak < t.n - 1 - t.peak)
      bin = t.n - 1 - bin;
    threshold = __ddiv_rn (t.center (bin), t.g->scale);
  }
  finish (c, problem, threshold);
}

__device__ void
finish_bin (const choosing &c, int64_t problem, int64_t bin)
{
  const state *s = state_of (c, problem);
  finish (c, problem, bin < 0 ? (double) NAN : __ddiv_rn (s->t.center (bin), s->t.g->scale));
}

#endif

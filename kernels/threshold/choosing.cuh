/* SPDX-License-Identifier: MIT
 *
 * The parts that choose a threshold on the GPU: the table of bins that a block sees, sums and searches over it by one block, and sums in
 * the CPU's order by one lane. All methods end with threshold and band.
 */
#ifndef KERNELS_THRESHOLD_CHOOSING_CUH
#define KERNELS_THRESHOLD_CHOOSING_CUH

#include "kernels/common/blocks.cuh"
#include "kernels/common/histogram_count.cuh"
#include "kernels/threshold/threshold_args.h"

enum { CHOOSE_SMALL = 256, CHOOSE_LARGE = 1024, LI_STEPS = 1000 };

/* What a kernel needs to know of all problems. */
struct choosing {
  fv_type type;
  int method;
  bool dark;
  const gpu_bins *bins;
  counts_of counts;
  char *work; /* [problems][work_bytes] */
  int64_t work_bytes;
  int parts;              /* blocks for each problem */
  struct survey *surveys; /* [problems][parts], when there are several */
  struct best *bests;     /* likewise */
  unsigned *tickets;      /* [problems], cleared: how many blocks have come to the end */
  unsigned *queue;        /* cleared: warps that have started, for `minimum` */
  double *scalars;
  band *bands;
};

/* The largest value and the bin that has it. */
struct best {
  double value;
  int at;
  int unused; /* a multiple of 4 bytes */
};

/* ---- The end of all methods: threshold and band ---- */

__device__ double
value_low (fv_type type)
{
  return type == FV_I32 ? -2147483648.0 : type & FV_INTEGERS ? 0 : -HUGE_VAL;
}

/* The smallest value of the type that is at least v. */
__device__ double
value_ceil (fv_type type, double v)
{
  float f = (float) v;
  if (type == FV_F32)
    return (double) f < v ? (double) nextafterf (f, HUGE_VALF) : (double) f;
  return type == FV_F64 ? v : fmax (ceil (v), value_low (type));
}

/* threshold_band() for the methods that find a threshold. */
__device__ void
finish (const choosing &c, int64_t problem, double threshold)
{
  fv_type type = c.type;
  double high = type == FV_U8 ? 255 : type == FV_U16 ? 65535 : type == FV_I32 ? 2147483647.0 : HUGE_VAL;
  double above = type == FV_F32 ? (double) nextafterf ((float) threshold, HUGE_VALF) : nextafter (threshold, HUGE_VAL);
  band b = {1, 0};
  if (!isnan (threshold)) {
    b.low = c.dark ? value_ceil (type, above) : value_low (type);
    b.high = c.dark ? high : threshold;
  }
  if (type & FV_INTEGERS) {
    b.low = ceil (b.low);
    b.high = fmin (floor (b.high), high);
  }
  if (!(b.low <= b.high))
    b = {1, 0};
  c.bands[problem] = b;
  c.scalars[problem] = threshold;
}

/* ---- Sums and searches over the bins by one block ---- */

struct weight {
  uint64_t n, sum; /* pixels, and their positions from the first bin added up */
};

__device__ __forceinline__ weight
operator+ (weight a, weight b)
{
  return {a.n + b.n, a.sum + b.sum};
}

struct survey {
  int first, last, peak; /* not empty; the first bin with most pixels */
  uint64_t most;
  weight w;
};

/* A histogram without the empty bins at its ends, and the part of it that the block deals with. */
struct table {
  counts_of counts;
  const gpu_bins *g;
  int64_t problem;
  int first, n;       /* bins */
  int begin, end;     /* of the block's bins */
  weight before, all; /* of the bins before `begin`, of all */
  int peak;
  int part;    /* of the problem's blocks */
  bool single; /* the oracle computes in single */

  __device__ __forceinline__ uint64_t count (int i) const
  {
    return counts.get (problem, first + i);
  }
  __device__ __forceinline__ double low (void) const
  {
    return g->low + (double) first;
  }
  __device__ __forceinline__ double center (int i) const
  {
    if (g->exact)
      return low () + (double) i;
    if (single) {
      double sum = gpu_edge<float> (*g, i) + gpu_edge<float> (*g, i + 1);
      return (double) (float) sum / 2;
    }
    return (gpu_edge<double> (*g, i) + gpu_edge<double> (*g, i + 1)) / 2;
  }
};

__device__ __forceinline__ double
rounded (double v, bool single)
{
  return single ? (double) (float) v : v;
}

__device__ __forceinline__ survey
join_surveys (survey a, survey b)
{
  bool second = b.most > a.most || (b.most == a.most && b.peak < a.peak);
  return {a.first < b.first ? a.first : b.first, a.last > b.last ? a.last : b.last, second ? b.peak : a.peak,
          second ? b.most : a.most, a.w + b.w};
}

/* Of the bins from `begin` to `end`, for all threads. */
__device__ survey
survey_bins (const counts_of &counts, int64_t problem, int begin, int end, survey *shared)
{
  survey s = {INT32_MAX, -1, 0, 0, {0, 0}};
#pragma unroll 2
  for (int i = begin + threadIdx.x; i < end; i += blockDim.x) {
    uint64_t n = counts.get (problem, i);
    s.w = s.w + weight{n, n * (uint64_t) i};
    if (n) {
      s.first = i < s.first ? i : s.first;
      s.last = i;
    }
    if (n > s.most) {
      s.most = n;
      s.peak = i;
    }
  }
  return join_block (s, shared, join_surveys);
}

/* problems x parts blocks of 256: 4 bytes read a bin. Two barriers. */
__global__ void
__launch_bounds__ (CHOOSE_SMALL) survey_kernel (choosing c)
{
  __shared__ survey shared[32];
  wait_for_kernel_before ();
  int problem = (int) blockIdx.x / c.parts, part = (int) blockIdx.x % c.parts, bins = (int) c.bins[problem].bins;
  int each = (bins + c.parts - 1) / c.parts, end = (part + 1) * each;
  survey s = survey_bins (c.counts, problem, part * each, end < bins ? end : bins, shared);
  if (threadIdx.x == 0)
    c.surveys[blockIdx.x] = s;
}

/* Fills t for the block; false where there is nothing to choose: *threshold is then the answer. */
__device__ bool
table_make (const choosing &c, table *t, double *threshold)
{
  __shared__ survey shared[32];
  __shared__ weight before[32];
  const int part = t->part = (int) blockIdx.x % c.parts;
  t->problem = (int) blockIdx.x / c.parts;
  t->g = &c.bins[t->problem];
  t->counts = c.counts;
  t->single = c.type == FV_F32;
  t->before = {0, 0};
  const int bins = (int) t->g->bins;
  *threshold = t->g->low;
  if (bins < 2)
    return false;
  survey s = {INT32_MAX, -1, 0, 0, {0, 0}};
  if (c.parts > 1) {
    const survey *all = c.surveys + t->problem * c.parts;
    for (int i = (int) threadIdx.x; i < c.parts; i += (int) blockDim.x) {
      s = join_surveys (s, all[i]);
      if (i < part)
        t->before = t->before + all[i].w;
    }
    s = join_block (s, shared, join_surveys);
    t->before = join_block (t->before, before, [] (weight a, weight b) { return a + b; });
  } else
    s = survey_bins (c.counts, t->problem, 0, bins, shared);
  bool whole = !t->g->exact;
  const int each = (bins + c.parts - 1) / c.parts;
  t->first = whole ? 0 : s.first;
  t->n = whole ? bins : s.last - s.first + 1;
  t->peak = s.peak - t->first;
  t->all = {s.w.n, s.w.sum - s.w.n * (uint64_t) t->first};
  t->before.sum -= t->before.n * (uint64_t) t->first;
  t->begin = part * each - t->first;
  t->end = t->begin + each < t->n ? t->begin + each : t->n;
  t->begin = t->begin > 0 ? t->begin : 0;
  *threshold = t->low ();
  return t->n > 1;
}

/* Calls f (bin, count, weight of all bins up to and with this one) for the block's bins, each thread's in rising order. */
template <int EACH, typename F>
__device__ void
scan_bins (const table &t, F f)
{
  __shared__ weight shared[2][32];
  int warp = (int) threadIdx.x / 32, lane = (int) threadIdx.x & 31, warps = (int) blockDim.x / 32, turn = 0;
  weight before = t.before;
#pragma unroll 1
  for (int base = t.begin; base < t.end; base += EACH * (int) blockDim.x, turn ^= 1) {
    int start = base + EACH * (int) threadIdx.x;
    uint64_t n[EACH];
    weight mine = {0, 0};
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      n[k] = start + k < t.end ? t.count (start + k) : 0;
      mine = mine + weight{n[k], n[k] * (uint64_t) (start + k)};
    }
    weight at = mine;
#pragma unroll 1
    for (int d = 1; d < 32; d *= 2) {
      weight other = {__shfl_up_sync (~0u, at.n, d), __shfl_up_sync (~0u, at.sum, d)};
      if (lane >= d)
        at = at + other;
    }
    if (lane == 31)
      shared[turn][warp] = at;
    __syncthreads ();
    at = {at.n - mine.n, at.sum - mine.sum};
    at = at + before;
#pragma unroll 1
    for (int w = 0; w < warps; w++) {
      weight other = shared[turn][w];
      if (w < warp)
        at = at + other;
      before = before + other;
    }
#pragma unroll
    for (int k = 0; k < EACH; k++)
      if (start + k < t.end) {
        at = at + weight{n[k], n[k] * (uint64_t) (start + k)};
        f (start + k, n[k], at);
      }
  }
}

/* One warp goes through n values in order, up or down; step (value, i) returns what replaces them. Values come
 * and go through shared memory by all lanes, and one lane computes. R: 4 or 8 bytes. */
enum { CHAIN = 256 };
template <bool DOWN, typename R, typename F>
__device__ void
chain (R *values, int n, F step)
{
  __shared__ R tiles[4][CHAIN];
  int lane = (int) threadIdx.x & 31;
  R *tile = tiles[threadIdx.x / 32], next[CHAIN / 32];
  auto load = [&] (int base) {
#pragma unroll
    for (int k = 0; k < CHAIN / 32; k++) {
      int i = base + 32 * k + lane;
      next[k] = i < n ? values[DOWN ? n - 1 - i : i] : (R) 0;
    }
  };
  load (0);
  for (int base = 0; base < n; base += CHAIN) {
#pragma unroll
    for (int k = 0; k < CHAIN / 32; k++)
      tile[32 * k + lane] = next[k];
    __syncwarp ();
    if (base + CHAIN < n)
      load (base + CHAIN);
    int m = n - base < CHAIN ? n - base : CHAIN;
    if (lane == 0) {
      R ahead[8], now[8];
#pragma unroll
      for (int k = 0; k < 8; k++)
        ahead[k] = tile[k];
      for (int i = 0; i < m; i += 8) {
#pragma unroll
        for (int k = 0; k < 8; k++)
          now[k] = ahead[k];
        if (i + 8 < m)
#pragma unroll
          for (int k = 0; k < 8; k++)
            ahead[k] = tile[i + 8 + k];
#pragma unroll
        for (int k = 0; k < 8; k++)
          now[k] = step (now[k], base + i + k);
#pragma unroll
        for (int k = 0; k < 8; k++)
          tile[i + k] = now[k];
      }
    }
    __syncwarp ();
    for (int i = lane; i < m; i += 32)
      values[DOWN ? n - 1 - base - i : base + i] = tile[i];
    __syncwarp ();
  }
}

__device__ __forceinline__ best
better (best a, best b)
{
  return b.value > a.value || (b.value == a.value && b.at < a.at) ? b : a;
}

#endif

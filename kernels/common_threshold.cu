/* SPDX-License-Identifier: MIT
 *
 * Thresholds on the GPU, see common_threshold.h; the histograms are in common_histogram.cuh. Kernels in turn, all on the call's
 * stream, none waited for: range (not for u8 and u16), count, choose (one block for each problem: the bin, the threshold, the
 * band of values that are foreground), mask. Bytes for each pixel: the type's size for range, for count and for mask, and one
 * written. Equality with the CPU: exact integers in any order, or the CPU's roundings in the CPU's order by one lane.
 */
#include "common_histogram.cuh"
#include "common_threshold.h"

enum { CHOOSE_SMALL = 256, CHOOSE_LARGE = 1024, SMOOTHINGS = 10000, LI_STEPS = 1000, GAP_BUCKETS = 1 << 20 };

/* What a kernel needs to know of all problems. */
struct choosing {
  fv_type type;
  int method;
  bool dark;
  const gpu_bins *bins;
  counts_of counts;
  char *work; /* [problems][work_bytes] */
  int64_t work_bytes;
  int parts;               /* blocks for each problem */
  struct survey *surveys;  /* [problems][parts], when there are several */
  struct best *bests;      /* likewise */
  unsigned *tickets;       /* [problems], cleared: how many blocks have come to the end */
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

  __device__ __forceinline__ uint64_t
  count (int i) const
  {
    return counts.get (problem, first + i);
  }
  __device__ __forceinline__ double
  low (void) const
  {
    return g->low + (double) first;
  }
  __device__ __forceinline__ double
  center (int i) const
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

/* Joins the values of all threads of the block, for all of them; `shared`: 32 of them. The number of warps is a power of two. Not
 * unrolled: code that runs once has to be fetched first. */
template <typename T, typename F>
__device__ T
join_block (T v, T *shared, F join)
{
  constexpr int words = sizeof (T) / 4;
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
    for (int d = (turn ? warps : 32) / 2; d; d /= 2) {
      T other;
      int from[words], to[words];
      memcpy (from, &v, sizeof v);
#pragma unroll
      for (int i = 0; i < words; i++)
        to[i] = __shfl_xor_sync (~0u, from[i], d);
      memcpy (&other, to, sizeof v);
      v = join (v, other);
    }
  }
  return v;
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
__global__ void __launch_bounds__ (CHOOSE_SMALL)
survey_kernel (choosing c)
{
  __shared__ survey shared[32];
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

/* One warp goes through n values in order, up or down; step (value, i) gives what is put in their place. Values come
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

/* ---- Methods: the best bin of the block's, for all threads; {.at = INT32_MAX}: none ---- */

struct memory {
  char *at; /* arrays of n values follow each other */
  int64_t n;

  template <typename R>
  __device__ R *
  array (int i) const
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

  __device__ __forceinline__ double
  below (int i, weight w) const
  {
    return exact ? (double) ((int64_t) w.sum + (int64_t) w.n * low) : at (up, i);
  }
  __device__ __forceinline__ double
  above (int i, weight w) const
  {
    return exact ? (double) ((int64_t) (all.sum - w.sum) + (int64_t) (all.n - w.n) * low) : at (down, i + 1);
  }
  __device__ __forceinline__ double
  at (const void *array, int64_t i) const
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
  sums<MODE> s = {MODE == EXACT || (MODE == EITHER && sums_exact (*t)), (int64_t) t->low (), t->all, m.array<double> (0),
                  m.array<double> (1)};
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
    double below = __ddiv_rn (s.below (i, w), (double) w.n), above = __ddiv_rn (s.above (i, w), (double) (t.all.n - w.n));
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
    double higher
      = rounded (__ddiv_rn (rounded (__dsub_rn (sum, below), single), (double) (t.all.n - w.n)), single);
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
    v = (float) log ((double) v);
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
    work[i] = n > 0 ? __dmul_rn (n, log (n)) : 0;
  }
  __syncthreads ();
  double sum = 0;
  if (threadIdx.x < 32)
    chain<false> (work, t.n, [&] (double v, int) { return sum = __dadd_rn (sum, v); });
  __syncthreads ();
  sum = work[t.n - 1];
  scan_bins<EACH> (t, [&] (int i, uint64_t, weight w) {
    double b = (double) w.n, a = (double) (t.all.n - w.n);
    double e = __dsub_rn (log (b), __ddiv_rn (work[i], b));
    e = __dadd_rn (e, log (a));
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
    double next = __ddiv_rn (__dsub_rn (below, above), __dsub_rn (log (below), log (above))), before = v;
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
  bool running;
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
  float *now = m.array<float> (0);
  for (int i = (int) threadIdx.x; i < t.n; i += (int) blockDim.x)
    now[i] = (float) (int64_t) t.count (i);
  if (threadIdx.x == 0)
    *state_of (c, t.problem) = {t.n, t, true};
}

/* Counts, entropies by distance, weights and sums as doubles; all are integers. */
template <int EACH>
__device__ void
huang_start (const choosing &c, const table &t, memory m)
{
  double *counts = m.array<double> (0), *entropy = m.array<double> (1), *number = m.array<double> (2);
  double *sum = m.array<double> (3), unit = ldexp (1.0, 51 - ilogb ((double) t.all.n));
  for (int d = (int) threadIdx.x; d < t.n; d += (int) blockDim.x) {
    double v = __ddiv_rn (1, __dadd_rn (1, __ddiv_rn ((double) d, (double) (t.n - 1)))), rest = __dsub_rn (1, v);
    double s = -fused_not (v, log (v), __dmul_rn (rest, log (rest)));
    entropy[d] = d ? rint (__dmul_rn (unit, s)) : 0;
  }
  scan_bins<EACH> (t, [&] (int i, uint64_t n, weight w) {
    counts[i] = (double) n;
    number[i] = (double) w.n;
    sum[i] = (double) w.sum;
  });
  if (threadIdx.x == 0)
    *state_of (c, t.problem) = {t.n, t, true};
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
__global__ void __launch_bounds__ (EACH == 1 ? CHOOSE_SMALL : CHOOSE_LARGE)
choose_kernel (choosing c)
{
  __shared__ __align__ (16) char few[3 * 256 * 8];
  constexpr bool goes_on = METHOD == THRESHOLD_MINIMUM || METHOD == THRESHOLD_HUANG;
  double threshold;
  table t;
  bool some = table_make (c, &t, &threshold);
  int64_t problem = t.problem;
  memory m = memory_of (c, problem, t.n);
  best b = {-HUGE_VAL, INT32_MAX};
  if (!some) {
    if (threadIdx.x == 0 && t.part == 0) {
      if (goes_on)
        state_of (c, problem)->running = false;
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

/* ---- minimum ---- */

enum { MINIMUM_WARPS = 8, MINIMUM_STEPS = 64, MINIMUM_RING = 4 * MINIMUM_STEPS };

/* What one lane knows of the histogram that it makes. */
struct peaks {
  int found, best;
  bool rising;
  float before, least;
};

__device__ __forceinline__ void
peaks_step (peaks *p, int i, float v)
{
  if (i > 0) {
    if (p->rising && v < p->before) {
      p->rising = false;
      if (p->found++ == 0) {
        p->best = i - 1;
        p->least = p->before;
      }
    } else if (v > p->before)
      p->rising = true;
    if (p->found == 1 && v < p->least) {
      p->least = v;
      p->best = i;
    }
  }
  p->before = v;
}

/* A third of v, rounded as division rounds. */
__device__ __forceinline__ double
third (double v)
{
  double q = __dmul_rn (v, 1.0 / 3.0);
  return fabs (v) < 1e-280 ? __ddiv_rn (v, 3) : __fma_rn (__fma_rn (-3.0, q, v), 1.0 / 3.0, q);
}

/* One block of 256 for each problem: 256 smoothings at once. Each lane makes one from its neighbour's, two bins behind it; from
 * warp to warp through shared memory, two turns of 64 bins behind, a barrier each turn. The last writes in place. 4 bytes read
 * and written a bin for 256 smoothings. */
__global__ void __launch_bounds__ (32 * MINIMUM_WARPS)
minimum_kernel (choosing c, int done, int batches, bool last)
{
  __shared__ float rings[MINIMUM_WARPS + 1][MINIMUM_RING];
  __shared__ int answers[MINIMUM_WARPS];
  enum { GOES_ON = -2 };
  int64_t problem = blockIdx.x;
  state *s = state_of (c, problem);
  if (!s->running)
    return;
  const int n = (int) s->n, turns = (n + 2 * 31 + MINIMUM_STEPS) / MINIMUM_STEPS;
  float *values = memory_of (c, problem, n).array<float> (0);
  const int warp = (int) threadIdx.x / 32, lane = (int) threadIdx.x & 31;
  const float *from = rings[warp];
  float *to = rings[warp + 1];
  int answer = GOES_ON;
  for (int batch = 0; batch < batches && answer == GOES_ON && done < SMOOTHINGS - 1;
       batch++, done += 32 * MINIMUM_WARPS) {
    peaks p = {0, 0, true, 0, 0};
    float out = 0;
    double next = 0, f0 = 0, f1 = 0, f2 = 0, sum = 0; /* bins i + 1, i, i - 1, i - 2 of the histogram before */
    for (int turn = 0; turn < turns + 2 * (MINIMUM_WARPS - 1); turn++) {
      int mine = turn - 2 * warp, start = mine * MINIMUM_STEPS;
      if (warp == 0 && mine < turns) {
        for (int k = lane; k <= MINIMUM_STEPS; k += 32)
          if (start + k < n)
            rings[0][(start + k) % MINIMUM_RING] = values[start + k];
        __syncwarp ();
      }
      if (mine >= 0 && mine < turns) {
        if (mine == 0)
          next = (double) from[0]; /* lane 0 */
        bool inner = start - 2 * 31 >= 3 && start + MINIMUM_STEPS < n;
        for (int k = 0; k < MINIMUM_STEPS; k++) {
          int step = start + k, i = step - 2 * lane;
          float in = __shfl_up_sync (~0u, out, 1);
          if (lane == 0)
            in = from[(step + 1) % MINIMUM_RING];
          f2 = f1;
          f1 = f0;
          f0 = next;
          if (inner || i + 1 < n)
            next = (double) in;
          if (inner) {
            sum = __dadd_rn (sum, __dsub_rn (next, f2));
          } else {
            if (i < 0 || i >= n)
              continue;
            if (i == 0)
              sum = __dadd_rn (__dadd_rn (f0, f0), next);
            else
              sum = __dadd_rn (sum, __dsub_rn (next, i == 1 ? f1 : f2));
          }
          out = (float) third (sum);
          peaks_step (&p, i, out);
          if (lane == 31 && warp < MINIMUM_WARPS - 1)
            to[i % MINIMUM_RING] = out;
          else if (lane == 31)
            values[i] = out;
        }
      }
      __syncthreads ();
    }
    bool valid = done + warp * 32 + lane < SMOOTHINGS - 1;
    unsigned ends = __ballot_sync (~0u, valid && p.found < 3);
    int found = __shfl_sync (~0u, p.found < 2 ? -1 : p.best, ends ? __ffs ((int) ends) - 1 : 0);
    if (lane == 0)
      answers[warp] = ends ? found : (int) GOES_ON;
    __syncthreads ();
    for (int w = 0; w < MINIMUM_WARPS && answer == GOES_ON; w++)
      answer = answers[w];
    __syncthreads ();
  }
  if (threadIdx.x == 0 && (answer != GOES_ON || last)) {
    s->running = false;
    finish_bin (c, problem, answer == GOES_ON ? -1 : answer);
  }
}

/* ---- huang ---- */

/* Blocks of 256 in any number, a problem in the second dimension: the fuzziness of one threshold for each warp, n multiplications
 * and 16 bytes read for each, mostly from the first cache. */
__global__ void __launch_bounds__ (256)
huang_kernel (choosing c)
{
  const state *s = state_of (c, blockIdx.y);
  if (!s->running)
    return;
  int64_t n = s->n;
  memory m = memory_of (c, blockIdx.y, n);
  const double *counts = m.array<double> (0), *entropy = m.array<double> (1), *number = m.array<double> (2);
  const double *sum = m.array<double> (3);
  double *fuzziness = m.array<double> (4);
  int lane = (int) threadIdx.x & 31;
  for (int64_t i = (int64_t) blockIdx.x * 8 + threadIdx.x / 32; i < n - 1; i += (int64_t) gridDim.x * 8) {
    double rest = __ddiv_rn (__dsub_rn (sum[n - 1], sum[i]), __dsub_rn (number[n - 1], number[i]));
    int64_t low = (int64_t) floor (__dadd_rn (__ddiv_rn (sum[i], number[i]), 0.5));
    int64_t high = (int64_t) floor (__dadd_rn (rest, 0.5));
    double total = 0;
#pragma unroll 4
    for (int64_t k = lane; k <= i; k += 32)
      total += counts[k] * entropy[k < low ? low - k : k - low];
#pragma unroll 4
    for (int64_t k = i + 1 + lane; k < n; k += 32)
      total += counts[k] * entropy[k < high ? high - k : k - high];
    for (int d = 16; d; d /= 2)
      total += __shfl_xor_sync (~0u, total, d);
    if (lane == 0)
      fuzziness[i] = total;
  }
}

/* One block of 256 for each problem: 8 bytes read a bin. */
__global__ void __launch_bounds__ (256)
huang_end_kernel (choosing c)
{
  __shared__ best shared[32];
  const state *s = state_of (c, blockIdx.x);
  if (!s->running)
    return;
  const double *fuzziness = memory_of (c, blockIdx.x, s->n).array<double> (4);
  best b = {-HUGE_VAL, INT32_MAX};
  for (int64_t i = threadIdx.x; i < s->n - 1; i += blockDim.x)
    if (-fuzziness[i] > b.value)
      b = {-fuzziness[i], (int) i, 0};
  b = join_block (b, shared, better);
  if (threadIdx.x == 0)
    finish_bin (c, blockIdx.x, b.at);
}

/* ---- mean and li on the pixels ---- */

struct parts_of_moments {
  double n[2], sum[2];
};

__device__ __forceinline__ parts_of_moments
add_moments (parts_of_moments a, parts_of_moments b)
{
  return {{a.n[0] + b.n[0], a.n[1] + b.n[1]}, {a.sum[0] + b.sum[0], a.sum[1] + b.sum[1]}};
}

template <typename T> struct moments_job {
  lines<T> pixels;
  const extent<T> *extents;
  int extent_parts, parts, groups; /* blocks and problems at a time: parts * groups blocks */
  int64_t problems;
  parts_of_moments *partial; /* [groups][2][parts] */
  int *smaller;              /* [groups][parts]: gaps */
  unsigned *arrived;         /* [groups], cleared */
  double *buckets;           /* [groups][GAP_BUCKETS] */
  double *gaps;              /* [groups][parts][3] */
  unsigned *clash;           /* [groups], cleared */
  int64_t limit;             /* exact histograms of integers have been dealt with */
  choosing c;
};

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
      asm volatile ("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(arrived) : "memory");
    while ((int) (seen - all) < 0);
    __threadfence ();
  }
  __syncthreads ();
}

/* Moments of the pixels for threshold v by all blocks of a group; every block adds the parts up in the same order. */
template <typename T>
__device__ __noinline__ parts_of_moments
moments_at (const moments_job<T> &job, int64_t problem, int group, int part, double low, double v, unsigned *turn,
            parts_of_moments *shared)
{
  constexpr int size = piece_pixels<T, RANGE_DEEP>;
  int64_t pieces = job.pixels.count * ((job.pixels.columns + size - 1) / size), warps = blockDim.x / 32;
  parts_of_moments m = {{0, 0}, {0, 0}};
  uint32_t n0 = 0, n1 = 0;
  for (int64_t s = (int64_t) part * warps + threadIdx.x / 32; s < pieces; s += (int64_t) job.parts * warps) {
    each_pixel<RANGE_DEEP> (job.pixels, problem, s, [&] (T p) {
      double d;
      if constexpr (std::is_same<T, float>::value)
        d = (double) __fsub_rn (p, (float) low);
      else
        d = __dsub_rn ((double) p, low);
      if (!(fabs (d) <= DBL_MAX))
        return;
      if (d > v) {
        n1++;
        m.sum[1] += d;
      } else {
        n0++;
        m.sum[0] += d;
      }
    });
    m.n[0] += n0;
    m.n[1] += n1;
    n0 = n1 = 0;
  }
  m = join_block (m, shared, add_moments);
  parts_of_moments *partial = job.partial + ((int64_t) group * 2 + (*turn & 1)) * job.parts;
  if (threadIdx.x == 0)
    partial[part] = m;
  group_barrier (job.arrived + group, job.parts, turn);
  m = {{0, 0}, {0, 0}};
  for (int i = (int) threadIdx.x; i < job.parts; i += (int) blockDim.x) {
    const double *at = (const double *) (partial + i);
    m = add_moments (m, {{__ldcg (at), __ldcg (at + 1)}, {__ldcg (at + 2), __ldcg (at + 3)}});
  }
  return join_block (m, shared, add_moments);
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

  constexpr int size = piece_pixels<T, RANGE_DEEP>;
  int64_t pieces = job.pixels.count * ((job.pixels.columns + size - 1) / size), warps = blockDim.x / 32;
  for (int64_t s = (int64_t) part * warps + threadIdx.x / 32; s < pieces && !*clash; s += (int64_t) job.parts * warps)
    each_pixel<RANGE_DEEP> (job.pixels, problem, s, [&] (T p) {
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
  auto join = [&] (double other_first, double other_last, double other_least) { /* the other comes after */
    least = fmin (fmin (least, other_least), __dsub_rn (other_first, last));
    first = fmin (first, other_first);
    last = fmax (last, other_last);
  };
  int lane = (int) threadIdx.x & 31, warp = (int) threadIdx.x / 32;
#pragma unroll 1
  for (int d = 1; d < 32; d *= 2) {
    double a = __shfl_down_sync (~0u, first, d), b = __shfl_down_sync (~0u, last, d), e = __shfl_down_sync (~0u, least, d);
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
__global__ void __launch_bounds__ (MOMENTS_THREADS)
moments_kernel (const __grid_constant__ moments_job<T> job)
{
  __shared__ extent<T> ends[32];
  __shared__ parts_of_moments shared[32];
  __shared__ double t[LI_STEPS + 1];
  constexpr bool integer = std::is_integral<T>::value;
  int group = (int) (blockIdx.x / job.parts), part = (int) (blockIdx.x % job.parts);
  unsigned turn = 0;
  for (int64_t problem = group; problem < job.problems; problem += job.groups) {
    double low = 0, high = sizeof (T) == 1 ? 255 : 65535, threshold;
    if (sizeof (T) >= 4)
      range_join (job.extents + problem * job.extent_parts, job.extent_parts, ends, &low, &high);
    if (job.c.method == THRESHOLD_MEAN) {
      if (integer)
        low = 0;
      parts_of_moments m = moments_at (job, problem, group, part, low, HUGE_VAL, &turn, shared);
      threshold = rounded (__dadd_rn (low, __ddiv_rn (m.sum[0], m.n[0])), std::is_same<T, float>::value);
    } else {
      if (!(low < high) || (integer && high - low < (double) job.limit)) {
        if (!integer && part == 0 && threadIdx.x == 0)
          finish (job.c, problem, low);
        continue; /* choose_kernel has found that of integers */
      }
      parts_of_moments m = moments_at (job, problem, group, part, low, HUGE_VAL, &turn, shared);
      int n = 0, last = 0;
      double now = __ddiv_rn (m.sum[0], m.n[0]), smallest = HUGE_VAL, gap = 1;
      if (threadIdx.x == 0)
        t[0] = now;
      while (n < LI_STEPS) {
        m = moments_at (job, problem, group, part, low, now, &turn, shared);
        double below = __ddiv_rn (m.sum[0], m.n[0]), above = __ddiv_rn (m.sum[1], m.n[1]), next = -1;
        if (below > 0)
          next = __ddiv_rn (__dsub_rn (below, above), __dsub_rn (log (below), log (above)));
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

/* ---- The mask ---- */

template <typename T> struct mask_job {
  lines<T> in;
  lines<uint8_t> out; /* lines as those of `in`; data of `in` and `out` are aligned, or neither counts as such */
  int parts;
  const band *bands; /* [problems], or NULL: `fixed` */
  band fixed;
  double *scalars; /* [problems], with `fixed` */
  double threshold;
};

enum { MASK_DEEP = 4 };

/* problems x parts blocks of 256; reads each pixel and writes one byte: MASK_DEEP vectors of 16 bytes a lane at a time, from the
 * front, where the pass before ended. */
template <typename T>
__global__ void __launch_bounds__ (256)
mask_kernel (mask_job<T> job)
{
  constexpr int each = 16 / (int) sizeof (T), size = piece_pixels<T, MASK_DEEP>;
  int64_t problem = blockIdx.x / job.parts;
  int part = (int) (blockIdx.x % job.parts), lane = (int) threadIdx.x & 31;
  band b = job.bands ? job.bands[problem] : job.fixed;
  const T low = (T) b.low, high = (T) b.high;
  int64_t across = (job.in.columns + size - 1) / size, pieces = job.in.count * across;
  if (!job.bands && part == 0 && threadIdx.x == 0)
    job.scalars[problem] = job.threshold;
  for (int64_t s = (int64_t) part * 8 + threadIdx.x / 32; s < pieces; s += (int64_t) job.parts * 8) {
    int64_t line = 0, x = s;
    if (job.in.count > 1) {
      line = (s | across) >> 31 ? s / across : (int64_t) ((uint32_t) s / (uint32_t) across);
      x = s - line * across;
    }
    x *= size;
    const T *from = line_at (job.in, problem, line) + x;
    uint8_t *to = (uint8_t *) line_at (job.out, problem, line) + x;
    int64_t left = job.in.columns - x;
    if (job.in.aligned && left >= size) {
      union {
        uint4 vector;
        T pixel[each];
      } v[MASK_DEEP];
#pragma unroll
      for (int k = 0; k < MASK_DEEP; k++)
        v[k].vector = __ldg ((const uint4 *) from + k * 32 + lane);
#pragma unroll
      for (int k = 0; k < MASK_DEEP; k++) {
        struct __align__ (each) {
          uint8_t pixel[each];
        } out;
#pragma unroll
        for (int i = 0; i < each; i++)
          out.pixel[i] = v[k].pixel[i] >= low && v[k].pixel[i] <= high ? 255 : 0;
        memcpy (__builtin_assume_aligned (to + (k * 32 + lane) * each, each), &out, each);
      }
    } else {
      int n = left < size ? (int) left : size;
      for (int i = lane; i < n; i += 32)
        to[i] = from[i] >= low && from[i] <= high ? 255 : 0;
    }
  }
}

/* ---- The host's side ---- */

template <typename T>
static fv_status
launch_mask (const threshold_args *a, const fv_call *call, int64_t first, int64_t problems, int64_t together,
             const band *bands, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  mask_job<T> job = {};
  for (int join = 1; join >= 0; join--) {
    job.in = lines_of<T> (in, first, problems, together, join);
    job.out = lines_of<uint8_t> (out, first, problems, together, join);
    if (job.in.count == job.out.count && job.in.columns == job.out.columns)
      break; /* not when one of them has gaps where the other has none */
  }
  job.in.aligned = job.in.aligned && job.out.aligned;
  job.bands = bands;
  if (!bands) {
    job.fixed = threshold_band (a, in->grid.type, a->lower);
    job.scalars = call->scalars + first / together;
    job.threshold = a->lower;
  }
  int64_t parts = blocks_for (pieces_of<T, MASK_DEEP> (job.in), 8), most = ((int64_t) 1 << 30) / problems;
  job.parts = (int) (parts < most ? parts : most);
  mask_kernel<T><<<(unsigned) (job.parts * problems), 256, 0, cuda_stream (call)>>> (job);
  return cuda_status (cudaGetLastError (), "Making the mask", error);
}

/* Pieces of scratch memory, all from one request. */
struct carver {
  char *at;
  size_t bytes;

  template <typename R>
  R *
  take (size_t n)
  {
    char *here = at ? at + bytes : NULL;
    bytes += (n * sizeof (R) + 255) / 256 * 256;
    return (R *) here;
  }
};

template <typename T> struct finding {
  const threshold_args *args;
  const fv_call *call;
  int64_t problems, together;
  lines<T> pixels;
  bool counted, summed, spread; /* a histogram is needed; moments are; several blocks choose */
  int64_t capacity, limit;
  int arrays, parts; /* of 8 bytes a bin; blocks that choose */
  counting_job<T> count;
  moments_job<T> moments;
  choosing c;
  band *bands;
  uint4 *clear; /* from here on n_clear are cleared first */
  int64_t n_clear;
};

/* How many blocks of moments_kernel can be resident. */
template <typename T>
static int
resident_blocks (void)
{
  static int known;
  int each = 0;
  if (!known) {
    cudaOccupancyMaxActiveBlocksPerMultiprocessor (&each, moments_kernel<T>, MOMENTS_THREADS, 0);
    known = (each < 1 ? 1 : each) * multiprocessors ();
  }
  return known;
}

/* Lays out the scratch memory from `at`, or only measures it where that is NULL. */
template <typename T>
static size_t
lay_out (finding<T> *f, char *at)
{
  carver c = {at, 0};
  size_t n = (size_t) f->problems, wide = f->count.counts.wide ? 8 : 4;
  f->bands = c.take<band> (n);
  f->count.keep = c.take<gpu_bins> (n);
  f->count.extents = f->moments.extents = c.take<extent<T>> (n * (size_t) f->count.extent_parts);
  if (f->summed) {
    size_t groups = (size_t) f->moments.groups, parts = (size_t) f->moments.parts;
    f->moments.partial = c.take<parts_of_moments> (groups * 2 * parts);
    f->moments.gaps = c.take<double> (groups * parts * 3);
    f->moments.buckets = f->args->method == THRESHOLD_LI ? c.take<double> (groups * GAP_BUCKETS) : NULL;
  }
  f->c.work_bytes = (int64_t) ((sizeof (state) + 63) / 64 * 64 + (size_t) f->arrays * 8 * (size_t) f->capacity + 63) / 64 * 64;
  f->c.work = c.take<char> (f->counted ? n * (size_t) f->c.work_bytes : 0);
  f->c.parts = f->parts;
  f->c.surveys = c.take<survey> (f->parts > 1 ? n * (size_t) f->parts : 0);
  f->c.bests = c.take<best> (f->parts > 1 ? n * (size_t) f->parts : 0);
  size_t start = c.bytes;
  f->clear = c.take<uint4> (0);
  f->c.tickets = c.take<unsigned> (f->parts > 1 ? n : 0);
  f->moments.arrived = c.take<unsigned> (f->summed ? (size_t) f->moments.groups : 0);
  f->moments.clash = c.take<unsigned> (f->summed ? (size_t) f->moments.groups : 0);
  if (sizeof (T) == 4 && std::is_integral<T>::value)
    f->n_clear = (int64_t) (c.bytes - start) / 16;
  f->count.counts.data = c.take<char> (f->counted ? n * wide * (size_t) f->capacity : 0);
  if (!(sizeof (T) == 4 && std::is_integral<T>::value))
    f->n_clear = (int64_t) (c.bytes - start) / 16;
  return c.bytes;
}

template <typename T>
static fv_status
launch_range (finding<T> *f, fv_error *error)
{
  cudaStream_t stream = cuda_stream (f->call);
  if (sizeof (T) >= 4)
    range_kernel<T><<<(unsigned) (f->problems * f->count.extent_parts), RANGE_THREADS, 0, stream>>> (
      f->pixels, f->count.extent_parts, (extent<T> *) f->count.extents, f->clear, f->n_clear);
  else if (f->n_clear)
    return cuda_status (cudaMemsetAsync (f->clear, 0, (size_t) f->n_clear * 16, stream), "Clearing the histogram", error);
  return cuda_status (cudaGetLastError (), "Finding the range", error);
}

static size_t
shared_limit (void)
{
  int device = 0, bytes = 0;
  cudaGetDevice (&device);
  cudaDeviceGetAttribute (&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  return (size_t) bytes;
}

template <typename T>
static fv_status
launch_count (finding<T> *f, fv_error *error)
{
  cudaStream_t stream = cuda_stream (f->call);
  counting_job<T> job = f->count;
  constexpr bool integer = std::is_integral<T>::value, many_only = integer && sizeof (T) > 1;
  if constexpr (!many_only)
    if (integer || job.bins <= 256) {
      int64_t parts = blocks_for (pieces_of<T, few_deep<T>> (job.pixels), FEW_WARPS), most = 3 * multiprocessors ();
      job.parts = (int) (parts < 1 ? 1 : parts < most ? parts : most);
      cudaFuncSetAttribute (few_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, FEW_BYTES);
      few_kernel<T><<<(unsigned) (f->problems * job.parts), FEW_THREADS, FEW_BYTES, stream>>> (job);
      return cuda_status (cudaGetLastError (), "Counting", error);
    }
  if constexpr (sizeof (T) > 1) {
    int64_t parts = blocks_for (pieces_of<T, many_deep<T>> (job.pixels), MANY_WARPS), most = multiprocessors ();
    job.parts = (int) (parts < 1 ? 1 : parts < most ? parts : most);
    size_t room = shared_limit () - 4096, want = (size_t) (integer ? 65536 : job.bins + 16) * 2;
    job.room = (int64_t) (want <= room ? want : room) / 2 - 8;
    if (integer && want <= room)
      job.room = 65536;
    if (want > room)
      want = room / 16 * 16;
    if (sizeof (T) == 4 && integer) {
      clear_kernel<T><<<(unsigned) (f->problems * job.parts), 512, 0, stream>>> (job);
      fv_status status = cuda_status (cudaGetLastError (), "Clearing the histogram", error);
      if (status)
        return status;
    }
    cudaFuncSetAttribute (many_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) want);
    many_kernel<T><<<(unsigned) (f->problems * job.parts), MANY_THREADS, want, stream>>> (job);
  }
  return cuda_status (cudaGetLastError (), "Counting", error);
}

template <typename T>
static fv_status
launch_minimum (finding<T> *f, fv_error *error)
{
  const fv_call *call = f->call;
  int batches = (SMOOTHINGS + 255) / 256, each = f->capacity > 65536 ? 1 : batches;
  for (int i = 0; i < batches; i += each) {
    minimum_kernel<<<(unsigned) f->problems, 32 * MINIMUM_WARPS, 0, cuda_stream (call)>>> (f->c, 256 * i, each,
                                                                                           i + each >= batches);
    fv_status status = cuda_status (cudaGetLastError (), "Smoothing the histogram", error);
    if (status)
      return status;
    if (call->host->tick (call, i, batches))
      return cancelled (error);
  }
  return FV_OK;
}

template <int EACH, int MODE>
static void
choose (int method, unsigned blocks, unsigned threads, cudaStream_t stream, const choosing &c)
{
  constexpr int any = EITHER; /* for methods that do not care */
  switch (method) {
  case THRESHOLD_OTSU: choose_kernel<THRESHOLD_OTSU, EACH, MODE><<<blocks, threads, 0, stream>>> (c); break;
  case THRESHOLD_ISODATA: choose_kernel<THRESHOLD_ISODATA, EACH, MODE><<<blocks, threads, 0, stream>>> (c); break;
  case THRESHOLD_LI: choose_kernel<THRESHOLD_LI, EACH, any><<<blocks, threads, 0, stream>>> (c); break;
  case THRESHOLD_YEN: choose_kernel<THRESHOLD_YEN, EACH, any><<<blocks, threads, 0, stream>>> (c); break;
  case THRESHOLD_TRIANGLE: choose_kernel<THRESHOLD_TRIANGLE, EACH, any><<<blocks, threads, 0, stream>>> (c); break;
  case THRESHOLD_MINIMUM: choose_kernel<THRESHOLD_MINIMUM, EACH, any><<<blocks, threads, 0, stream>>> (c); break;
  case THRESHOLD_HUANG: choose_kernel<THRESHOLD_HUANG, EACH, any><<<blocks, threads, 0, stream>>> (c); break;
  default: choose_kernel<THRESHOLD_MAX_ENTROPY, EACH, any><<<blocks, threads, 0, stream>>> (c);
  }
}

template <typename T>
static fv_status
launch_choose (finding<T> *f, fv_error *error)
{
  cudaStream_t stream = cuda_stream (f->call);
  constexpr int mode = sizeof (T) < 4 ? EXACT : std::is_same<T, float>::value ? SINGLE : EITHER;
  unsigned n = (unsigned) f->problems, blocks = n * (unsigned) f->parts;
  if (f->parts > 1)
    survey_kernel<<<blocks, CHOOSE_SMALL, 0, stream>>> (f->c);
  if (f->capacity <= 1024)
    choose<1, mode> (f->args->method, blocks, CHOOSE_SMALL, stream, f->c);
  else
    choose<4, mode> (f->args->method, blocks, f->parts > 1 ? CHOOSE_SMALL : CHOOSE_LARGE, stream, f->c);
  fv_status status = cuda_status (cudaGetLastError (), "Choosing the threshold", error);
  if (!status && f->args->method == THRESHOLD_MINIMUM)
    status = launch_minimum (f, error);
  if (!status && f->args->method == THRESHOLD_HUANG) {
    int64_t blocks = blocks_for (f->capacity, 8);
    huang_kernel<<<dim3 ((unsigned) blocks, n), 256, 0, stream>>> (f->c);
    huang_end_kernel<<<n, 256, 0, stream>>> (f->c);
    status = cuda_status (cudaGetLastError (), "Choosing the threshold", error);
  }
  return status;
}

template <typename T>
static fv_status
launch_moments (finding<T> *f, fv_error *error)
{
  moments_job<T> job = f->moments;
  job.pixels = f->pixels;
  job.c = f->c;
  void *args[] = {&job};
  return cuda_status (cudaLaunchCooperativeKernel ((const void *) moments_kernel<T>, dim3 ((unsigned) (job.parts * job.groups)),
                                                   dim3 (MOMENTS_THREADS), args, 0, cuda_stream (f->call)),
                      "Summing the pixels", error);
}

/* Everything that does not depend on which planes they are. */
template <typename T>
static void
prepare (finding<T> *f)
{
  const threshold_args *a = f->args;
  constexpr bool integer = std::is_integral<T>::value;
  bool li = a->method == THRESHOLD_LI;
  f->limit = a->method == THRESHOLD_HUANG ? 65536 : HISTOGRAM_EXACT_LIMIT;
  f->summed = a->method == THRESHOLD_MEAN || (li && sizeof (T) >= 4);
  f->counted = a->method != THRESHOLD_MEAN && !(li && !integer);
  int64_t bins = (a->bins + 3) / 4 * 4;
  f->capacity = sizeof (T) == 1 ? 256 : sizeof (T) == 2 ? 65536 : !integer || bins > f->limit ? bins : f->limit;
  bool none = a->method == THRESHOLD_TRIANGLE
              || (sizeof (T) < 4 && (a->method == THRESHOLD_OTSU || a->method == THRESHOLD_ISODATA));
  f->arrays = none ? 0 : a->method == THRESHOLD_HUANG ? 5 : 2;
  bool spread = a->method == THRESHOLD_OTSU || a->method == THRESHOLD_ISODATA || a->method == THRESHOLD_TRIANGLE || li;
  f->spread = integer && f->capacity > 4096 && spread;
  f->c.type = f->call->inputs[0]->grid.type;
  f->c.method = a->method;
  f->c.dark = a->dark_background;
  f->count.bins = a->bins;
  f->count.limit = f->moments.limit = f->limit;
  f->count.counts.capacity = f->capacity;
  f->count.counts.wide
    = (double) f->together * (double) array_rows (f->call->inputs[0]) * (double) array_columns (f->call->inputs[0]) >= 4294967296.0;
}

template <typename T>
static void
prepare_planes (finding<T> *f, int64_t first, int64_t problems)
{
  f->problems = f->moments.problems = problems;
  f->parts = f->spread ? (int) (problems < 4 ? 64 : problems < 256 ? 256 / problems : 1) : 1;
  f->pixels = f->count.pixels = lines_of<T> (f->call->inputs[0], first, problems, f->together);
  f->count.extent_parts = f->moments.extent_parts = range_parts (f->pixels);
  int64_t resident = f->summed ? resident_blocks<T> () : 1;
  int64_t parts = blocks_for (pieces_of<T, RANGE_DEEP> (f->pixels), MOMENTS_THREADS / 32 * 2);
  parts = parts < 1 ? 1 : parts < resident ? parts : resident;
  f->moments.parts = (int) parts;
  f->moments.groups = (int) (resident / parts < problems ? resident / parts : problems);
  if (f->args->method == THRESHOLD_LI && f->moments.groups > 32)
    f->moments.groups = 32; /* buckets of 8 MiB each */
}

template <typename T>
static fv_status
run_methods (const threshold_args *a, const fv_call *call, int64_t together, fv_error *error)
{
  const size_t room = (size_t) 1 << 28;
  int64_t planes = array_planes (call->inputs[0]), all = planes / together;
  finding<T> f = {};
  f.args = a;
  f.call = call;
  f.together = together;
  prepare (&f);
  prepare_planes (&f, 0, 1);
  int64_t each = (int64_t) (room / lay_out (&f, NULL)), least = 1;
  each = each < least ? least : each < all ? each : all;
  each = each < 65535 ? each : 65535;
  prepare_planes (&f, 0, each);
  char *memory;
  fv_status status = cuda_scratch (call, lay_out (&f, NULL), &memory, error);
  for (int64_t first = 0; first < all && !status; first += each) {
    if (call->host->tick (call, first, all))
      return cancelled (error);
    prepare_planes (&f, first * together, each < all - first ? each : all - first);
    lay_out (&f, memory);
    f.c.bins = f.count.keep;
    f.c.counts = f.count.counts;
    f.c.bands = f.bands;
    f.c.scalars = call->scalars + first;
    if ((status = launch_range (&f, error)) || (f.counted && (status = launch_count (&f, error)))
        || (f.counted && (status = launch_choose (&f, error))) || (f.summed && (status = launch_moments (&f, error))))
      break;
    status = launch_mask<T> (a, call, first * together, f.problems, together, f.bands, error);
  }
  return status;
}

fv_status
threshold_run_cuda (const threshold_args *a, const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  int64_t planes = array_planes (in), together = a->volume ? planes : 1;
  return with_type (in->grid.type, [&] (auto zero) {
    using T = decltype (zero);
    if (a->method != THRESHOLD_MANUAL)
      return run_methods<T> (a, call, together, error);
    fv_status status = FV_OK;
    const int64_t each = 1024;
    for (int64_t first = 0; first < planes / together && !status; first += each) {
      if (call->host->tick (call, first, planes / together))
        return cancelled (error);
      int64_t n = planes / together - first;
      status = launch_mask<T> (a, call, first * together, n < each ? n : each, together, NULL, error);
    }
    return status;
  });
}

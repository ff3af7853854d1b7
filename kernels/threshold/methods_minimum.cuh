/* SPDX-License-Identifier: MIT
 *
 * The method `minimum` on the GPU: a histogram is smoothed until it has two peaks, by running sums that are rounded as on
 * the CPU. A smoothing cannot be spread over threads, but each can follow the one before it a few bins behind. So the lanes of a warp make
 * 32 smoothings. Warps for all possible smoothings hand the histogram on from one to the next. What one finds no later one may have found
 * before.
 */
#ifndef KERNELS_THRESHOLD_METHODS_MINIMUM_CUH
#define KERNELS_THRESHOLD_METHODS_MINIMUM_CUH

#include "kernels/threshold/methods_histogram.cuh"

enum { SMOOTHINGS = 10000, STAGES = (SMOOTHINGS - 1 + 31) / 32, MINIMUM_STEPS = 2 };

/* A bin of the histogram in memory: its value, and above it the number of stages that it has gone through. One access, so that
 * value and number belong together. */
__device__ __forceinline__ uint64_t
bin_load (const uint64_t *at)
{
  uint64_t v;
  asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(v) : "l"(at) : "memory");
  return v;
}

__device__ __forceinline__ void
bin_store (uint64_t *at, float value, int stage)
{
  uint64_t v = (uint64_t) (unsigned) stage << 32 | __float_as_uint (value);
  asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(at), "l"(v) : "memory");
}

__device__ __forceinline__ int
acquire (const int *at)
{
  int v;
  asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
  return v;
}

__device__ __forceinline__ void
release (int *at, int v)
{
  asm volatile("st.release.gpu.s32 [%0], %1;" ::"l"(at), "r"(v) : "memory");
}

/* What a lane knows of the histogram that it makes. */
struct peaks {
  int found, best;
  bool rising;
  float before, least;
};

/* Without branches, so that the arithmetic of several bins overlaps. */
__device__ __forceinline__ void
peaks_step (peaks *p, int i, float v)
{
  bool falls = p->rising && v < p->before, first = falls && p->found == 0;
  p->best = first ? i - 1 : p->best;
  p->least = first ? p->before : p->least;
  p->found += falls;
  p->rising = (p->rising && !falls) || v > p->before;
  bool lower = p->found == 1 && v < p->least;
  p->best = lower ? i : p->best;
  p->least = lower ? v : p->least;
  p->before = v;
}

/* A third of v, as division rounds it, or as good as 0 where v is. */
__device__ __forceinline__ double
third (double v)
{
  double q = __dmul_rn (v, 1.0 / 3.0);
  return __fma_rn (__fma_rn (-3.0, q, v), 1.0 / 3.0, q);
}

/* What a lane keeps from turn to turn. */
struct smoothing {
  double from[3]; /* the three bins before those that come next, of the histogram that is smoothed */
  double sum;
  float out[MINIMUM_STEPS]; /* the bins made last */
  peaks p;
};

/* 32 bins come in, one in each lane's `in`, by which all smoothings of the warp go on; i: the bin that the lane makes next.
 * INNER: no lane is near an end of the histogram; WATCH: peaks are still looked for. */
template <bool INNER, bool WATCH>
__device__ __forceinline__ void
smooth_bins (smoothing *s, float in, int i, int n, uint64_t *values, int stage)
{
  constexpr int steps = MINIMUM_STEPS;
  const int lane = (int) threadIdx.x;
#pragma unroll 2
  for (int turn = 0; turn < 32 / steps; turn++) {
    double from[steps + 3] = {s->from[0], s->from[1], s->from[2]}; /* from[k]: two before the bin that step k makes */
#pragma unroll
    for (int k = 0; k < steps; k++) {
      float above = __shfl_up_sync (~0u, s->out[k], 1), first = __shfl_sync (~0u, in, turn * steps + k);
      from[k + 3] = (double) (lane ? above : first);
    }
#pragma unroll
    for (int k = 0; k < steps; k++, i++) {
      double old = from[k];
      if (!INNER) {
        from[k + 3] = i + 1 < n ? from[k + 3] : from[k + 2];
        s->sum = i ? s->sum : __dadd_rn (from[k + 2], from[k + 2]);
        old = i > 1 ? old : i == 1 ? from[k + 1] : 0;
      }
      s->sum = __dadd_rn (s->sum, __dsub_rn (from[k + 3], old));
      s->out[k] = (float) third (s->sum);
      bool there = INNER || (i >= 0 && i < n);
      if (WATCH)
        peaks_step (&s->p, i, there ? s->out[k] : s->p.before);
      if (lane == 31 && there)
        bin_store (values + i, s->out[k], stage + 1);
    }
#pragma unroll
    for (int k = 0; k < 3; k++)
      s->from[k] = from[steps + k];
  }
}

/* 32 smoothings by one warp; false: there was or is an answer. */
__device__ bool
minimum_stage (const choosing &c, int64_t problem, int stage)
{
  state *whole = state_of (c, problem);
  const int n = (int) whole->n, lane = (int) threadIdx.x, behind = MINIMUM_STEPS + 1; /* bins, each lane */
  uint64_t *values = memory_of (c, problem, n).array<uint64_t> (0);
  auto load = [&] (int i) { return i < n ? bin_load (values + i) : (uint64_t) (unsigned) stage << 32; };
  smoothing s = {};
  s.p = {0, 0, true, -HUGE_VALF, 0};
  uint64_t next = load (lane);
  bool watch = true;
  for (int base = 0; base < n + 31 * behind + 1; base += 32) {
    while (!__all_sync (~0u, (int) (next >> 32) == stage)) {
      if (__any_sync (~0u, !acquire (&whole->running)))
        return false;
      __nanosleep (32);
      next = load (base + lane);
    }
    float in = __uint_as_float ((uint32_t) next);
    next = load (base + 32 + lane);
    int i = base - 1 - lane * behind;
    bool inner = base - 1 - 31 * behind > 1 && base + 32 <= n;
    if (inner && !watch)
      smooth_bins<true, false> (&s, in, i, n, values, stage);
    else if (inner)
      smooth_bins<true, true> (&s, in, i, n, values, stage);
    else
      smooth_bins<false, true> (&s, in, i, n, values, stage);
    watch = watch && __any_sync (~0u, s.p.found < 3);
  }
  bool counts = stage * 32 + lane < SMOOTHINGS - 1;
  unsigned ends = __ballot_sync (~0u, counts && s.p.found < 3);
  int answer = __shfl_sync (~0u, s.p.found < 2 ? -1 : s.p.best, ends ? __ffs ((int) ends) - 1 : 0);
  bool goes_on = false;
  if (lane == 0) {
    bool turn;
    while (!(turn = acquire (&whole->done) == stage) && acquire (&whole->running))
      __nanosleep (100);
    goes_on = turn && !ends && stage < STAGES - 1;
    if (goes_on)
      release (&whole->done, stage + 1);
    else if (turn) {
      finish_bin (c, problem, ends ? answer : -1);
      release (&whole->running, 0);
    }
  }
  return __any_sync (~0u, goes_on);
}

/* problems x relays blocks of one warp. relays: STAGES, a stage each; 1: one after the other, where problems are many. A warp waits
 * only for those that took their tickets, and so started, before. 8 bytes read and written a bin for 32 smoothings. */
__global__ void __launch_bounds__ (32) minimum_kernel (choosing c, int relays)
{
  unsigned ticket = threadIdx.x == 0 ? atomicAdd (c.queue, 1) : 0;
  ticket = __shfl_sync (~0u, ticket, 0);
  int64_t problem = ticket / (unsigned) relays;
  if (!__all_sync (~0u, acquire (&state_of (c, problem)->running)))
    return;
  for (int stage = (int) (ticket % (unsigned) relays); stage < STAGES; stage += relays)
    if (!minimum_stage (c, problem, stage))
      return;
}

#endif

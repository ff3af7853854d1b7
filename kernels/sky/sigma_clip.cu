/* SPDX-License-Identifier: MIT
 *
 * sigma_clip on the GPU: one kernel, whose blocks are all resident and go through passes over the pixels together, so that the host
 * waits but once, for the table. Each plane has a group of `parts` blocks of 1024. A pass reads the type's size for each pixel. It
 * either counts them in bins, or takes the sums of those that are kept. Bins are in shared memory (64 KiB: each bin four times, so that
 * equal neighbors do not wait for each other) and from there in the group's. All pixels of the bins about the median, up to 64 KiB, are put
 * in a list, which each block then has in shared memory. While the median of later rounds is among them, one pass is a round. The group's
 * counts take turns: one is counted into, one cleared, one perhaps still read. Barriers of a pass: one between the blocks of a group, and
 * about twenty of the block. Sums are those of the CPU: of integers, about the same center.
 */
#include "kernels/sky/sigma_clip.h"
#include "kernels/common/blocks.cuh"
#include "kernels/common/lines.cuh"
#include "kernels/sky/clip.cuh"

enum { CLIP_DEEP = 2, COPIES = 4, LIST_BYTES = 64 * 1024 };
enum { MEDIAN_BYTES = CLIP_BINS * 4, CLIP_SHARED = MEDIAN_BYTES + LIST_BYTES };
static_assert (CLIP_SHARED >= CLIP_BINS * COPIES * 4); /* bins and list share memory */
enum { LISTED = CLIP_BINS, CLIP_COUNTS };              /* counts of bins; after them, how many pixels are in the list */

/* PASS_LIST is a PASS_SUM that makes the list, too. */
typedef enum clip_pass { PASS_COUNT, PASS_LIST, PASS_SUM } clip_pass;

/* Of the kept pixels; of a thread keys and numbers are as short as they can be. */
template <typename K, typename N> struct pass_sums {
  spread_sums sums;
  K low, high, above;
  N kept, under; /* under: before the window */
};

typedef pass_sums<count64, count64> all_sums;

template <typename T> struct clip_job {
  using key = decltype (key_type<T> () | 0u);
  static constexpr int most = LIST_BYTES / (int) sizeof (key);
  lines<T> pixels;
  fv_type type;
  double kappa;
  int64_t max_iterations, problems;
  int parts, groups; /* parts * groups blocks */
  count64 *counts;   /* [groups][3][CLIP_COUNTS], cleared */
  unsigned *arrived; /* [groups], cleared */
  all_sums *sums;    /* [groups][2][parts] */
  key *list;         /* [groups][most] */
  double *scalars;
};

/* Where a block is; alike in all of a group. The window is keys, with the median among them when it was made. */
struct clip_state {
  clip c, median;
  clip_pass pass;
  count64 first, last, count; /* the window; pixels in it */
  all_sums sums;              /* of all blocks */
};

/* For all lanes. */
template <typename K, typename N>
__device__ __forceinline__ pass_sums<K, N>
join_warp (pass_sums<K, N> a)
{
#pragma unroll 1
  for (int d = 16; d; d /= 2) {
    a.sums = spread_join (a.sums, lane_away (a.sums, d));
    a.low = min (a.low, __shfl_xor_sync (~0u, a.low, d));
    a.high = max (a.high, __shfl_xor_sync (~0u, a.high, d));
    a.above = min (a.above, __shfl_xor_sync (~0u, a.above, d));
    a.kept += __shfl_xor_sync (~0u, a.kept, d);
    a.under += __shfl_xor_sync (~0u, a.under, d);
  }
  return a;
}

/* Sums of all threads, for thread 0. A barrier. */
template <typename K, typename N>
__device__ __forceinline__ all_sums
join_sums (pass_sums<K, N> own)
{
  __shared__ all_sums shared[CLIP_THREADS / 32];
  own = join_warp (own);
  if (threadIdx.x % 32 == 0)
    shared[threadIdx.x / 32] = {own.sums, own.low, own.high, own.above, own.kept, own.under};
  __syncthreads ();
  return threadIdx.x < 32 ? join_warp (shared[threadIdx.x]) : all_sums ();
}

/* Calls f with each pixel of a block's part, and `between` at the end, and before a lane has had more than EXACT_TERMS pixels. */
template <typename T, typename F, typename G>
__device__ __forceinline__ void
each_of_part (const clip_job<T> &job, int64_t problem, int part, F f, G between)
{
  constexpr int size = piece_pixels<T, CLIP_DEEP>, most = EXACT_TERMS / (size / 32);
  const int64_t pieces = job.pixels.count * ((job.pixels.columns + size - 1) / size), warps = CLIP_THREADS / 32;
  int n = 0;
  for (int64_t i = (int64_t) part * warps + threadIdx.x / 32; i < pieces; i += (int64_t) job.parts * warps) {
    each_pixel<CLIP_DEEP> (job.pixels, problem, i, f);
    if (++n % most == 0)
      between ();
  }
  between ();
}

/* ---- Counting ---- */

/* Adds a block's part of the pixels to the counts of the group. Two barriers. */
template <typename T>
__device__ void
count_pixels (const clip_job<T> &job, int64_t problem, int part, const clip &c, uint32_t *bins, count64 *counts)
{
  using K = typename clip_job<T>::key;
  const K first = (K) c.first, span = (K) (c.last - c.first);
  const int shift = c.shift;
  uint32_t *own = bins + threadIdx.x % COPIES;
  for (int i = (int) threadIdx.x; i < CLIP_BINS; i += CLIP_THREADS)
    ((uint4 *) bins)[i] = {0, 0, 0, 0};
  __syncthreads ();
  each_of_part (
    job, problem, part,
    [&] (T p) {
      K at = key_of (p) - first;
      if (at <= span)
        atomicAdd (own + (size_t) (at >> shift) * COPIES, 1u);
    },
    [] {});
  __syncthreads ();
  for (int i = (int) threadIdx.x; i < CLIP_BINS; i += CLIP_THREADS) {
    const uint4 n = ((const uint4 *) bins)[i];
    const count64 sum = (count64) n.x + n.y + n.z + n.w;
    if (sum)
      atomicAdd (counts + i, sum);
  }
}

/* The window about the median: the bins within half a list of it, or its own; or a pass over its own bin. Five barriers. */
template <typename F>
__device__ void
find_window (clip_state *state, count64 most, F count)
{
  __shared__ clip_bin found;
  __shared__ int from, upto, lowest, highest;
  __shared__ count64 begin, end;
  clip *c = &state->c;
  const int bin = (int) threadIdx.x * EACH_BIN;
  if (threadIdx.x == 0) {
    found = {0, 0, 0, -1, -1};
    from = lowest = CLIP_BINS;
    upto = highest = -1;
  }
  const clip_scan s = clip_scan_bins (count);
  const count64 rank = (count64) clip_wanted (c, (int64_t) s.all), kept = c->rank < 0 ? s.all : (count64) c->kept;
  const bool first = c->rank < 0 && !c->iterations; /* pass of all */
  const count64 reach = min (most / 2, kept / 16), low = rank > reach ? rank - reach : 0, high = rank + reach;
  count64 before = s.before;
  for (int k = 0; k < EACH_BIN; before += s.n[k++]) {
    if (!s.n[k])
      continue;
    if (rank >= before && rank < before + s.n[k])
      found = {(int64_t) s.all, (int64_t) before, (int64_t) s.n[k], bin + k, -1};
    if (first) {
      atomicMin (&lowest, bin + k);
      atomicMax (&highest, bin + k);
    }
    if (before >= low && before + s.n[k] <= high) {
      atomicMin (&from, bin + k);
      atomicMax (&upto, bin + k);
    }
  }
  __syncthreads ();
  if (threadIdx.x == 0 && (found.bin < from || found.bin > upto))
    from = upto = found.bin;
  __syncthreads ();
  before = s.before;
  for (int k = 0; k < EACH_BIN; before += s.n[k++]) {
    if (bin + k == from)
      begin = before;
    if (bin + k == upto)
      end = before + s.n[k];
  }
  __syncthreads ();
  if (threadIdx.x != 0)
    return;
  if (c->rank < 0) {
    c->rank = (int64_t) rank;
    c->kept = (int64_t) s.all;
  }
  if (!s.all) {
    clip_none (c);
    return;
  }
  if (first)
    clip_first_bins (c, lowest, found.bin, highest);
  const count64 at = c->first + ((count64) found.bin << c->shift);
  state->count = end - begin;
  if (state->count > most && c->shift) {
    c->rank -= found.before;
    clip_count_next (c, at, min ((count64) c->last, at + ((count64) 1 << c->shift) - 1));
    return;
  }
  state->first = c->first + ((count64) from << c->shift);
  state->last = min ((count64) c->last, c->first + ((count64) (upto + 1) << c->shift) - 1);
  state->pass = state->first == state->last ? PASS_SUM : PASS_LIST;
}

/* ---- Sums ---- */

/* The thread's sums of its pixels; where there is a count `listed`, those of the window go to the list. */
template <typename T, typename K = typename clip_job<T>::key>
__device__ __forceinline__ pass_sums<K, unsigned>
sum_pixels (const clip_job<T> &job, int64_t problem, int part, const clip_state &state, bool listing, K *list,
            unsigned *listed)
{
  const K low = (K) state.c.low, span = (K) (state.c.high - state.c.low), first = (K) state.first,
          last = (K) state.last;
  const double unit = state.c.about.unit, start = state.c.about.start;
  pass_sums<K, unsigned> s = {{}, (K) -1, 0, (K) -1, 0, 0};
  uint64_t values = 0, squares = 0;
  unsigned added = 0; /* of those kept */
  each_of_part (
    job, problem, part,
    [&] (T p) {
      const K key = key_of (p);
      if ((K) (key - low) > span)
        return;
      const double d = (double) p * unit - start;
      values += exact_term (d);
      squares += spread_square (d);
      s.kept++;
      s.low = min (s.low, key);
      s.high = max (s.high, key);
      s.under += key < first;
      s.above = min (s.above, key > last ? key : (K) -1);
      if (listing && key >= first && key <= last)
        list[atomicAdd (listed, 1u)] = key;
    },
    [&] {
      exact_add (&s.sums.values, values, s.kept - added);
      exact_add (&s.sums.squares, squares, s.kept - added);
      values = squares = 0;
      added = s.kept;
    });
  return s;
}

/* Sums of all blocks, for thread 0. A barrier. */
__device__ __forceinline__ all_sums
sums_of_parts (const all_sums *parts, int n)
{
  all_sums s = {{}, UINT64_MAX, 0, UINT64_MAX, 0, 0};
  const int i = (int) threadIdx.x; /* a GPU has fewer multiprocessors than a block threads */
  if (i < n) {
    const spread_sums *sums = &parts[i].sums;
    const count64 *k = &parts[i].low;
    s = {{{__ldcg (&sums->values.high), __ldcg (&sums->values.low)},
          {__ldcg (&sums->squares.high), __ldcg (&sums->squares.low)}},
         __ldcg (k),
         __ldcg (k + 1),
         __ldcg (k + 2),
         __ldcg (k + 3),
         __ldcg (k + 4)};
  }
  return join_sums (s);
}

__device__ __forceinline__ clip_sums
clip_sums_of (const all_sums &s)
{
  return {s.sums, s.low, s.high, s.above};
}

/* Of thread 0: takes the sums, and says where in the window the median is; or what pass is needed first. */
__device__ void
take_sums (clip_state *state)
{
  clip *c = &state->c, *m = &state->median;
  const all_sums &sums = state->sums;
  const clip_sums all = clip_sums_of (sums);
  const int64_t rank = ((int64_t) sums.kept - 1) / 2 - (int64_t) sums.under;
  memset (m, 0, sizeof *m);
  state->pass = PASS_SUM;
  c->kept = (int64_t) sums.kept;
  if (!sums.kept) {
    clip_none (c);
  } else if (rank < 0 || rank >= (int64_t) state->count) {
    clip_begin_round (c);
    state->pass = PASS_COUNT;
  } else if (clip_take_sums (c, &all)) {
    m->kept = c->kept;
    m->rank = rank;
    m->type = c->type;
    m->low = state->first;
    m->high = state->last;
    clip_count_next (m, m->low, m->high);
    if (m->low == m->high) { /* a bin without a list */
      const clip_bin only = {0, 0, (int64_t) state->count, 0, -1};
      clip_enter_bin (m, &only, UINT64_MAX);
    }
    return;
  }
  m->done = true;
}

/* Of thread 0: ends the round, when the median was found. */
__device__ void
end_round (clip_state *state)
{
  clip *c = &state->c;
  if (!state->median.found)
    return;
  c->middle = state->median.middle;
  c->next = state->median.next == UINT64_MAX ? state->sums.above : state->median.next;
  const clip_sums sums = clip_sums_of (state->sums);
  clip_end_round (c, &sums);
  if (state->first < c->low || state->last > c->high)
    state->pass = PASS_COUNT;
}

/* parts x groups blocks of 1024, all resident. */
template <typename T>
__global__ void
__launch_bounds__ (CLIP_THREADS, 1) sigma_clip_kernel (clip_job<T> job)
{
  using K = typename clip_job<T>::key;
  extern __shared__ uint4 memory[];
  __shared__ clip_state state;
  __shared__ unsigned listed, offset;
  uint32_t *bins = (uint32_t *) memory;
  K *list = (K *) ((char *) memory + MEDIAN_BYTES); /* of which counting in bins leaves nothing */
  const int group = (int) blockIdx.x / job.parts, part = (int) blockIdx.x % job.parts;
  count64 *counts = job.counts + (int64_t) group * 3 * CLIP_COUNTS;
  K *all_listed = job.list + (int64_t) group * job.most;
  unsigned turn = 0;
  for (int64_t problem = group; problem < job.problems; problem += job.groups) {
    if (threadIdx.x == 0) {
      clip_begin (&state.c, job.type, job.kappa, job.max_iterations);
      state.pass = PASS_COUNT;
    }
    __syncthreads ();
    while (!state.c.done) {
      const clip_pass pass = state.pass;
      all_sums *partial = job.sums + ((int64_t) group * 2 + (turn & 1)) * job.parts;
      count64 *now = counts + turn % 3 * CLIP_COUNTS, *then = counts + (turn + 1) % 3 * CLIP_COUNTS;
      for (int i = part * CLIP_THREADS + (int) threadIdx.x; i < CLIP_COUNTS; i += job.parts * CLIP_THREADS)
        __stcg (then + i, (count64) 0);
      if (threadIdx.x == 0)
        listed = 0;
      __syncthreads ();
      if (pass == PASS_COUNT)
        count_pixels (job, problem, part, state.c, bins, now);
      else {
        const all_sums s = join_sums (sum_pixels (job, problem, part, state, pass == PASS_LIST, list, &listed));
        if (threadIdx.x == 0)
          partial[part] = s;
      }
      if (pass == PASS_LIST) {
        if (threadIdx.x == 0)
          offset = (unsigned) atomicAdd (now + LISTED, (count64) listed);
        __syncthreads ();
        for (unsigned i = threadIdx.x; i < listed; i += CLIP_THREADS)
          __stcg (all_listed + offset + i, list[i]);
      }
      group_barrier (job.arrived + group, job.parts, &turn);
      if (pass == PASS_COUNT)
        find_window (&state, (count64) job.most, [&] (int i) { return __ldcg (now + i); });
      else {
        if (pass == PASS_LIST)
          for (int i = (int) threadIdx.x; i < (int) state.count; i += CLIP_THREADS)
            list[i] = __ldcg (all_listed + i);
        const all_sums s = sums_of_parts (partial, job.parts);
        if (threadIdx.x == 0) {
          state.sums = s;
          take_sums (&state);
        }
        __syncthreads ();
        clip_find_median (
          &state.median, (int64_t) state.count, [&] (int64_t i) { return (count64) list[i]; }, bins);
        if (threadIdx.x == 0)
          end_round (&state);
      }
      __syncthreads ();
    }
    if (part == 0 && threadIdx.x == 0)
      sigma_clip_put (job.scalars + problem * SIGMA_CLIP_RESULTS, &state.c);
    __syncthreads ();
  }
}

template <typename T>
static fv_status
launch_sigma_clip (const fv_call *call, const fv_array *in, const sigma_clip_args *a, double *results, fv_error *error)
{
  const int64_t planes = array_planes (in), most = multiprocessors ();
  clip_job<T> job = {};
  job.pixels = lines_of<T> (in, 0, planes, 1);
  job.type = in->grid->type;
  job.kappa = a->kappa;
  job.max_iterations = a->max_iterations;
  job.problems = planes;
  job.scalars = results;
  const int64_t parts = blocks_for (pieces_of<T, CLIP_DEEP> (job.pixels), CLIP_THREADS / 32);
  job.parts = (int) (parts < most ? parts : most);
  job.groups = (int) (most / job.parts < planes ? most / job.parts : planes);
  const size_t groups = (size_t) job.groups, sums = groups * 2 * job.parts * sizeof (all_sums);
  const size_t cleared = groups * (3 * CLIP_COUNTS * sizeof (count64) + sizeof (unsigned));
  char *memory;
  fv_status status = cuda_scratch (call, sums + groups * LIST_BYTES + cleared, &memory, error);
  if (status)
    return status;
  job.sums = (all_sums *) memory;
  job.list = (typename clip_job<T>::key *) (memory + sums);
  job.counts = (count64 *) (memory + sums + groups * LIST_BYTES);
  job.arrived = (unsigned *) (job.counts + groups * 3 * CLIP_COUNTS);
  void *args[] = {&job};
  cudaFuncSetAttribute (sigma_clip_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, CLIP_SHARED);
  status = cuda_status (cudaMemsetAsync (job.counts, 0, cleared, cuda_stream (call)), "Clearing the counts", error);
  if (status)
    return status;
  return cuda_status (cudaLaunchCooperativeKernel ((const void *) sigma_clip_kernel<T>,
                                                   dim3 ((unsigned) (job.parts * job.groups)), dim3 (CLIP_THREADS),
                                                   args, CLIP_SHARED, cuda_stream (call)),
                      "Clipping", error);
}

extern "C" fv_status
sigma_clip_measure_cuda (const fv_call *call, const fv_array *in, const sigma_clip_args *a, double *results,
                         fv_error *error)
{
  return with_type (in->grid->type,
                    [&] (auto zero) { return launch_sigma_clip<decltype (zero)> (call, in, a, results, error); });
}

extern "C" fv_status
sigma_clip_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  const size_t bytes = (size_t) array_planes (in) * SIGMA_CLIP_RESULTS * sizeof (double);
  void *scalars;
  fv_status status = sigma_clip_measure_cuda (call, in, (const sigma_clip_args *) call->args, call->scalars, error);
  if (!status)
    status = call->host->host_scratch (call, bytes, &scalars, error);
  if (!status)
    status = call->host->read (call, scalars, call->scalars, bytes, error);
  return status ? status : sigma_clip_table (call, (const double *) scalars, error);
}

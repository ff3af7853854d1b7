/* SPDX-License-Identifier: MIT
 *
 * Finds the key of one rank among many. The keys of a tile with its surroundings are sorted, and each pixel gets its index among them. A window is a
 * set of indices, a bit each. A thread moves its window down a column and changes the bits of pixels that leave and enter. It searches for the rank
 * from where it was in the row above (slide.h does so on the CPU).
 *
 * Pixels of 8 and 16 bits whose values in a tile are few enough to be counted, each in a word where the sets will be, are sorted by counting;
 * others digit by digit.
 *
 * sorted_kernel: a tile of 32 x 32 pixels a block of 128 threads; reads a tile with its surroundings once, writes each pixel once. Waits
 * for its threads in the sort; none for another afterwards.
 */
#ifndef KERNELS_RANK_SORTED_CUH
#define KERNELS_RANK_SORTED_CUH

#include "kernels/common/row.cuh"
#include "kernels/rank/keys.cuh"
#include "kernels/rank/rank_kind.h"
#include "kernels/rank/slide.h"
#include "kernels/rank/surroundings.cuh"

#include <cub/block/block_radix_sort.cuh>

enum { SORTED_SIDE = 32, SORTED_TOGETHER = 4 };

/* Two pixels of a tile, from the first of a window on, in bytes of indices. */
struct alignas (8) sorted_pair {
  int32_t first, second;
};

/* An index as it is stored: the word of the set that has its bit, and in the last five bits which one of it. */
template <int THREADS, int ITEMS> struct sorted_code {
  static constexpr int stride = THREADS * 4; /* bytes from word to word of a thread's set */
  /* Words are counted in bytes of sets if that fits in 16 bits. */
  static constexpr int unit = THREADS * ITEMS / 32 * stride <= 65536 ? stride : 32;

  static __device__ __forceinline__ uint16_t of (int index)
  {
    return (uint16_t) ((index >> 5) * unit | (index & 31));
  }
  static __device__ __forceinline__ int word (uint32_t code)
  {
    return (int) (code / unit) * stride;
  }
  static __device__ __forceinline__ uint32_t bit (uint32_t code)
  {
    return 1u << (code & 31);
  }
};

template <typename T> struct sorted_job {
  bordered<T> image;
  view<T> out;
  int32_t low[3];       /* the footprint's reach */
  int64_t across, down; /* tiles */
  const sorted_pair
    *pair; /* first all of the footprint, with which a column begins, then what leaves and what enters */
  int32_t n_all, n_edge, odd;           /* pairs, multiples of SORTED_TOGETHER; a pixel that is in no pair, or -1 */
  int32_t pitch, height, depth, pixels; /* of a tile with its surroundings */
  int32_t rank;
  int32_t index_at, set_at; /* bytes of shared memory: indices, sets */
};

/* ---- The sort ---- */

template <typename T>
__device__ __forceinline__ void
load_sorted (const sorted_job<T> &j, int64_t z, int64_t y0, int64_t x0, typename rank_key<T>::type *keys)
{
  rank_key<T> key;
  for (int line = (int) threadIdx.x / 32; line < j.depth * j.height; line += (int) blockDim.x / 32) {
    int slice = line / j.height;
    int64_t plane = j.image.source_index (z + slice + j.low[0], j.image.in.planes);
    int64_t row = j.image.source_index (y0 + line - slice * j.height + j.low[1], j.image.in.rows);
    for (int x = (int) threadIdx.x % 32; x < j.pitch; x += 32)
      keys[line * j.pitch + x] =
        key (j.image.pixel (plane, row, j.image.source_index (x0 + x + j.low[2], j.image.in.columns)));
  }
}

/* Sorts integers by counting them in `bins` words at `count`, and gives each pixel its index. */
template <typename T, int THREADS, int ITEMS>
__device__ __forceinline__ void
count_indices (int32_t pixels, uint32_t least, int bins, typename rank_key<T>::type *keys, uint16_t *index,
               uint32_t *count)
{
  __shared__ uint32_t of_warps[THREADS / 32];
  uint32_t key[ITEMS], before[ITEMS]; /* of equal ones */
  for (int i = (int) threadIdx.x; i < bins; i += THREADS)
    count[i] = 0;
  __syncthreads ();
#pragma unroll
  for (int i = 0; i < ITEMS; i++) {
    int at = (int) threadIdx.x + i * THREADS;
    key[i] = at < pixels ? keys[at] : 0;
    before[i] = at < pixels ? atomicAdd (count + (key[i] - least), 1u) : 0;
  }
  __syncthreads ();

  /* How many keys are less than each value: of a thread's own values, an odd number, then of the warp's, then of all. */
  const int each = (bins + THREADS - 1) / THREADS | 1, first = (int) threadIdx.x * each;
  const int end = first + each < bins ? first + each : bins, lane = (int) threadIdx.x % 32;
  uint32_t sum = 0;
  for (int i = first; i < end; i++)
    sum += count[i];
  uint32_t upto = sum;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    uint32_t v = __shfl_up_sync (~0u, upto, d);
    upto += lane >= d ? v : 0;
  }
  if (lane == 31)
    of_warps[threadIdx.x / 32] = upto;
  __syncthreads ();
  uint32_t less = upto - sum;
#pragma unroll
  for (int i = 0; i < THREADS / 32; i++)
    less += i < (int) threadIdx.x / 32 ? of_warps[i] : 0;
  for (int i = first; i < end; i++) {
    uint32_t n = count[i];
    count[i] = less;
    less += n;
  }
  __syncthreads ();
#pragma unroll
  for (int i = 0; i < ITEMS; i++) {
    int at = (int) threadIdx.x + i * THREADS;
    if (at < pixels) {
      int to = (int) (count[key[i] - least] + before[i]);
      keys[to] = (typename rank_key<T>::type) key[i];
      index[at] = sorted_code<THREADS, ITEMS>::of (to);
    }
  }
  __syncthreads (); /* all are placed, and the words are free */
}

/* The same digit by digit. `memory` is needed for it alone. Returns how many keys are NaN. */
template <typename T, int THREADS, int ITEMS>
__device__ __forceinline__ int
sort_indices (int32_t pixels, typename rank_key<T>::type *keys, uint16_t *index, void *memory)
{
  typedef typename rank_key<T>::type K;
  typedef cub::BlockRadixSort<K, THREADS, ITEMS, uint16_t> sorting;
  __shared__ unsigned long long differing;
  __shared__ int missing;
  K key[ITEMS];
  uint16_t from[ITEMS];
  unsigned long long differs = 0;
  int nans = 0;
  if (threadIdx.x == 0)
    differing = missing = 0;
  __syncthreads (); /* the keys are there */
#pragma unroll
  for (int i = 0; i < ITEMS; i++) {
    int at = (int) threadIdx.x * ITEMS + i;
    from[i] = (uint16_t) at;
    key[i] = at < pixels ? keys[at] : rank_key<T>::nan; /* the sort leaves equal keys in their order */
    differs |= at < pixels ? key[i] ^ keys[0] : 0;
    nans += at < pixels && rank_key<T>::real && key[i] == rank_key<T>::nan;
  }
  atomicOr (&differing, differs);
  if (nans)
    atomicAdd (&missing, nans);
  __syncthreads ();
  if (differing)
    sorting (*(typename sorting::TempStorage *) memory)
      .Sort (key, from, __ffsll ((long long) differing) - 1, 64 - __clzll ((long long) differing));
#pragma unroll
  for (int i = 0; i < ITEMS; i++) {
    int at = (int) threadIdx.x * ITEMS + i;
    if (at < pixels) {
      keys[at] = key[i];
      index[from[i]] = sorted_code<THREADS, ITEMS>::of (at);
    }
  }
  __syncthreads (); /* all are placed, and `memory` is free */
  return missing;
}

/* The least key, and the greatest less that. The keys are there when it returns. */
template <typename T, int THREADS>
__device__ __forceinline__ uint2
range_of_keys (int32_t pixels, const typename rank_key<T>::type *keys)
{
  __shared__ uint32_t least, most;
  uint32_t low = ~0u, high = 0;
  if (threadIdx.x == 0) {
    least = ~0u;
    most = 0;
  }
  __syncthreads ();
  for (int at = (int) threadIdx.x; at < pixels; at += THREADS) {
    low = min (low, (uint32_t) keys[at]);
    high = max (high, (uint32_t) keys[at]);
  }
  low = __reduce_min_sync (~0u, low);
  high = __reduce_max_sync (~0u, high);
  if (threadIdx.x % 32 == 0) {
    atomicMin (&least, low);
    atomicMax (&most, high);
  }
  __syncthreads ();
  return make_uint2 (least, most - least);
}

/* Sorts the keys and gives each pixel its index; `words` at `memory` are scratch. Returns how many keys are NaN. */
template <typename T, int THREADS, int ITEMS>
__device__ __forceinline__ int
make_indices (int32_t pixels, typename rank_key<T>::type *keys, uint16_t *index, uint32_t *memory, int words)
{
  if constexpr (sizeof (T) <= 2) {
    uint2 range = range_of_keys<T, THREADS> (pixels, keys);
    if ((int) range.y < words) {
      count_indices<T, THREADS, ITEMS> (pixels, range.x, (int) range.y + 1, keys, index, memory);
      return 0;
    }
  }
  return sort_indices<T, THREADS, ITEMS> (pixels, keys, index, memory);
}

/* ---- The walk ---- */

/* The set of indices of a thread. */
template <typename C> struct sorted_window {
  char *bits;
  int now, less; /* a word, in bytes from `bits` on, and how many indices are in those before it */

  __device__ __forceinline__ uint32_t &word (int at) const
  {
    return *(uint32_t *) (bits + at);
  }

  /* Adds or removes an index. The set belongs to this thread; atomics spare the wait for the change before. */
  __device__ __forceinline__ void change (uint32_t code)
  {
    atomicXor (&word (C::word (code)), C::bit (code));
  }

  /* The index of the rank. */
  __device__ __forceinline__ int find (int rank)
  {
    while (less > rank) {
      now -= C::stride;
      less -= __popc (word (now));
    }
    uint32_t v = word (now);
    for (int n = __popc (v); less + n <= rank; n = __popc (v)) {
      less += n;
      now += C::stride;
      v = word (now);
    }
    for (int k = rank - less; k > 0; k--)
      v &= v - 1;
    return now / C::stride * 32 + __ffs ((int) v) - 1;
  }

  /* Whether there is an index from `first` on. */
  __device__ bool any_from (int first, int pixels) const
  {
    uint32_t found = word ((first >> 5) * C::stride) & ~0u << (first & 31);
    for (int i = (first >> 5) + 1; !found && i <= (pixels - 1) >> 5; i++)
      found = word (i * C::stride);
    return found != 0;
  }
};

/* Changes the indices of n pairs of pixels. MOVES: the first of each leaves, the second enters. */
template <bool MOVES, typename C>
__device__ __forceinline__ void
change_window (sorted_window<C> *w, const uint16_t *index, const sorted_pair *pair, int n)
{
#pragma unroll 1
  for (int k = 0; k < n; k += SORTED_TOGETHER) {
    uint32_t a[SORTED_TOGETHER], b[SORTED_TOGETHER];
#pragma unroll
    for (int i = 0; i < SORTED_TOGETHER; i++) {
      sorted_pair p = pair[k + i];
      a[i] = *(const uint16_t *) ((const char *) index + p.first);
      b[i] = *(const uint16_t *) ((const char *) index + p.second);
    }
#pragma unroll
    for (int i = 0; i < SORTED_TOGETHER; i++) {
      w->change (a[i]);
      w->change (b[i]);
      if (MOVES)
        w->less += (C::word (b[i]) < w->now) - (C::word (a[i]) < w->now);
    }
  }
}

template <typename T, int THREADS, int ITEMS>
__global__ static void
__launch_bounds__ (THREADS) sorted_kernel (const __grid_constant__ sorted_job<T> j)
{
  typedef typename rank_key<T>::type K;
  typedef sorted_code<THREADS, ITEMS> C;
  constexpr int each = SORTED_SIDE * 32 / THREADS; /* rows of a thread */
  extern __shared__ __align__ (16) char sorted_memory[];
  K *keys = (K *) sorted_memory;
  uint16_t *index = (uint16_t *) (sorted_memory + j.index_at);
  uint32_t *sets = (uint32_t *) (sorted_memory + j.set_at);
  int64_t tile = blockIdx.x, line = tile / j.across, z = line / j.down;
  int64_t x0 = (tile - line * j.across) * SORTED_SIDE, y0 = (line - z * j.down) * SORTED_SIDE;
  load_sorted<T> (j, z, y0, x0, keys);
  const int words = (j.pixels + 31) / 32;
  int nans = make_indices<T, THREADS, ITEMS> (j.pixels, keys, index, sets, words * THREADS);

  sorted_window<C> w = {(char *) (sets + threadIdx.x), 0, 0};
  for (int i = 0; i < words; i++)
    w.word (i * C::stride) = 0;
  int first = (int) threadIdx.x / 32 * each;
  const uint16_t *own = index + first * j.pitch + threadIdx.x % 32;
  change_window<false> (&w, own, j.pair, j.n_all);
  if (j.odd >= 0)
    w.change (own[j.odd]);
  int64_t x = x0 + threadIdx.x % 32;
  for (int i = 0; i < each && y0 + first + i < j.out.rows; i++, own += j.pitch) {
    int found = w.find (j.rank);
    bool nan = rank_key<T>::real && nans && w.any_from (j.pixels - nans, j.pixels);
    if (x < j.out.columns)
      j.out.row (z, y0 + first + i)[x] = rank_key<T>::pixel (nan ? rank_key<T>::nan : keys[found]);
    if (i + 1 < each)
      change_window<true> (&w, own, j.pair + j.n_all, j.n_edge);
  }
}

/* ---- Starting it ---- */

static inline int32_t
whole_pairs (int64_t n)
{
  return (int32_t) blocks_for (n, SORTED_TOGETHER) * SORTED_TOGETHER;
}

/* The lists of the footprint. */
template <typename T>
static fv_status
send_pairs (const fv_call *call, sorted_job<T> *j, fv_error *error)
{
  const neighborhood_args *a = (const neighborhood_args *) call->args;
  footprint_spec spec = neighborhood_spec (a);
  int64_t n_runs = neighborhood_runs (a, NULL), n = neighborhood_count (a), *at;
  neighborhood b = {};
  neighborhood_run *runs;
  slide_footprint f;
  sorted_pair *pairs;
  void *memory;
  footprint_reach (&spec, b.low, b.high);
  b.pitch = j->pitch;
  b.slice = (int64_t) j->pitch * j->height;
  b.all = j->pixels;
  if (call->host->host_scratch (call, (size_t) n_runs * sizeof *runs, (void **) &runs, error)
      || call->host->host_scratch (call, (size_t) (5 * n) * sizeof *at, (void **) &at, error)
      || call->host->host_scratch (call, (size_t) (b.all + 2 * b.pitch), &memory, error))
    return error->code;
  neighborhood_runs (a, runs);
  slide_footprint_make (&f, &b, runs, n_runs, at, memory);
  j->n_all = whole_pairs (n / 2);
  j->n_edge = whole_pairs (f.top.n);
  j->odd = n % 2 ? (int32_t) f.all.at[n - 1] : -1;
  size_t bytes = (size_t) (j->n_all + j->n_edge) * sizeof *pairs;
  if (call->host->host_scratch (call, bytes, (void **) &pairs, error))
    return error->code;
  memset (pairs, 0, bytes); /* the remaining pairs change the same index twice */
  for (int64_t i = 0; i < n / 2; i++)
    pairs[i] = {2 * (int32_t) f.all.at[2 * i], 2 * (int32_t) f.all.at[2 * i + 1]};
  for (int64_t i = 0; i < f.top.n; i++)
    pairs[j->n_all + i] = {2 * (int32_t) f.top.at[i], 2 * (int32_t) (f.bottom.at[i] + j->pitch)};
  return send_numbers (call, pairs, (size_t) (j->n_all + j->n_edge), &j->pair, error);
}

/* Shared memory for tiles, whose parts are laid out here, or -1: the device has not so much. */
template <typename T, int THREADS, int ITEMS>
static int64_t
sorted_bytes (sorted_job<T> *j)
{
  typedef typename rank_key<T>::type K;
  int64_t sort = (int64_t) sizeof (typename cub::BlockRadixSort<K, THREADS, ITEMS, uint16_t>::TempStorage);
  int64_t sets = blocks_for (j->pixels, 32) * THREADS * (int64_t) sizeof (uint32_t);
  j->index_at = (int32_t) blocks_for (j->pixels * (int64_t) sizeof (K), 16) * 16;
  j->set_at = j->index_at + (int32_t) blocks_for (j->pixels * (int64_t) sizeof (uint16_t), 16) * 16;
  int64_t bytes = j->set_at + (sets > sort ? sets : sort);
  return bytes + 1024 <= most_shared () ? bytes : -1;
}

template <typename T, int THREADS, int ITEMS>
static fv_status
run_sorted (const fv_call *call, sorted_job<T> *j, bool *done, fv_error *error)
{
  int64_t bytes = sorted_bytes<T, THREADS, ITEMS> (j);
  *done = bytes >= 0;
  if (!*done)
    return FV_OK;
  if (send_pairs (call, j, error))
    return error->code;
  return cuda_status (
    launch (sorted_kernel<T, THREADS, ITEMS>, j->out.planes * j->down * j->across, THREADS, bytes, call, *j),
    "A rank filter", error);
}

/* Where tiles with their surroundings are small enough for it; *done says whether they are. */
template <typename T>
static fv_status
rank_by_sorting (const fv_call *call, bool *done, fv_error *error)
{
  const neighborhood_args *a = (const neighborhood_args *) call->args;
  footprint_spec spec = neighborhood_spec (a);
  int32_t high[3];
  sorted_job<T> j = {};
  footprint_reach (&spec, j.low, high);
  j.image = bordered_input<T> (call);
  j.out = view_of<T> (call->outputs[0]);
  j.across = blocks_for (j.out.columns, SORTED_SIDE);
  j.down = blocks_for (j.out.rows, SORTED_SIDE);
  j.pitch = SORTED_SIDE + high[2] - j.low[2];
  j.height = SORTED_SIDE + high[1] - j.low[1];
  j.depth = high[0] - j.low[0] + 1;
  j.pixels = j.pitch * j.height * j.depth;
  j.rank = (int32_t) rank_of (call->op, a, neighborhood_count (a));
  *done = false;
  if (j.pixels <= 128 * 14)
    return run_sorted<T, 128, 14> (call, &j, done, error);
  if (j.pixels <= 128 * 22)
    return run_sorted<T, 128, 22> (call, &j, done, error);
  if (j.pixels <= 128 * 48)
    return run_sorted<T, 128, 48> (call, &j, done, error);
  return FV_OK;
}

#endif

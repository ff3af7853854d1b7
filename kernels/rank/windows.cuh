/* SPDX-License-Identifier: MIT
 *
 * windows: medians of pixels of 8 and 16 bits over footprints of 25 to 89 pixels, by sorting in registers what windows have in common only once. A
 * thread makes a block of pixels. It first sorts what all of their windows hold and keeps what may still be a median. Then it halves the block; what
 * the windows of a half share in addition is sorted and merged. This ends at single pixels, whose medians are selected from two sorted lists. Two
 * pixels that lie half a tile's width apart go together in a word. Networks are Batcher's (1968).
 *
 * windows_kernel: a tile of 16 rows a block of 128 threads; reads a tile with its surroundings once into shared memory and writes each pixel once.
 * Waits for the threads of a block once.
 */
#ifndef KERNELS_RANK_WINDOWS_CUH
#define KERNELS_RANK_WINDOWS_CUH

#include "kernels/rank/small.cuh"

enum { WINDOWS_ROWS = 16, WINDOWS_THREADS = 128, WINDOWS_X = 4, WINDOWS_Y = 2 }; /* of a tile, of a block of pixels */

/* A block of pixels, of which the first is at (X, Y), and what all of their windows hold. */
template <typename S, int X, int Y, int W, int H> struct windows_block {
  static BOTH constexpr bool has (int x, int y)
  {
    bool all = true;
    for (int k = Y; k < Y + H; k++)
      for (int i = X; i < X + W; i++)
        all = all && (x < i ? i - x : x - i) <= S::half (y - k + S::reach);
    return all;
  }

  static constexpr int count ()
  {
    int n = 0;
    for (int y = Y - S::reach; y < Y + H + S::reach; y++)
      for (int x = X - S::reach; x < X + W + S::reach; x++)
        n += has (x, y);
    return n;
  }

  /* Of `n` sorted keys, those that may be the median of a window. */
  static constexpr int n = count (), all = S::count (false), rank = all / 2;
  static constexpr int first = rank > all - n ? rank - (all - n) : 0, end = rank + 1 < n ? rank + 1 : n;
  static constexpr int kept = end - first;
};

/* What is sorted before the first block. */
struct windows_nothing {
  static BOTH constexpr bool has (int, int)
  {
    return false;
  }
  static constexpr int n = 0;
};

/* Where the keys are that block B has and A has not. */
template <typename S, typename B, typename A> struct windows_rest {
  static constexpr int n = B::n - A::n, most = 8 + S::reach; /* no block is larger than 8 x 8 */
  int x[n], y[n];

  constexpr windows_rest () : x (), y ()
  {
    int at = 0;
    for (int k = -S::reach; k < most; k++)
      for (int i = -S::reach; i < most; i++)
        if (B::has (i, k) && !A::has (i, k)) {
          x[at] = i;
          y[at++] = k;
        }
  }
};

/* The exchanges that merge A sorted keys with B sorted ones behind them. */
template <int A, int B> struct windows_merge {
  int n, low[(A + B) * 8], high[(A + B) * 8];

  constexpr windows_merge () : n (0), low (), high ()
  {
    int half = 1;
    while (half < A || half < B)
      half *= 2;
    for (int k = half; k >= 1; k /= 2)
      for (int j = k % half; j + k < 2 * half; j += 2 * k)
        for (int i = j; i < j + k; i++)
          if (i >= half - A && i + k < half + B) {
            low[n] = i - (half - A);
            high[n++] = i + k - (half - A);
          }
  }
};

typedef small_pair<uint16_t> windows_words;

template <int A, int B, int I>
__device__ __forceinline__ void
exchange_windows (uint32_t (&v)[A + B])
{
  constexpr windows_merge<A, B> merge;
  constexpr int i = merge.low[I], k = merge.high[I];
  uint32_t low = windows_words::lesser (v[i], v[k]);
  v[k] = windows_words::greater (v[i], v[k]);
  v[i] = low;
}

template <int A, int B, int... I>
__device__ __forceinline__ void
merge_windows (uint32_t (&v)[A + B], std::integer_sequence<int, I...>)
{
  (exchange_windows<A, B, I> (v), ...);
}

/* Key k of those of two sorted lists: the least of what is the greater of a first so many of one and the others of the other. */
template <int A, int B>
__device__ __forceinline__ uint32_t
select_windows (const uint32_t (&a)[A], const uint32_t (&b)[B], int k)
{
  uint32_t found = ~0u;
#pragma unroll
  for (int i = 0; i <= A; i++) {
    int from_b = k + 1 - i;
    if (from_b < 0 || from_b > B)
      continue;
    uint32_t v = i == 0 ? b[from_b - 1] : from_b == 0 ? a[i - 1] : windows_words::greater (a[i - 1], b[from_b - 1]);
    found = windows_words::lesser (found, v);
  }
  return found;
}

template <typename S, typename B, typename A, int I>
__device__ __forceinline__ uint32_t
load_window (const uint32_t *at, int pitch)
{
  constexpr windows_rest<S, B, A> rest;
  return at[rest.y[I] * pitch + rest.x[I]];
}

/* Sorts what block B has and A has not. */
template <typename S, typename B, typename A, int N, int... I>
__device__ __forceinline__ void
sort_windows (const uint32_t *at, int pitch, uint32_t (&v)[N], std::integer_sequence<int, I...>)
{
  ((v[I] = load_window<S, B, A, I> (at, pitch)), ...);
  sort_small<windows_words> (v);
}

template <typename S, int PITCH, typename B, int X, int Y, int W, int H, int N>
__device__ __forceinline__ void halve_windows (const uint32_t *at, const uint32_t (&kept)[N],
                                               uint32_t (&found)[WINDOWS_Y][WINDOWS_X]);

/* The medians of a block of W x H pixels, given what is kept of the block A around it. PITCH: words from row to row. */
template <typename S, int PITCH, typename A, int X, int Y, int W, int H, int N>
__device__ __forceinline__ void
medians_of_windows (const uint32_t *at, const uint32_t (&before)[N], uint32_t (&found)[WINDOWS_Y][WINDOWS_X])
{
  typedef windows_block<S, X, Y, W, H> B;
  constexpr int more = B::n - A::n;
  uint32_t rest[more];
  sort_windows<S, B, A> (at, PITCH, rest, std::make_integer_sequence<int, more> ());
  if constexpr (W == 1 && H == 1)
    found[Y][X] = select_windows (before, rest, B::rank - A::first);
  else {
    constexpr windows_merge<N, more> merge;
    uint32_t both[N + more], kept[B::kept];
#pragma unroll
    for (int i = 0; i < N; i++)
      both[i] = before[i];
#pragma unroll
    for (int i = 0; i < more; i++)
      both[N + i] = rest[i];
    merge_windows<N, more> (both, std::make_integer_sequence<int, merge.n> ());
#pragma unroll
    for (int i = 0; i < B::kept; i++)
      kept[i] = both[B::first - A::first + i];
    halve_windows<S, PITCH, B, X, Y, W, H> (at, kept, found);
  }
}

/* Those of its two halves. */
template <typename S, int PITCH, typename B, int X, int Y, int W, int H, int N>
__device__ __forceinline__ void
halve_windows (const uint32_t *at, const uint32_t (&kept)[N], uint32_t (&found)[WINDOWS_Y][WINDOWS_X])
{
  if constexpr (H >= W) {
    medians_of_windows<S, PITCH, B, X, Y, W, H / 2> (at, kept, found);
    medians_of_windows<S, PITCH, B, X, Y + H / 2, W, H / 2> (at, kept, found);
  } else {
    medians_of_windows<S, PITCH, B, X, Y, W / 2, H> (at, kept, found);
    medians_of_windows<S, PITCH, B, X + W / 2, Y, W / 2, H> (at, kept, found);
  }
}

template <typename T> struct windows_job {
  bordered<T> image;
  view<T> out;
  int64_t across, down; /* tiles */
  bool aligned;         /* rows of the output begin where the pixels of a thread may be written at once */
};

/* What a thread makes, and the tile: words of a row, of which `beside` on both sides surround it. */
template <typename S> struct windows_shape {
  static constexpr int half = 32 * WINDOWS_X, beside = (S::reach + WINDOWS_X - 1) / WINDOWS_X * WINDOWS_X,
                       pitch = half + 2 * beside;
  static constexpr int rows = WINDOWS_ROWS + 2 * S::reach;
};

template <typename T, typename shape>
__device__ __forceinline__ void
load_windows (const bordered<T> &image, int64_t z, int64_t y, int64_t x, uint32_t *tile)
{
  constexpr int each = (shape::pitch + 31) / 32;
  const int lane = (int) threadIdx.x % 32;
  int64_t first[each], second[each];
#pragma unroll
  for (int i = 0; i < each; i++) {
    first[i] = image.source_index (x + lane + 32 * i, image.in.columns);
    second[i] = image.source_index (x + lane + 32 * i + shape::half, image.in.columns);
  }
#pragma unroll 4
  for (int q = (int) threadIdx.x / 32; q < shape::rows; q += WINDOWS_THREADS / 32) {
    int64_t row = image.source_index (y + q, image.in.rows);
#pragma unroll
    for (int i = 0; i < each; i++)
      if (lane + 32 * i < shape::pitch)
        tile[q * shape::pitch + lane + 32 * i] =
          image.pixel (z, row, first[i]) | (uint32_t) image.pixel (z, row, second[i]) << 16;
  }
}

/* The pixels of half WHICH of a row of words, into row z, y from x on. */
template <int WHICH, typename T>
__device__ __forceinline__ void
store_windows (const windows_job<T> &j, int64_t z, int64_t y, int64_t x, const uint32_t (&found)[WINDOWS_X])
{
  typedef std::conditional_t<sizeof (T) == 1, uint32_t, uint64_t> piece;
  T *to = j.out.row (z, y) + x;
  piece pixels = 0;
  static_assert (sizeof pixels == WINDOWS_X * sizeof (T));
#pragma unroll
  for (int i = 0; i < WINDOWS_X; i++)
    pixels |= (piece) ((piece) windows_words::key (found[i], WHICH) << 8 * sizeof (T) * i);
  if (j.aligned && x + WINDOWS_X <= j.out.columns)
    *(piece *) to = pixels;
  else
#pragma unroll
    for (int i = 0; i < WINDOWS_X; i++)
      if (x + i < j.out.columns)
        to[i] = (T) windows_words::key (found[i], WHICH);
}

template <typename T, typename S>
__global__ static void
__launch_bounds__ (WINDOWS_THREADS) windows_kernel (const __grid_constant__ windows_job<T> j)
{
  typedef windows_shape<S> shape;
  typedef windows_block<S, 0, 0, WINDOWS_X, WINDOWS_Y> B;
  __shared__ __align__ (16) uint32_t tile[shape::rows * shape::pitch];
  int64_t at = blockIdx.x, line = at / j.across, z = line / j.down;
  int64_t x0 = (at - line * j.across) * 2 * shape::half, y0 = (line - z * j.down) * WINDOWS_ROWS;
  const int column = (int) threadIdx.x % 32 * WINDOWS_X;
  load_windows<T, shape> (j.image, z, y0 - S::reach, x0 - shape::beside, tile);
  __syncthreads ();
#pragma unroll 1
  for (int row = (int) threadIdx.x / 32 * WINDOWS_Y; row < WINDOWS_ROWS; row += WINDOWS_THREADS / 32 * WINDOWS_Y) {
    const uint32_t *own = tile + (row + S::reach) * shape::pitch + shape::beside + column;
    uint32_t all[B::n], kept[B::kept], found[WINDOWS_Y][WINDOWS_X];
    sort_windows<S, B, windows_nothing> (own, shape::pitch, all, std::make_integer_sequence<int, B::n> ());
#pragma unroll
    for (int i = 0; i < B::kept; i++)
      kept[i] = all[B::first + i];
    halve_windows<S, shape::pitch, B, 0, 0, WINDOWS_X, WINDOWS_Y> (own, kept, found);
#pragma unroll
    for (int i = 0; i < WINDOWS_Y; i++)
      if (y0 + row + i < j.out.rows) {
        store_windows<0> (j, z, y0 + row + i, x0 + column, found[i]);
        store_windows<1> (j, z, y0 + row + i, x0 + column + shape::half, found[i]);
      }
  }
}

template <typename T, typename S>
static fv_status
run_windows (const fv_call *call, fv_error *error)
{
  const fv_array *out = call->outputs[0];
  windows_job<T> j = {bordered_input<T> (call), view_of<T> (out)};
  j.across = blocks_for (j.out.columns, 2 * windows_shape<S>::half);
  j.down = blocks_for (j.out.rows, WINDOWS_ROWS);
  j.aligned = rows_aligned (out, WINDOWS_X * sizeof (T));
  windows_kernel<T, S><<<(unsigned) (j.out.planes * j.down * j.across), WINDOWS_THREADS, 0, cuda_stream (call)>>> (j);
  return cuda_status (cudaGetLastError (), "A median", error);
}

/* *done says whether it was a median over one of these footprints. */
template <typename T>
static fv_status
median_of_windows (const fv_call *call, bool *done, fv_error *error)
{
  typedef small_footprint<2, 2, 2, 2, 2> square_2;
  typedef small_footprint<3, 3, 3, 3, 3, 3, 3> square_3;
  typedef small_footprint<4, 4, 4, 4, 4, 4, 4, 4, 4> square_4;
  typedef small_footprint<0, 2, 2, 3, 2, 2, 0> disk_3;
  typedef small_footprint<0, 2, 3, 3, 4, 3, 3, 2, 0> disk_4;
  typedef small_footprint<0, 3, 4, 4, 4, 5, 4, 4, 4, 3, 0> disk_5;
  typedef small_footprint<1, 2, 3, 3, 3, 2, 1> imagej_3;
  typedef small_footprint<1, 2, 3, 4, 4, 4, 3, 2, 1> imagej_4;
  typedef small_footprint<1, 3, 4, 4, 5, 5, 5, 4, 4, 3, 1> imagej_5;
  const neighborhood_args *a = (const neighborhood_args *) call->args;
  neighborhood_run runs[11];
  int64_t n = neighborhood_runs (a, NULL), pixels = neighborhood_count (a);
  *done = n <= 11 && rank_of (call->op, a, pixels) == pixels / 2;
  if (!*done)
    return FV_OK;
  neighborhood_runs (a, runs);
  if (is_small<square_2> (runs, n))
    return run_windows<T, square_2> (call, error);
  if (is_small<square_3> (runs, n))
    return run_windows<T, square_3> (call, error);
  if (is_small<square_4> (runs, n))
    return run_windows<T, square_4> (call, error);
  if (is_small<disk_3> (runs, n))
    return run_windows<T, disk_3> (call, error);
  if (is_small<disk_4> (runs, n))
    return run_windows<T, disk_4> (call, error);
  if (is_small<disk_5> (runs, n))
    return run_windows<T, disk_5> (call, error);
  if (is_small<imagej_3> (runs, n))
    return run_windows<T, imagej_3> (call, error);
  if (is_small<imagej_4> (runs, n))
    return run_windows<T, imagej_4> (call, error);
  if (is_small<imagej_5> (runs, n))
    return run_windows<T, imagej_5> (call, error);
  *done = false;
  return FV_OK;
}

#endif

/* SPDX-License-Identifier: MIT
 *
 * small: medians over small footprints, sorted in registers by Batcher's networks, of which the compiler keeps what leads to the median.
 * Each thread makes two pixels, one below the other: what both windows hold is sorted once, and only what may still be a median is
 * sorted with the rest of each. Pixels of at most 16 bits go two by two in a register.
 *
 * median_small: 128 threads a block; reads the pixels under the footprints from L1, writes each pixel once. Nothing waits.
 */
#ifndef KERNELS_RANK_SMALL_CUH
#define KERNELS_RANK_SMALL_CUH

#include "kernels/rank/keys.cuh"
#include "kernels/rank/rank.h"
#include "kernels/rank/surroundings.cuh"

#include <utility>

/* A footprint whose row q goes from -half (q) to half (q), as wide as it is high. */
template <int... HALF> struct small_footprint {
  static constexpr int rows = sizeof...(HALF), reach = rows / 2, width = 2 * reach + 1;

  /* -1: there is no such row. */
  static BOTH constexpr int half (int q)
  {
    constexpr int halves[] = {HALF...};
    return q < 0 || q >= rows ? -1 : halves[q];
  }

  /* Of what the window and the one below it have in common, in row q of both. */
  static BOTH constexpr int half_common (int q)
  {
    return half (q) < half (q - 1) ? half (q) : half (q - 1);
  }

  static BOTH constexpr int count (bool common)
  {
    int n = 0;
    for (int q = 0; q <= rows; q++)
      n += 2 * (common ? half_common (q) : half (q)) + 1;
    return common ? n + 2 : n + 1; /* rows that are not there gave -1 */
  }
};

/* One key in a word. */
template <typename K> struct small_word {
  typedef std::conditional_t<sizeof (K) == 8, unsigned long long, uint32_t> word;
  static constexpr int pixels = 1;

  static __device__ word lesser (word a, word b)
  {
    return min (a, b);
  }
  static __device__ word greater (word a, word b)
  {
    return max (a, b);
  }
  static __device__ K key (word w, int)
  {
    return (K) w;
  }
  static __device__ word made_of (const K *keys)
  {
    return keys[0];
  }
};

/* Those of two neighbours. */
template <typename K> struct small_pair {
  typedef uint32_t word;
  static constexpr int pixels = 2;

  static __device__ word lesser (word a, word b)
  {
    return __vminu2 (a, b);
  }
  static __device__ word greater (word a, word b)
  {
    return __vmaxu2 (a, b);
  }
  static __device__ K key (word w, int i)
  {
    return (K) (i ? w >> 16 : w & 0xffff);
  }
  static __device__ word made_of (const K *keys)
  {
    return keys[0] | (word) keys[1] << 16;
  }
};

template <typename T>
using small_words =
  std::conditional_t<sizeof (T) <= 2, small_pair<typename rank_key<T>::type>, small_word<typename rank_key<T>::type>>;

/* Batcher's exchanges for N keys. */
template <int N> struct small_network {
  int n, low[N * N], high[N * N];

  constexpr small_network () : n (0), low (), high ()
  {
    for (int p = 1; p < N; p *= 2)
      for (int k = p; k >= 1; k /= 2)
        for (int j = k % p; j + k < N; j += 2 * k)
          for (int i = j; i < j + k && i + k < N; i++)
            if (i / (2 * p) == (i + k) / (2 * p)) {
              low[n] = i;
              high[n++] = i + k;
            }
  }
};

template <typename W, int I, int N> __device__ __forceinline__ void exchange_small (typename W::word (&v)[N])
{
  constexpr small_network<N> network;
  constexpr int i = network.low[I], k = network.high[I];
  typename W::word low = W::lesser (v[i], v[k]);
  v[k] = W::greater (v[i], v[k]);
  v[i] = low;
}

template <typename W, int N, int... I>
__device__ __forceinline__ void exchange_all (typename W::word (&v)[N], std::integer_sequence<int, I...>)
{
  (exchange_small<W, I> (v), ...);
}

template <typename W, int N> __device__ __forceinline__ void sort_small (typename W::word (&v)[N])
{
  constexpr small_network<N> network;
  exchange_all<W> (v, std::make_integer_sequence<int, network.n> ());
}

template <typename T> struct small_job {
  bordered<T> image;
  view<T> out;
};

/* Rows y ... y + S::rows of the words from column x on, less the reach. */
template <typename T, typename S, typename W>
__device__ __forceinline__ void
load_small (const bordered<T> &image, int64_t z, int64_t y, const int64_t *columns,
            typename W::word (&rows)[S::rows + 1][S::width])
{
  typename rank_key<T>::type keys[S::width + W::pixels - 1];
  rank_key<T> key;
#pragma unroll
  for (int q = 0; q <= S::rows; q++) {
    int64_t row = image.place (y + q - S::reach, image.in.rows);
#pragma unroll
    for (int i = 0; i < S::width + W::pixels - 1; i++)
      keys[i] = key (image.pixel (z, row, columns[i]));
#pragma unroll
    for (int i = 0; i < S::width; i++)
      rows[q][i] = W::made_of (keys + i);
  }
}

/* The window of output `which` of two, without what both have, behind the n keys that are there. */
template <typename S, typename W>
__device__ __forceinline__ void
add_rest (const typename W::word (&rows)[S::rows + 1][S::width], int which, typename W::word *to, int n)
{
#pragma unroll
  for (int q = 0; q <= S::rows; q++)
#pragma unroll
    for (int d = -S::reach; d <= S::reach; d++) {
      int far = d < 0 ? -d : d;
      if (far <= S::half (q - which) && far > S::half_common (q))
        to[n++] = rows[q][d + S::reach];
    }
}

template <typename W, int N>
__device__ __forceinline__ typename W::word
greatest_of (const typename W::word (&v)[N])
{
  typename W::word most = v[0];
#pragma unroll
  for (int i = 1; i < N; i++)
    most = W::greater (most, v[i]);
  return most;
}

template <typename T, typename W>
__device__ __forceinline__ void
store_small (T *row, int64_t x, int64_t columns, typename W::word found)
{
#pragma unroll
  for (int i = 0; i < W::pixels; i++)
    if (x + i < columns)
      row[x + i] = rank_key<T>::pixel (W::key (found, i));
}

template <typename T, typename S>
__global__ static void __launch_bounds__ (128) median_small (const __grid_constant__ small_job<T> j)
{
  typedef small_words<T> W;
  typedef typename W::word word;
  constexpr int shared = S::count (true), all = S::count (false), middle = all / 2;
  constexpr int first = shared - 1 - middle > 0 ? shared - 1 - middle : 0; /* of those that may be the median */
  constexpr int end = middle + 1 < shared ? middle + 1 : shared, kept = end - first, left = kept + all - shared;
  const word nan = rank_key<T>::nan;
  int64_t x = ((int64_t) blockIdx.x * 128 + threadIdx.x) * W::pixels;
  if (x >= j.out.columns)
    return;
  int64_t columns[S::width + W::pixels - 1];
#pragma unroll
  for (int i = 0; i < S::width + W::pixels - 1; i++)
    columns[i] = j.image.place (x + i - S::reach, j.image.in.columns);
  for (int64_t z = blockIdx.z; z < j.out.planes; z += gridDim.z)
    for (int64_t y = 2 * (int64_t) blockIdx.y; y < j.out.rows; y += 2 * (int64_t) gridDim.y) {
      word rows[S::rows + 1][S::width], common[shared];
      int n = 0;
      load_small<T, S, W> (j.image, z, y, columns, rows);
#pragma unroll
      for (int q = 0; q <= S::rows; q++)
#pragma unroll
        for (int d = -S::reach; d <= S::reach; d++)
          if ((d < 0 ? -d : d) <= S::half_common (q))
            common[n++] = rows[q][d + S::reach];
      sort_small<W> (common);
#pragma unroll
      for (int which = 0; which < 2; which++) {
        word window[left];
#pragma unroll
        for (int i = 0; i < kept; i++)
          window[i] = common[first + i];
        add_rest<S, W> (rows, which, window, kept);
        word most = rank_key<T>::real ? W::greater (common[shared - 1], greatest_of<W> (window)) : 0;
        sort_small<W> (window);
        word found = rank_key<T>::real && most == nan ? nan : window[middle - first];
        if (y + which < j.out.rows)
          store_small<T, W> (j.out.row (z, y + which), x, j.out.columns, found);
      }
    }
}

template <typename T, typename S>
static fv_status
run_small (const fv_call *call, fv_error *error)
{
  typedef small_words<T> W;
  small_job<T> j = {bordered_input<T> (call), view_of<T> (call->outputs[0])};
  int64_t across = blocks_for (j.out.columns, 128 * W::pixels);
  median_small<T, S><<<grid_of_rows (j.out.planes, (j.out.rows + 1) / 2, across), 128, 0, cuda_stream (call)>>> (j);
  return cuda_status (cudaGetLastError (), "A median", error);
}

template <typename S>
static bool
is_small (const neighbourhood_run *runs, int64_t n)
{
  bool same = n == S::rows;
  for (int q = 0; same && q < S::rows; q++)
    same =
      runs[q].dz == 0 && runs[q].dy == q - S::reach && runs[q].first == -S::half (q) && runs[q].last == S::half (q);
  return same;
}

/* Medians of 5 to 25 pixels; *done says whether it was one. */
template <typename T>
static fv_status
median_of_small (const fv_call *call, bool *done, fv_error *error)
{
  typedef small_footprint<1, 1, 1> square_1;
  typedef small_footprint<2, 2, 2, 2, 2> square_2;
  typedef small_footprint<0, 1, 0> disk_1;
  typedef small_footprint<0, 1, 2, 1, 0> disk_2;
  typedef small_footprint<1, 2, 2, 2, 1> imagej_2;
  const neighbourhood_args *a = (const neighbourhood_args *) call->args;
  neighbourhood_run runs[5];
  int64_t n = neighbourhood_runs (a, NULL), pixels = neighbourhood_count (a);
  *done = n <= 5 && rank_of (call->op, a, pixels) == pixels / 2;
  if (!*done)
    return FV_OK;
  neighbourhood_runs (a, runs);
  if (is_small<square_1> (runs, n))
    return run_small<T, square_1> (call, error);
  if (is_small<square_2> (runs, n))
    return run_small<T, square_2> (call, error);
  if (is_small<disk_1> (runs, n))
    return run_small<T, disk_1> (call, error);
  if (is_small<disk_2> (runs, n))
    return run_small<T, disk_2> (call, error);
  if (is_small<imagej_2> (runs, n))
    return run_small<T, imagej_2> (call, error);
  *done = false;
  return FV_OK;
}

#endif

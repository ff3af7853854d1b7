/* SPDX-License-Identifier: MIT
 *
 * small: medians over small footprints, sorted in registers by Batcher's networks, of which the compiler keeps what leads to the median. Each thread
 * makes two words of pixels in each of two adjacent rows. Pixels that both windows hold are sorted once. Only those that may still be a median are
 * sorted with the rest of each. Pixels of at most 16 bits go two by two in a word.
 *
 * median_small: 128 threads a block. Reads each row under the footprints of a thread in three pieces, mostly from L1; at borders and in rows that are
 * not aligned it reads pixel by pixel. Writes each pixel once. Nothing waits.
 */
#ifndef KERNELS_RANK_SMALL_CUH
#define KERNELS_RANK_SMALL_CUH

#include "kernels/common/row.cuh"
#include "kernels/rank/keys.cuh"
#include "kernels/rank/rank_kind.h"
#include "kernels/rank/surroundings.cuh"

#include <utility>

/* A footprint whose row q goes from -half (q) to half (q), as wide as it is high. */
template <int... HALF> struct small_footprint {
  static constexpr int rows = sizeof...(HALF), reach = rows / 2, width = 2 * reach + 1;

  /* -1: outside. */
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

/* Those of two neighbors. */
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
  int n, low[N * 14], high[N * 14]; /* as many as a sort of 128 needs */

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
  bool in_aligned, out_aligned; /* rows begin where the pixels of a thread may be read and written at once */
};

/* What a thread makes: `own` pixels across; to do so it reads `beside` more on both sides. */
template <typename T, typename S> struct small_shape {
  typedef small_words<T> W;
  static constexpr int words = 2, own = words * W::pixels, beside = W::pixels == 2 ? 2 : S::reach;
  static constexpr int all = own + 2 * beside;
};

template <typename T, int N>
__device__ __forceinline__ void
read_keys (const T *from, typename rank_key<T>::type *keys)
{
  pack<T, N> p = *(const pack<T, N> *) from;
#pragma unroll
  for (int i = 0; i < N; i++)
    keys[i] = rank_key<T> () ((T) p.pixel (i));
}

/* Row y from pixel x - beside on. */
template <typename T, typename S>
__device__ __forceinline__ void
load_small (const bordered<T> &image, bool inside, int64_t z, int64_t y, int64_t x, typename rank_key<T>::type *keys)
{
  typedef small_shape<T, S> shape;
  constexpr int beside = shape::beside, own = shape::own;
  if (inside) {
    const T *from = image.in.row (z, y) + x;
    read_keys<T, beside> (from - beside, keys);
    read_keys<T, own> (from, keys + beside);
    read_keys<T, beside> (from + own, keys + beside + own);
    return;
  }
  int64_t row = image.source_index (y, image.in.rows);
#pragma unroll
  for (int i = 0; i < shape::all; i++)
    keys[i] = rank_key<T> () (image.pixel (z, row, image.source_index (x + i - beside, image.in.columns)));
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

/* Writes words at once; not as plain C++, of which the compiler makes one store for each pixel again. */
__device__ __forceinline__ void
store_words (void *to, const uint32_t (&w)[1])
{
  asm volatile("st.u32 [%0], %1;" ::"l"(to), "r"(w[0]) : "memory");
}
__device__ __forceinline__ void
store_words (void *to, const uint32_t (&w)[2])
{
  asm volatile("st.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(w[0]), "r"(w[1]) : "memory");
}
__device__ __forceinline__ void
store_words (void *to, const uint32_t (&w)[4])
{
  asm volatile("st.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3]) : "memory");
}

template <typename T, typename S>
__device__ __forceinline__ void
store_small (const view<T> &out, bool aligned, int64_t z, int64_t y, int64_t x,
             const typename small_words<T>::word *found)
{
  typedef small_words<T> W;
  constexpr int own = small_shape<T, S>::own;
  T pixels[own];
#pragma unroll
  for (int i = 0; i < own; i++)
    pixels[i] = rank_key<T>::pixel (W::key (found[i / W::pixels], i % W::pixels));
  T *to = out.row (z, y) + x;
  if (aligned && x + own <= out.columns) {
    uint32_t w[own * sizeof (T) / 4];
    memcpy (w, pixels, sizeof w);
    store_words (to, w);
  } else
#pragma unroll
    for (int i = 0; i < own; i++)
      if (x + i < out.columns)
        to[i] = pixels[i];
}

/* The medians of a word of two rows; `rows` from the reach above and to the left of it on. */
template <typename T, typename S>
__device__ __forceinline__ void
median_of_word (const typename small_words<T>::word (&rows)[S::rows + 1][S::width],
                typename small_words<T>::word (&found)[2])
{
  typedef small_words<T> W;
  typedef typename W::word word;
  constexpr int shared = S::count (true), all = S::count (false), middle = all / 2;
  constexpr int first = shared - 1 - middle > 0 ? shared - 1 - middle : 0; /* of those that may be the median */
  constexpr int end = middle + 1 < shared ? middle + 1 : shared, kept = end - first, left = kept + all - shared;
  const word nan = rank_key<T>::nan;
  word common[shared];
  int n = 0;
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
    found[which] = rank_key<T>::real && most == nan ? nan : window[middle - first];
  }
}

template <typename T, typename S>
__global__ static void __launch_bounds__ (128) median_small (const __grid_constant__ small_job<T> j)
{
  typedef small_words<T> W;
  typedef small_shape<T, S> shape;
  typedef typename W::word word;
  const int64_t x = ((int64_t) blockIdx.x * 128 + threadIdx.x) * shape::own;
  if (x >= j.out.columns)
    return;
  const bool wide = j.in_aligned && x >= shape::beside && x + shape::own + shape::beside <= j.image.in.columns;
  for (int64_t z = blockIdx.z; z < j.out.planes; z += gridDim.z)
    for (int64_t y = 2 * (int64_t) blockIdx.y; y < j.out.rows; y += 2 * (int64_t) gridDim.y) {
      const bool inside = wide && y >= S::reach && y + 1 + S::reach < j.image.in.rows;
      typename rank_key<T>::type keys[S::rows + 1][shape::all];
      word found[2][shape::words];
#pragma unroll
      for (int q = 0; q <= S::rows; q++)
        load_small<T, S> (j.image, inside, z, y + q - S::reach, x, keys[q]);
#pragma unroll
      for (int w = 0; w < shape::words; w++) {
        word rows[S::rows + 1][S::width], both[2];
#pragma unroll
        for (int q = 0; q <= S::rows; q++)
#pragma unroll
          for (int i = 0; i < S::width; i++)
            rows[q][i] = W::made_of (keys[q] + w * W::pixels + shape::beside - S::reach + i);
        median_of_word<T, S> (rows, both);
        found[0][w] = both[0];
        found[1][w] = both[1];
      }
#pragma unroll
      for (int which = 0; which < 2; which++)
        if (y + which < j.out.rows)
          store_small<T, S> (j.out, j.out_aligned, z, y + which, x, found[which]);
    }
}

template <typename T, typename S>
static fv_status
run_small (const fv_call *call, fv_error *error)
{
  constexpr int own = small_shape<T, S>::own;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  small_job<T> j = {bordered_input<T> (call), view_of<T> (out), rows_aligned (in, own * sizeof (T)),
                    rows_aligned (out, own * sizeof (T))};
  int64_t across = blocks_for (j.out.columns, 128 * own);
  median_small<T, S><<<grid_of_rows (j.out.planes, (j.out.rows + 1) / 2, across), 128, 0, cuda_stream (call)>>> (j);
  return cuda_status (cudaGetLastError (), "A median", error);
}

template <typename S>
static bool
is_small (const neighborhood_run *runs, int64_t n)
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
  const neighborhood_args *a = (const neighborhood_args *) call->args;
  neighborhood_run runs[5];
  int64_t n = neighborhood_runs (a, NULL), pixels = neighborhood_count (a);
  *done = n <= 5 && rank_of (call->op, a, pixels) == pixels / 2;
  if (!*done)
    return FV_OK;
  neighborhood_runs (a, runs);
  if (is_small<square_1> (runs, n))
    return run_small<T, square_1> (call, error);
  if constexpr (sizeof (T) > 2) /* else windows.cuh has made it */
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

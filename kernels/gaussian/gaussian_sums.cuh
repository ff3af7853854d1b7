/* SPDX-License-Identifier: MIT
 *
 * What the kernels of gaussian share: weighted sums in registers, in the order that gaussian.h says, GAUSSIAN_EACH outputs of a
 * thread side by side, so that a value that has been fetched serves GAUSSIAN_EACH taps. No weight is padded with 0: NaN stays
 * inside its windows.
 */
#ifndef KERNELS_GAUSSIAN_GAUSSIAN_SUMS_CUH
#define KERNELS_GAUSSIAN_GAUSSIAN_SUMS_CUH

#include "kernels/common/row.cuh"
#include "kernels/gaussian/gaussian_args.h"

enum {
  GAUSSIAN_EACH = 16, /* outputs of a thread */
  GAUSSIAN_CHUNK = 8, /* taps, and values fetched, at a time */
  GAUSSIAN_COLUMNS = 64,
  GAUSSIAN_STEP = 32, /* rows */
  GAUSSIAN_THREADS = GAUSSIAN_STEP * GAUSSIAN_COLUMNS / GAUSSIAN_EACH,
};

/* Numbers of the working type in 16 bytes, and a row length for which 16-byte accesses to eight rows do not collide. */
template <typename T> constexpr int in_16 = 16 / sizeof (T);

template <typename T>
constexpr BOTH int
pitch_of (int n)
{
  int pieces = (n + in_16<T> - 1) / in_16<T>;
  return (pieces | 1) * in_16<T>;
}

template <typename T>
__device__ __forceinline__ void
read_chunk (T *to, const T *from)
{
  for (int i = 0; i < GAUSSIAN_CHUNK; i += in_16<T>) {
    sixteen<T> piece = *(const sixteen<T> *) (from + i);
    for (int j = 0; j < in_16<T>; j++)
      to[i + j] = piece.v[j];
  }
}

template <typename T>
__device__ __forceinline__ void
write_each (T *to, const T (&from)[GAUSSIAN_EACH])
{
#pragma unroll
  for (int i = 0; i < GAUSSIAN_EACH; i += in_16<T>) {
    sixteen<T> piece;
    for (int j = 0; j < in_16<T>; j++)
      piece.v[j] = from[i + j];
    *(sixteen<T> *) (to + i) = piece;
  }
}

/* A thread's GAUSSIAN_EACH + GAUSSIAN_CHUNK values, GAUSSIAN_CHUNK of them replaced at a time. */
constexpr int parts = GAUSSIAN_EACH / GAUSSIAN_CHUNK + 1, window = parts * GAUSSIAN_CHUNK;

/* GAUSSIAN_CHUNK taps of N sums where the window begins at v[PART * GAUSSIAN_CHUNK]; false: these were the last. */
template <int PART, int N, typename T, typename Load>
__device__ __forceinline__ bool
weigh_chunk (T (&sum)[N][GAUSSIAN_EACH], T (&v)[window], const T *&weights, int apart, int &taps, Load &load)
{
  T w[GAUSSIAN_CHUNK];
  if (taps > 1)
    load (v + (PART + parts - 1) % parts * GAUSSIAN_CHUNK);
#pragma unroll
  for (int n = 0; n < N; n++) {
    read_chunk (w, weights + n * apart);
    if (taps < GAUSSIAN_CHUNK) {
#pragma unroll
      for (int t = 0; t < GAUSSIAN_CHUNK - 1; t++)
        if (t < taps)
#pragma unroll
          for (int j = 0; j < GAUSSIAN_EACH; j++)
            sum[n][j] = fused (w[t], v[(PART * GAUSSIAN_CHUNK + j + t) % window], sum[n][j]);
    } else
#pragma unroll
      for (int t = 0; t < GAUSSIAN_CHUNK; t++)
#pragma unroll
        for (int j = 0; j < GAUSSIAN_EACH; j++)
          sum[n][j] = fused (w[t], v[(PART * GAUSSIAN_CHUNK + j + t) % window], sum[n][j]);
  }
  weights += GAUSSIAN_CHUNK;
  if (taps < GAUSSIAN_CHUNK)
    return false;
  return taps -= GAUSSIAN_CHUNK;
}

/* sum[n][j] += the sum over t < taps of weights[n apart + t] value[j + t]. load (v): the next GAUSSIAN_CHUNK values; it may be called for
 * some after the last that counts. `weights` can be read up to the next multiple of GAUSSIAN_CHUNK. */
template <int N, typename T, typename Load>
__device__ __forceinline__ void
weigh_all (T (&sum)[N][GAUSSIAN_EACH], const T *weights, int apart, int taps, Load load)
{
  static_assert (parts == 3, "one line for each below");
  T v[window];
#pragma unroll
  for (int i = 0; i < GAUSSIAN_EACH; i += GAUSSIAN_CHUNK)
    load (v + i);
  while (weigh_chunk<0> (sum, v, weights, apart, taps, load) && weigh_chunk<1> (sum, v, weights, apart, taps, load)
         && weigh_chunk<2> (sum, v, weights, apart, taps, load))
    ;
}

/* Sums before the first tap: a block that is added to -0 stays what it is. */
template <int N, typename T>
__device__ __forceinline__ void
start_sums (T (&sum)[N][GAUSSIAN_EACH])
{
#pragma unroll
  for (int n = 0; n < N; n++)
#pragma unroll
    for (int j = 0; j < GAUSSIAN_EACH; j++)
      sum[n][j] = sizeof (T) == 4 ? (T) -0. : (T) 0;
}

/* Adds to N sums of floats block by block, to those of doubles tap by tap. load_from (t): a weigh_all() load of the values from tap t on. */
template <int N, typename T, typename LoadFrom>
__device__ __forceinline__ void
weigh_blocks (T (&total)[N][GAUSSIAN_EACH], const T *weights, int apart, int taps, LoadFrom load_from)
{
  if constexpr (sizeof (T) == 8)
    weigh_all (total, weights, apart, taps, load_from (0));
  else
#pragma unroll 1
    for (int first = 0; first < taps; first += GAUSSIAN_BLOCK) {
      T sum[N][GAUSSIAN_EACH] = {};
      weigh_all (sum, weights + first, apart, min ((int) GAUSSIAN_BLOCK, taps - first), load_from (first));
#pragma unroll
      for (int n = 0; n < N; n++)
#pragma unroll
        for (int j = 0; j < GAUSSIAN_EACH; j++)
          total[n][j] += sum[n][j];
    }
}

/* One sum. */
template <typename T, typename LoadFrom>
__device__ __forceinline__ void
weigh (T (&total)[GAUSSIAN_EACH], const T *weights, int taps, LoadFrom load_from)
{
  weigh_blocks (reinterpret_cast<T (&)[1][GAUSSIAN_EACH]> (total), weights, 0, taps, load_from);
}

template <typename T>
__device__ __forceinline__ void
start_sum (T (&sum)[GAUSSIAN_EACH])
{
  start_sums (reinterpret_cast<T (&)[1][GAUSSIAN_EACH]> (sum));
}

/* A small integer becomes a float by being the last bits of 2^23: conversions are slower. */
template <typename T, typename In, typename Pixel>
__device__ __forceinline__ T
number_of (Pixel pixel)
{
  if constexpr (In (0.5) == 0 && sizeof (T) == 4)
    return __uint_as_float (0x4b000000u | pixel) - 8388608.f;
  else
    return (T) pixel;
}

#endif

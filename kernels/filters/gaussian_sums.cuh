/* SPDX-License-Identifier: MIT
 *
 * What the kernels of gaussian share: weighted sums in registers, EACH outputs of a thread side by side, so that a
 * value that has been fetched serves EACH taps; and integers less a base near their mean, so that the sums stay small
 * and floats round them less. No weight is padded with 0: NaN stays inside its windows.
 */
#ifndef KERNELS_FILTERS_GAUSSIAN_SUMS_CUH
#define KERNELS_FILTERS_GAUSSIAN_SUMS_CUH

#include "kernels/common/row.cuh"
#include "kernels/filters/gaussian.h"

enum {
  EACH = 16, /* outputs of a thread */
  CHUNK = 8, /* taps, and values fetched, at a time */
  COLUMNS = 64,
  STEP = 32, /* rows */
  BLOCK = STEP * COLUMNS / EACH,
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
  for (int i = 0; i < CHUNK; i += in_16<T>) {
    sixteen<T> piece = *(const sixteen<T> *) (from + i);
    for (int j = 0; j < in_16<T>; j++)
      to[i + j] = piece.v[j];
  }
}

template <typename T>
__device__ __forceinline__ void
write_each (T *to, const T (&from)[EACH])
{
#pragma unroll
  for (int i = 0; i < EACH; i += in_16<T>) {
    sixteen<T> piece;
    for (int j = 0; j < in_16<T>; j++)
      piece.v[j] = from[i + j];
    *(sixteen<T> *) (to + i) = piece;
  }
}

/* A thread's EACH + CHUNK values, CHUNK of them replaced at a time. */
constexpr int parts = EACH / CHUNK + 1, window = parts * CHUNK;

/* CHUNK taps of N sums where the window begins at v[PART * CHUNK]; false: these were the last. */
template <int PART, int N, typename T, typename Load>
__device__ __forceinline__ bool
weigh_chunk (T (&sum)[N][EACH], T (&v)[window], const T *&weights, int apart, int &taps, Load &load)
{
  T w[CHUNK];
  if (taps > 1)
    load (v + (PART + parts - 1) % parts * CHUNK);
#pragma unroll
  for (int n = 0; n < N; n++) {
    read_chunk (w, weights + n * apart);
    if (taps < CHUNK) {
#pragma unroll
      for (int t = 0; t < CHUNK - 1; t++)
        if (t < taps)
#pragma unroll
          for (int j = 0; j < EACH; j++)
            sum[n][j] += w[t] * v[(PART * CHUNK + j + t) % window];
    } else
#pragma unroll
      for (int t = 0; t < CHUNK; t++)
#pragma unroll
        for (int j = 0; j < EACH; j++)
          sum[n][j] += w[t] * v[(PART * CHUNK + j + t) % window];
  }
  weights += CHUNK;
  if (taps < CHUNK)
    return false;
  return taps -= CHUNK;
}

/* sum[n][j] += the sum over t < taps of weights[n apart + t] value[j + t]. load (v): the next CHUNK values; it may be called for
 * some after the last that counts. `weights` can be read up to the next multiple of CHUNK. */
template <int N, typename T, typename Load>
__device__ __forceinline__ void
weigh_all (T (&sum)[N][EACH], const T *weights, int apart, int taps, Load load)
{
  static_assert (parts == 3, "one line for each below");
  T v[window];
#pragma unroll
  for (int i = 0; i < EACH; i += CHUNK)
    load (v + i);
  while (weigh_chunk<0> (sum, v, weights, apart, taps, load) && weigh_chunk<1> (sum, v, weights, apart, taps, load)
         && weigh_chunk<2> (sum, v, weights, apart, taps, load))
    ;
}

/* One sum. */
template <typename T, typename Load>
__device__ __forceinline__ void
weigh (T (&sum)[EACH], const T *weights, int taps, Load load)
{
  weigh_all (reinterpret_cast<T (&)[1][EACH]> (sum), weights, 0, taps, load);
}

/* ---- The base ---- */

/* Whether pixels of In are summed less a base. The double of i32 needs none, and a float may be NaN. */
template <typename In, typename T> constexpr bool has_base = In (0.5) == 0 && sizeof (T) == 4;

/* A pixel without the base. Small integers become floats by being the last bits of 2^23: conversions are slower. */
template <typename In, typename T, typename Pixel>
__device__ __forceinline__ T
less_base (Pixel pixel, T base)
{
  if constexpr (has_base<In, T>)
    return __uint_as_float (0x4b000000u | pixel) - (8388608.f + base);
  else
    return (T) pixel;
}

/* The mean of n pixels, made even, so that halves are rounded as without it. */
template <typename T>
__device__ __forceinline__ T
base_of (unsigned sum, unsigned n)
{
  return (T) (sum / n & ~1u);
}

/* A pixel of the output from a sum that lacks the base. */
template <typename Out, bool HAS_BASE, typename T>
__device__ __forceinline__ Out
finished (T sum, T base)
{
  if constexpr (!HAS_BASE)
    return pixel_from<Out> (sum);
  else if constexpr (Out (0.5) == 0)
    return pixel_from<Out> (rint (sum) + base);
  else
    return pixel_from<Out> (sum + base);
}

#endif

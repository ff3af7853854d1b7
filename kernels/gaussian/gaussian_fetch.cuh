/* SPDX-License-Identifier: MIT
 *
 * Rows of any type on their way to shared memory in the working type, from wherever a block of gaussian needs them:
 * floats by copies that need no registers.
 */
#ifndef KERNELS_GAUSSIAN_GAUSSIAN_FETCH_CUH
#define KERNELS_GAUSSIAN_GAUSSIAN_FETCH_CUH

#include "kernels/gaussian/gaussian_sums.cuh"

enum { GAUSSIAN_PIECE = 4 }; /* pixels that are fetched together */

template <typename In, typename T> struct source {
  view<const In> in;
  bool pieces; /* GAUSSIAN_PIECE pixels can be read at once wherever a block's rows begin */
  border outside;
  T value;
};

/* Rows that a block works on: row 0 is row `top` of the image, which may lie outside it, as may column `left`. */
struct strip {
  int64_t plane;
  int32_t top, left, rows;
};

static __device__ __noinline__ int
border_far (int i, int n, border b)
{
  return (int) border_index (i, n, b);
}

/* border_index(), which divides, for what is mostly less than an image away. */
__device__ __forceinline__ int
border_near (int i, int n, border b)
{
  if (i >= 0 && i < n)
    return i;
  int k = i < 0 ? -1 - i : 2 * n - 1 - i;
  switch (b) {
  case BORDER_NEAREST: return i < 0 ? 0 : n - 1;
  case BORDER_REFLECT: break;
  case BORDER_MIRROR: k += i < 0 ? 1 : -1; break;
  case BORDER_WRAP: k = i < 0 ? i + n : i - n; break;
  default: return -1;
  }
  return k >= 0 && k < n ? k : border_far (i, n, b);
}

/* Whether In needs no conversion on its way to shared memory. */
template <typename In, typename T> constexpr bool as_is = sizeof (In) == sizeof (T) && In (0.5) != 0;

/* N pixels to shared memory. */
template <int N, typename In, typename T>
__device__ __forceinline__ void
put_converted (T *to, pack<In, N> p)
{
  if constexpr (N == 1)
    *to = number_of<T, In> (p.pixel (0));
  else
    for (int i = 0; i < N; i += in_16<T>) {
      sixteen<T> piece;
      for (int j = 0; j < in_16<T>; j++)
        piece.v[j] = number_of<T, In> (p.pixel (i + j));
      *(sixteen<T> *) (to + i) = piece;
    }
}

/* N pixels to shared memory: at once, or into `p` for put_converted(). */
template <int N, typename In, typename T>
__device__ __forceinline__ void
get (T *to, const In *from, pack<In, N> &p)
{
  if constexpr (!as_is<In, T>)
    p = *(const pack<In, N> *) from;
  else
    for (int j = 0; j < N; j += N == 1 ? 1 : in_16<T>)
      __pipeline_memcpy_async (to + j, from + j, N == 1 ? sizeof (T) : 16);
}

/* Columns lo ... hi - 1 of GAUSSIAN_STEP rows, all inside the image: every WARPS-th row for a warp, N pixels for a lane. */
template <int WARPS, int N, typename In, typename T>
__device__ __forceinline__ void
fetch_inside (const In *from, int64_t stride, T *to, int lo, int hi, int pitch)
{
  const int warp = (int) threadIdx.x / 32;
  from += warp * stride;
  to += warp * pitch;
#pragma unroll 1
  for (int c = lo + (int) threadIdx.x % 32 * N; c < hi; c += 32 * N) {
    pack<In, N> p[GAUSSIAN_STEP / WARPS];
    const In *f = from + c;
#pragma unroll
    for (int k = 0; k < GAUSSIAN_STEP / WARPS; k++, f += WARPS * stride)
      get (to + k * WARPS * pitch + c, f, p[k]);
    if constexpr (!as_is<In, T>)
#pragma unroll
      for (int k = 0; k < GAUSSIAN_STEP / WARPS; k++)
        put_converted (to + k * WARPS * pitch + c, p[k]);
  }
}

/* A column for each lane, wherever it and its rows lie: column x of the image, or the constant where that is -1. Row l of the block is row
 * `source` of the image as lane l has it, or the constant where that is -1, or not needed. */
template <int WARPS, typename In, typename T>
__device__ __forceinline__ void
fetch_column (const In *from, int64_t stride, int source, int x, bool takes, T *to, int pitch, T value)
{
  const int warp = (int) threadIdx.x / 32;
  const bool constant = __any_sync (~0u, x == -1 || source == -1);
  pack<In, 1> p[GAUSSIAN_STEP / WARPS];
  to += warp * pitch;
#pragma unroll
  for (int k = 0; k < GAUSSIAN_STEP / WARPS; k++) {
    const int y = __shfl_sync (~0u, source, k * WARPS + warp);
    if (takes && x >= 0 && y >= 0)
      get (to + k * WARPS * pitch, from + y * stride + x, p[k]);
  }
  if (as_is<In, T> && !constant)
    return;
#pragma unroll
  for (int k = 0; k < GAUSSIAN_STEP / WARPS; k++) {
    const int y = __shfl_sync (~0u, source, k * WARPS + warp);
    if (takes && (y == -1 || (x < 0 && y >= 0)))
      to[k * WARPS * pitch] = value;
    else if (!as_is<In, T> && takes && y >= 0)
      put_converted (to + k * WARPS * pitch, p[k]);
  }
}

/* GAUSSIAN_STEP rows from row `first` of the block, as far as they are needed, by WARPS warps. Columns lo ... hi - 1 are where
 * they would be without a border. */
template <int WARPS, typename In, typename T>
__device__ __forceinline__ void
fetch_rows (const source<In, T> &from, const strip &at, int first, T *lines, int width, int pitch)
{
  const int top = at.top + first, columns = (int) from.in.columns, unit = from.pieces ? GAUSSIAN_PIECE : 1;
  const int64_t stride = from.in.row_stride;
  int lo = 0, hi = 0;
  if (top >= 0 && top + GAUSSIAN_STEP <= from.in.rows) {
    const In *in = from.in.row (at.plane, top) + at.left;
    lo = min ((max (-at.left, 0) + unit - 1) & -unit, width);
    hi = max (min (columns - at.left, width) & -unit, lo);
    if (from.pieces)
      fetch_inside<WARPS, GAUSSIAN_PIECE> (in, stride, lines, lo, hi, pitch);
    else
      fetch_inside<WARPS, 1> (in, stride, lines, lo, hi, pitch);
  }
  if (hi - lo < width) {
    const int lane = (int) threadIdx.x % 32, row = first + lane;
    const bool needed = row >= 0 && row < at.rows;
    const int source = needed ? border_near (at.top + row, (int) from.in.rows, from.outside) : -2;
    const In *plane = from.in.row (at.plane, 0);
#pragma unroll 1
    for (int i0 = 0; i0 < width - (hi - lo); i0 += 32) {
      const int i = i0 + lane, c = i < lo ? i : i + hi - lo;
      const int x = border_near (at.left + c, columns, from.outside);
      fetch_column<WARPS> (plane, stride, source, x, c < width, lines + c, pitch, from.value);
    }
  }
  __pipeline_commit ();
}

#endif

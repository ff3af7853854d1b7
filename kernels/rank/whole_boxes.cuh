/* SPDX-License-Identifier: MIT
 *
 * whole_boxes: sums over squares of 8-bit and 16-bit pixels, integers without rounding. Each sum follows from the last one by what enters and leaves,
 * down columns and then along rows.
 *
 * whole_boxes_kernel: a tile of 128 x 32 pixels a block of 256 threads: sums of columns into shared memory, of these along rows, and what `finish`
 * makes of both. Reads each pixel of a tile with its surroundings 2 + radius / 16 times, mostly from L1. Waits for the threads of a block
 * thrice.
 */
#ifndef KERNELS_RANK_WHOLE_BOXES_CUH
#define KERNELS_RANK_WHOLE_BOXES_CUH

#include "kernels/common/row.cuh"
#include "kernels/rank/surroundings.cuh"

enum { WHOLE_WIDTH = 128, WHOLE_HEIGHT = 32, WHOLE_EACH = WHOLE_WIDTH * WHOLE_HEIGHT / 256 };

/* finish (z, y, x, sum, squares) does what is to be done with the sums of a pixel. */
template <typename T, typename F> struct whole_job {
  bordered<T> image;
  F finish;
  int64_t across, down;           /* tiles */
  int32_t radius, columns, pitch; /* of a box; of a tile with its surroundings, and numbers from row to row, odd */
};

/* What holds a sum of squares: (2 * 100 + 1)^2 bytes need no more than 32 bits. */
template <typename T> using whole_squares = std::conditional_t<sizeof (T) == 1, uint32_t, unsigned long long>;

/* Calls f (i, a sum of 2 radius + 1 values from value (i) on) for i = 0 ... n - 1. */
template <typename S, typename V, typename F>
__device__ __forceinline__ void
slide_sum (int radius, int n, V value, F f)
{
  S sum = {};
#pragma unroll 8
  for (int k = 0; k < 2 * radius; k++)
    sum += value (k);
#pragma unroll 4
  for (int i = 0; i < n; i++) {
    sum += value (2 * radius + i);
    f (i, sum);
    sum -= value (i);
  }
}

/* Sums of columns, and of squares. INSIDE: all that the tile reaches is in the image. */
template <bool SQUARES, bool INSIDE, typename T, typename F>
__device__ __forceinline__ void
whole_columns (const whole_job<T, F> &j, int64_t z, int64_t y0, int64_t x0, uint32_t *sums, whole_squares<T> *squares)
{
  const view<const T> &in = j.image.in;
  const int64_t top = y0 - j.radius;
  for (int column = (int) threadIdx.x; column < j.columns; column += (int) blockDim.x) {
    int64_t x = x0 + column - j.radius;
    if (!INSIDE)
      x = j.image.source_index (x, in.columns);
    const T *first = INSIDE ? in.row (z, top) + x : NULL;
    auto value = [&] (int k) {
      return (uint32_t) (INSIDE ? first[k * in.row_stride]
                                : j.image.pixel (z, j.image.source_index (top + k, in.rows), x));
    };
    uint32_t *to = sums + column;
    whole_squares<T> *squares_to = squares + column;
    if (!SQUARES) {
      slide_sum<uint32_t> (j.radius, WHOLE_HEIGHT, value, [&] (int i, uint32_t sum) { to[i * j.pitch] = sum; });
      continue;
    }
    struct both {
      uint32_t sum;
      whole_squares<T> squares;
      __device__ void operator+= (uint32_t v)
      {
        sum += v;
        squares += (whole_squares<T>) v * v;
      }
      __device__ void operator-= (uint32_t v)
      {
        sum -= v;
        squares -= (whole_squares<T>) v * v;
      }
    };
    slide_sum<both> (j.radius, WHOLE_HEIGHT, value, [&] (int i, const both &b) {
      to[i * j.pitch] = b.sum;
      squares_to[i * j.pitch] = b.squares;
    });
  }
}

/* Replaces sums of columns by sums of boxes; a lane takes a row. Waits for all twice. */
template <typename S>
__device__ __forceinline__ void
whole_rows (S *sums, int32_t radius, int32_t pitch)
{
  const int row = (int) threadIdx.x % WHOLE_HEIGHT, x = (int) threadIdx.x / WHOLE_HEIGHT * WHOLE_EACH;
  const S *from = sums + row * pitch + x;
  S sum = 0, found[WHOLE_EACH];
#pragma unroll 8
  for (int k = 0; k < 2 * radius; k++)
    sum += from[k];
#pragma unroll
  for (int i = 0; i < WHOLE_EACH; i++) {
    sum += from[2 * radius + i];
    found[i] = sum;
    sum -= from[i];
  }
  __syncthreads ();
#pragma unroll
  for (int i = 0; i < WHOLE_EACH; i++)
    sums[row * pitch + x + i] = found[i];
  __syncthreads ();
}

template <typename T, bool SQUARES, typename F>
__global__ static void __launch_bounds__ (256) whole_boxes_kernel (const __grid_constant__ whole_job<T, F> j)
{
  extern __shared__ __align__ (16) char whole_memory[];
  whole_squares<T> *squares = (whole_squares<T> *) whole_memory;
  uint32_t *sums = (uint32_t *) (squares + (SQUARES ? WHOLE_HEIGHT * j.pitch : 0));
  const view<const T> &in = j.image.in;
  int64_t tile = blockIdx.x, above = tile / j.across, z = above / j.down;
  int64_t x0 = (tile - above * j.across) * WHOLE_WIDTH, y0 = (above - z * j.down) * WHOLE_HEIGHT;
  if (y0 >= j.radius && y0 + WHOLE_HEIGHT + j.radius <= in.rows && x0 >= j.radius
      && x0 + WHOLE_WIDTH + j.radius <= in.columns)
    whole_columns<SQUARES, true> (j, z, y0, x0, sums, squares);
  else
    whole_columns<SQUARES, false> (j, z, y0, x0, sums, squares);
  __syncthreads ();
  whole_rows (sums, j.radius, j.pitch);
  if (SQUARES)
    whole_rows (squares, j.radius, j.pitch);
  for (int i = (int) threadIdx.x; i < WHOLE_WIDTH * WHOLE_HEIGHT; i += (int) blockDim.x) {
    int row = i / WHOLE_WIDTH, column = i % WHOLE_WIDTH, at = row * j.pitch + column;
    if (y0 + row < in.rows && x0 + column < in.columns)
      j.finish (z, y0 + row, x0 + column, (double) sums[at], SQUARES ? (double) squares[at] : 0.);
  }
}

/* For squares; *done says whether it was one, for which the device has room. */
template <typename T, bool SQUARES, typename F>
static fv_status
run_whole_boxes (const fv_call *call, const F &finish, bool *done, fv_error *error)
{
  const neighborhood_args *a = (const neighborhood_args *) call->args;
  whole_job<T, F> j = {bordered_input<T> (call), finish};
  j.across = blocks_for (j.image.in.columns, WHOLE_WIDTH);
  j.down = blocks_for (j.image.in.rows, WHOLE_HEIGHT);
  j.radius = a->radius;
  j.columns = WHOLE_WIDTH + 2 * a->radius;
  j.pitch = j.columns + 1;
  int64_t bytes = WHOLE_HEIGHT * j.pitch * (int64_t) (sizeof (uint32_t) + (SQUARES ? sizeof (whole_squares<T>) : 0));
  *done = a->footprint == FOOTPRINT_SQUARE && a->radius > 0 && bytes <= most_shared ();
  if (!*done)
    return FV_OK;
  return cuda_status (
    launch (whole_boxes_kernel<T, SQUARES, F>, j.image.in.planes * j.down * j.across, 256, bytes, call, j),
    "Sums over squares", error);
}

#endif

/* SPDX-License-Identifier: MIT
 *
 * boxes: sums over squares and cubes. A thread makes four sums that are next to each other at once: what all four hold is added up once, and
 * nothing is subtracted, so that NaN and infinities reach no further than the box.
 *
 * boxes_kernel: a tile of 64 x 32 pixels a block of 256 threads: first sums of columns (through all planes of a cube) into shared memory, then of
 * these along rows. Reads each pixel of a tile with its surroundings 1 + radius / 2 times from L1 (for a cube for each of its planes), writes
 * each once. Waits for the threads of a block thrice.
 */
#ifndef KERNELS_RANK_BOXES_CUH
#define KERNELS_RANK_BOXES_CUH

#include "kernels/common/row.cuh"
#include "kernels/rank/sums.h"
#include "kernels/rank/surroundings.cuh"

enum { BOXES_WIDTH = 64, BOXES_HEIGHT = 32 };

template <typename T, typename R> struct boxes_job {
  bordered<T> image;
  view<R> out;
  int64_t across, down; /* tiles */
  int32_t radius, slices, columns,
    pitch; /* planes of a box; of a tile with its surroundings, and numbers from row to row */
  double n;
};

template <bool VARIANCE>
__device__ __forceinline__ double
sums_result (double sum, double squares, double n)
{
  double v = VARIANCE ? (squares - sum * (sum / n)) / n : sum / n;
  return VARIANCE && v < 0 ? 0 : v;
}

/* to[i] += v (i) + ... + v (i + 2 radius), for i = 0 ... 3; radius > 0. */
template <typename F>
__device__ __forceinline__ void
add_four (double (&to)[4], int radius, F v)
{
  double before[3], all = 0;
#pragma unroll
  for (int k = 0; k < 3; k++)
    before[k] = v (k);
#pragma unroll 4
  for (int k = 3; k <= 2 * radius; k++)
    all += v (k);
  double after = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    double sum = all + after;
#pragma unroll
    for (int k = i; k < 3; k++)
      sum += before[k];
    to[i] += sum;
    if (i < 3)
      after += v (2 * radius + 1 + i);
  }
}

/* Sums of columns of the tile, or of squares. INSIDE: all that it reaches is in the image. */
template <bool SQUARES, bool INSIDE, typename T, typename R>
__device__ __forceinline__ void
sum_columns (const boxes_job<T, R> &j, int64_t z, int64_t y0, int64_t x0, double *sums)
{
  for (int task = (int) threadIdx.x; task < j.columns * (BOXES_HEIGHT / 4); task += (int) blockDim.x) {
    int group = task / j.columns, column = task - group * j.columns;
    int64_t top = y0 + 4 * group - j.radius, x = x0 + column - j.radius;
    double sum[4] = {0, 0, 0, 0};
    if (!INSIDE)
      x = j.image.place (x, j.image.in.columns);
    for (int slice = 0; slice < j.slices; slice++) {
      int64_t plane = j.image.place (z + slice - j.slices / 2, j.image.in.planes);
      const T *first = INSIDE ? j.image.in.row (plane, top) + x : NULL;
      add_four (sum, j.radius, [&] (int k) {
        double v = (double) (INSIDE ? first[k * j.image.in.row_stride]
                                    : j.image.pixel (plane, j.image.place (top + k, j.image.in.rows), x));
        return SQUARES ? v * v : v;
      });
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
      sums[(4 * group + i) * j.pitch + column] = sum[i];
  }
}

/* Whether the box of each pixel of the tile lies in the image. */
template <typename T, typename R>
__device__ __forceinline__ bool
boxes_inside (const boxes_job<T, R> &j, int64_t z, int64_t y0, int64_t x0)
{
  const view<const T> &in = j.image.in;
  return y0 >= j.radius && y0 + BOXES_HEIGHT + j.radius <= in.rows && x0 >= j.radius
         && x0 + BOXES_WIDTH + j.radius <= in.columns && z >= j.slices / 2 && z + j.slices / 2 < in.planes;
}

template <typename T, typename R, bool VARIANCE>
__global__ static void __launch_bounds__ (256) boxes_kernel (const __grid_constant__ boxes_job<T, R> j)
{
  extern __shared__ __align__ (16) char boxes_memory[];
  double *sums = (double *) boxes_memory, *squares = sums + BOXES_HEIGHT * j.pitch;
  R *results = (R *) boxes_memory;
  constexpr int line = BOXES_WIDTH + 1; /* of results, which fall into banks of their own */
  int64_t tile = blockIdx.x, above = tile / j.across, z = above / j.down;
  int64_t x0 = (tile - above * j.across) * BOXES_WIDTH, y0 = (above - z * j.down) * BOXES_HEIGHT;
  int row = (int) threadIdx.x % BOXES_HEIGHT, first = (int) threadIdx.x / BOXES_HEIGHT * 8;
  R result[8];
  if (boxes_inside (j, z, y0, x0)) {
    sum_columns<false, true> (j, z, y0, x0, sums);
    if (VARIANCE)
      sum_columns<true, true> (j, z, y0, x0, squares);
  } else {
    sum_columns<false, false> (j, z, y0, x0, sums);
    if (VARIANCE)
      sum_columns<true, false> (j, z, y0, x0, squares);
  }
  __syncthreads ();
#pragma unroll
  for (int half = 0; half < 8; half += 4) {
    double sum[4] = {0, 0, 0, 0}, square[4] = {0, 0, 0, 0};
    int at = row * j.pitch + first + half;
    add_four (sum, j.radius, [&] (int k) { return sums[at + k]; });
    if (VARIANCE)
      add_four (square, j.radius, [&] (int k) { return squares[at + k]; });
#pragma unroll
    for (int i = 0; i < 4; i++)
      result[half + i] = pixel_from<R> (sums_result<VARIANCE> (sum[i], square[i], j.n));
  }
  __syncthreads (); /* the sums are used */
#pragma unroll
  for (int i = 0; i < 8; i++)
    results[row * line + first + i] = result[i];
  __syncthreads ();
  for (int i = (int) threadIdx.x; i < BOXES_WIDTH * BOXES_HEIGHT; i += (int) blockDim.x) {
    int64_t y = y0 + i / BOXES_WIDTH, x = x0 + i % BOXES_WIDTH;
    if (y < j.out.rows && x < j.out.columns)
      j.out.row (z, y)[x] = results[i / BOXES_WIDTH * line + i % BOXES_WIDTH];
  }
}

/* Of squares and cubes; *done says whether it was one, for which the device has room. */
template <typename T, typename R, bool VARIANCE>
static fv_status
run_boxes (const fv_call *call, bool *done, fv_error *error)
{
  const neighbourhood_args *a = (const neighbourhood_args *) call->args;
  boxes_job<T, R> j = {bordered_input<T> (call), view_of<R> (call->outputs[0])};
  int device = 0, most = 0;
  bool cube = a->footprint == FOOTPRINT_CUBE;
  j.across = blocks_for (j.out.columns, BOXES_WIDTH);
  j.down = blocks_for (j.out.rows, BOXES_HEIGHT);
  j.radius = a->radius;
  j.slices = cube ? 2 * a->radius + 1 : 1;
  j.columns = BOXES_WIDTH + 2 * a->radius;
  j.pitch = j.columns + 1;
  j.n = (double) neighbourhood_count (a);
  int64_t bytes = (VARIANCE ? 2 : 1) * BOXES_HEIGHT * (int64_t) (j.pitch * sizeof (double));
  cudaGetDevice (&device);
  cudaDeviceGetAttribute (&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  *done = (cube || a->footprint == FOOTPRINT_SQUARE) && a->radius > 0 && bytes <= most;
  if (!*done)
    return FV_OK;
  return cuda_status (launch (boxes_kernel<T, R, VARIANCE>, j.out.planes * j.down * j.across, 256, bytes, call, j),
                      "Sums over boxes", error);
}

#endif

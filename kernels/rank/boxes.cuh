/* SPDX-License-Identifier: MIT
 *
 * boxes: sums over squares and cubes. A thread makes some sums that are next to each other at once: what all of them hold is added up once, what
 * only some hold one after the other from both ends, and nothing is subtracted, so that NaN and infinities reach no further than the box.
 *
 * boxes_kernel: a tile of 32 rows a block of 256 threads: first sums of columns (through all planes of a cube) into shared memory, then of
 * these along rows. For sums of GROUP it reads each pixel of a tile with its surroundings 1 + 2 radius / GROUP times, mostly from L1 (for a cube
 * for each of its planes), writes each once. Waits for the threads of a block twice.
 */
#ifndef KERNELS_RANK_BOXES_CUH
#define KERNELS_RANK_BOXES_CUH

#include "kernels/common/row.cuh"
#include "kernels/rank/sums.h"
#include "kernels/rank/surroundings.cuh"

enum { BOXES_HEIGHT = 32, BOXES_MOST = 16 }; /* rows of a tile; sums at once */

template <typename T, typename R> struct boxes_job {
  bordered<T> image;
  view<R> out;
  int64_t across, down;           /* tiles */
  int32_t radius, slices;         /* of a box; its planes */
  int32_t width, columns, shift;  /* of a tile, and with its surroundings 2^shift */
  int32_t squares_at, results_at; /* bytes of shared memory */
  double n, inverse;              /* 1 / n */
};

/* a / n, rounded as a division is: P. Markstein, IBM J. Res. Dev. 34 (1990) 111. */
__device__ __forceinline__ double
divided (double a, double n, double inverse)
{
  double q = a * inverse, rest = fma (-q, n, a);
  return rest == rest ? fma (rest, inverse, q) : q; /* of infinity there is no rest */
}

template <bool VARIANCE>
__device__ __forceinline__ double
sums_result (double sum, double squares, double n, double inverse)
{
  double mean = divided (sum, n, inverse);
  double v = VARIANCE ? divided (squares - __dmul_rn (sum, mean), n, inverse)
                      : mean; /* rounded, or one pixel would have a variance */
  return VARIANCE && v < 0 ? 0 : v;
}

/* to[i] += v (i) + ... + v (i + 2 radius); GROUP <= 2 radius + 2. */
template <int GROUP, typename F>
__device__ __forceinline__ void
add_group (double (&to)[GROUP], int radius, F v)
{
  double before[GROUP - 1], all = 0, after = 0;
#pragma unroll
  for (int k = 0; k < GROUP - 1; k++)
    before[k] = v (k);
#pragma unroll 4
  for (int k = GROUP - 1; k <= 2 * radius; k++)
    all += v (k);
#pragma unroll
  for (int k = GROUP - 3; k >= 0; k--)
    before[k] += before[k + 1];
#pragma unroll
  for (int i = 0; i < GROUP; i++) {
    to[i] += i < GROUP - 1 ? before[i] + all + after : all + after;
    if (i < GROUP - 1)
      after += v (2 * radius + 1 + i);
  }
}

/* From row to row of sums, odd: a row may be read a little too far. */
template <typename T, typename R>
__host__ __device__ __forceinline__ int32_t
boxes_pitch (const boxes_job<T, R> &j)
{
  return j.columns + BOXES_MOST + 1;
}

/* Sums of columns of the tile, or of squares. INSIDE: all that it reaches is in the image. */
template <int GROUP, bool SQUARES, bool INSIDE, typename T, typename R>
__device__ __forceinline__ void
sum_columns (const boxes_job<T, R> &j, int64_t z, int64_t y0, int64_t x0, double *sums)
{
  for (int task = (int) threadIdx.x; task < BOXES_HEIGHT / GROUP << j.shift; task += (int) blockDim.x) {
    int group = task >> j.shift, column = task & (j.columns - 1);
    int64_t top = y0 + GROUP * group - j.radius, x = x0 + column - j.radius;
    double sum[GROUP] = {};
    if (!INSIDE)
      x = j.image.place (x, j.image.in.columns);
    for (int slice = 0; slice < j.slices; slice++) {
      int64_t plane = j.image.place (z + slice - j.slices / 2, j.image.in.planes);
      const T *first = INSIDE ? j.image.in.row (plane, top) + x : NULL;
      add_group (sum, j.radius, [&] (int k) {
        double v = (double) (INSIDE ? first[k * j.image.in.row_stride]
                                    : j.image.pixel (plane, j.image.place (top + k, j.image.in.rows), x));
        return SQUARES ? v * v : v;
      });
    }
#pragma unroll
    for (int i = 0; i < GROUP; i++)
      sums[(GROUP * group + i) * boxes_pitch (j) + column] = sum[i];
  }
}

/* Whether the box of each pixel of the tile lies in the image. */
template <typename T, typename R>
__device__ __forceinline__ bool
boxes_inside (const boxes_job<T, R> &j, int64_t z, int64_t y0, int64_t x0)
{
  const view<const T> &in = j.image.in;
  return y0 >= j.radius && y0 + BOXES_HEIGHT + j.radius <= in.rows && x0 >= j.radius
         && x0 + j.columns - j.radius <= in.columns && z >= j.slices / 2 && z + j.slices / 2 < in.planes;
}

/* The results of the tile from the sums of columns; a lane takes a row. */
template <int GROUP, bool VARIANCE, typename T, typename R>
__device__ __forceinline__ void
boxes_sum_rows (const boxes_job<T, R> &j, const double *sums, const double *squares, R *results)
{
  const int row = (int) threadIdx.x % BOXES_HEIGHT;
  for (int x = (int) threadIdx.x / BOXES_HEIGHT * GROUP; x < j.width; x += (int) blockDim.x / BOXES_HEIGHT * GROUP) {
    double sum[GROUP] = {}, square[GROUP] = {};
    int at = row * boxes_pitch (j) + x;
    add_group (sum, j.radius, [&] (int k) { return sums[at + k]; });
    if (VARIANCE)
      add_group (square, j.radius, [&] (int k) { return squares[at + k]; });
#pragma unroll
    for (int i = 0; i < GROUP; i++)
      if (x + i < j.width)
        results[row * (j.width + 1) + x + i] =
          pixel_from<R> (sums_result<VARIANCE> (sum[i], square[i], j.n, j.inverse));
  }
}

template <typename T, typename R, bool VARIANCE, int GROUP>
__global__ static void __launch_bounds__ (256) boxes_kernel (const __grid_constant__ boxes_job<T, R> j)
{
  extern __shared__ __align__ (16) char boxes_memory[];
  double *sums = (double *) boxes_memory, *squares = (double *) (boxes_memory + j.squares_at);
  R *results = (R *) (boxes_memory + j.results_at);
  int64_t tile = blockIdx.x, above = tile / j.across, z = above / j.down;
  int64_t x0 = (tile - above * j.across) * j.width, y0 = (above - z * j.down) * BOXES_HEIGHT;
  if (boxes_inside (j, z, y0, x0)) {
    sum_columns<GROUP, false, true> (j, z, y0, x0, sums);
    if (VARIANCE)
      sum_columns<GROUP, true, true> (j, z, y0, x0, squares);
  } else {
    sum_columns<GROUP, false, false> (j, z, y0, x0, sums);
    if (VARIANCE)
      sum_columns<GROUP, true, false> (j, z, y0, x0, squares);
  }
  __syncthreads ();
  boxes_sum_rows<GROUP, VARIANCE> (j, sums, squares, results);
  __syncthreads ();
  for (int row = (int) threadIdx.x / 32; row < BOXES_HEIGHT && y0 + row < j.out.rows; row += (int) blockDim.x / 32)
    for (int x = (int) threadIdx.x % 32; x < j.width && x0 + x < j.out.columns; x += 32)
      j.out.row (z, y0 + row)[x0 + x] = results[row * (j.width + 1) + x];
}

/* Of squares and cubes; *done says whether it was one, for which the device has room. */
template <typename T, typename R, bool VARIANCE>
static fv_status
run_boxes (const fv_call *call, bool *done, fv_error *error)
{
  const neighbourhood_args *a = (const neighbourhood_args *) call->args;
  boxes_job<T, R> j = {bordered_input<T> (call), view_of<R> (call->outputs[0])};
  bool cube = a->footprint == FOOTPRINT_CUBE;
  j.radius = a->radius;
  j.slices = cube ? 2 * a->radius + 1 : 1;
  j.shift = a->radius <= 16 ? 7 : 8;
  j.columns = 1 << j.shift;
  j.width = j.columns - 2 * a->radius;
  j.across = blocks_for (j.out.columns, j.width);
  j.down = blocks_for (j.out.rows, BOXES_HEIGHT);
  j.n = (double) neighbourhood_count (a);
  j.inverse = 1 / j.n;
  j.squares_at = BOXES_HEIGHT * boxes_pitch (j) * (int32_t) sizeof (double);
  j.results_at = (VARIANCE ? 2 : 1) * j.squares_at;
  int64_t bytes = j.results_at + BOXES_HEIGHT * (j.width + 1) * (int64_t) sizeof (R);
  *done = (cube || a->footprint == FOOTPRINT_SQUARE) && a->radius > 0 && bytes <= most_shared ();
  if (!*done)
    return FV_OK;
  auto kernel = a->radius < 3   ? boxes_kernel<T, R, VARIANCE, 4>
                : a->radius < 7 ? boxes_kernel<T, R, VARIANCE, 8>
                                : boxes_kernel<T, R, VARIANCE, BOXES_MOST>;
  return cuda_status (launch (kernel, j.out.planes * j.down * j.across, 256, bytes, call, j), "Sums over boxes", error);
}

#endif

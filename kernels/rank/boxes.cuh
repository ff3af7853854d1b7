/* SPDX-License-Identifier: MIT
 *
 * boxes: sums over squares and cubes, in the order that sums.h says. A thread makes eight adjacent sums at once and steps through their numbers eight
 * at a time. It sums these to pieces of eight, which join to larger ones as bits of a counter do.
 *
 * boxes_kernel: a tile of 32 rows, or fewer where shared memory is small, a block of 256 threads. First sums of columns (through all planes of a
 * cube) go to shared memory, then sums of these along rows. It reads each pixel of a tile with its surroundings 2 + radius / 4 times, mostly from L1
 * (for a cube for each of its planes), writes each once. Waits for the threads of a block twice.
 */
#ifndef KERNELS_RANK_BOXES_CUH
#define KERNELS_RANK_BOXES_CUH

#include "kernels/common/row.cuh"
#include "kernels/rank/sums_formulas.h"
#include "kernels/rank/surroundings.cuh"

enum {
  BOXES_HEIGHT = 32,
  BOXES_GROUP = 8,
  BOXES_SMALL = 7
}; /* rows of a tile, at most; sums at once; largest radius with one piece of eight */

template <typename T, typename R> struct boxes_job {
  bordered<T> image;
  view<R> out;
  int64_t across, down;           /* tiles */
  int32_t radius, slices;         /* of a box; its planes */
  int32_t height;                 /* of a tile, a power of two */
  int32_t width, columns, shift;  /* of a tile, and with its surroundings 2^shift */
  int32_t squares_at, results_at; /* bytes of shared memory */
  double n, inverse;              /* 1 / n */
};

/* a / n, rounded as a division is: P. Markstein, IBM J. Res. Dev. 34 (1990) 111. */
__device__ __forceinline__ double
divided (double a, double n, double inverse)
{
  double q = a * inverse, rest = fma (-q, n, a);
  if (a != 0 && fabs (a) < 0x1p-900) /* the rest would not be exact */
    return a / n;
  return rest == rest ? fma (rest, inverse, q) : q; /* infinity has no remainder */
}

/* Mean or variance, as sums_mean() and sums_variance() make it, for results of type R. */
template <bool VARIANCE, typename R>
__device__ __forceinline__ double
sums_result (double sum, double squares, double n, double inverse)
{
  if (!VARIANCE)
    return sizeof (R) == 4 && R (0.5) != 0 ? sum * inverse : divided (sum, n, inverse);
  double rest = squares - sum * divided (sum, n, inverse);
  return rest <= squares * SUMS_ROUNDING ? 0 : divided (rest, n, inverse);
}

/* Pieces of 8 numbers, 16, and so on, that wait for another of their size. */
template <int LEVELS> struct box_pieces {
  double waiting[LEVELS][BOXES_GROUP];

  /* Piece number `count` of eight. */
  __device__ __forceinline__ void add (int count, double (&piece)[BOXES_GROUP])
  {
    bool on = true;
#pragma unroll
    for (int level = 0; level < LEVELS; level++) {
      const bool joins = count >> level & 1;
#pragma unroll
      for (int i = 0; i < BOXES_GROUP && on; i++) {
        piece[i] = joins ? waiting[level][i] + piece[i] : piece[i];
        waiting[level][i] = joins ? waiting[level][i] : piece[i];
      }
      on = on && joins;
    }
  }
};

/* to[i] += v (i) + ... + v (i + 2 radius). LEVELS: 1 where 2 radius + 1 < 16, else 5. */
template <int LEVELS, typename F>
__device__ __forceinline__ void
add_group (double (&to)[BOXES_GROUP], int radius, F v)
{
  enum { G = BOXES_GROUP };
  const int width = 2 * radius + 1, whole = width / G;
  double x[2 * G - 1], two[2 * G - 2], four[2 * G - 4]; /* from number `at` on: numbers, and sums of two and four */
  box_pieces<LEVELS> pieces;
#pragma unroll
  for (int k = 0; k < G - 1; k++)
    x[k] = v (k);
  for (int count = 0; count <= whole; count++) {
    const int at = count * G;
#pragma unroll
    for (int k = G - 1; k < 2 * G - 1; k++)
      x[k] = v (min (at + k, width + G - 2));
#pragma unroll
    for (int k = 0; k < 2 * G - 2; k++)
      two[k] = x[k] + x[k + 1];
#pragma unroll
    for (int k = 0; k < 2 * G - 4; k++)
      four[k] = two[k] + two[k + 2];
    if (count == whole)
      break;
    double eight[G];
#pragma unroll
    for (int k = 0; k < G; k++)
      eight[k] = four[k] + four[k + 4];
    pieces.add (count, eight);
#pragma unroll
    for (int k = 0; k < G - 1; k++)
      x[k] = x[k + G];
  }
  const bool has_two = width & 2, has_four = width & 4;
#pragma unroll
  for (int i = 0; i < G; i++) {
    to[i] += has_four ? has_two ? x[i + 6] : x[i + 4] : has_two ? x[i + 2] : x[i];
    to[i] += has_two ? has_four ? two[i + 4] : two[i] : 0;
    to[i] += has_four ? four[i] : 0;
#pragma unroll
    for (int level = 0; level < LEVELS; level++)
      to[i] += whole >> level & 1 ? pieces.waiting[level][i] : 0;
  }
}

/* From row to row of sums, odd: a row may be read a little too far. */
template <typename T, typename R>
__host__ __device__ __forceinline__ int32_t
boxes_pitch (const boxes_job<T, R> &j)
{
  return j.columns + BOXES_GROUP + 1;
}

/* Sums of columns of the tile, or of squares. INSIDE: all that it reaches is in the image. */
template <int LEVELS, bool SQUARES, bool INSIDE, typename T, typename R>
__device__ __forceinline__ void
sum_columns (const boxes_job<T, R> &j, int64_t z, int64_t y0, int64_t x0, double *sums)
{
  for (int task = (int) threadIdx.x; task < j.height / BOXES_GROUP << j.shift; task += (int) blockDim.x) {
    int group = task >> j.shift, column = task & (j.columns - 1);
    int64_t top = y0 + BOXES_GROUP * group - j.radius, x = x0 + column - j.radius;
    double sum[BOXES_GROUP] = {};
    if (!INSIDE)
      x = j.image.source_index (x, j.image.in.columns);
    for (int slice = 0; slice < j.slices; slice++) {
      int64_t plane = j.image.source_index (z + slice - j.slices / 2, j.image.in.planes);
      const T *first = INSIDE ? j.image.in.row (plane, top) + x : NULL;
      add_group<LEVELS> (sum, j.radius, [&] (int k) {
        double v = (double) (INSIDE ? first[k * j.image.in.row_stride]
                                    : j.image.pixel (plane, j.image.source_index (top + k, j.image.in.rows), x));
        return SQUARES ? v * v : v;
      });
    }
#pragma unroll
    for (int i = 0; i < BOXES_GROUP; i++)
      sums[(BOXES_GROUP * group + i) * boxes_pitch (j) + column] = sum[i];
  }
}

/* Whether the box of each pixel of the tile lies in the image. */
template <typename T, typename R>
__device__ __forceinline__ bool
boxes_inside (const boxes_job<T, R> &j, int64_t z, int64_t y0, int64_t x0)
{
  const view<const T> &in = j.image.in;
  return y0 >= j.radius && y0 + j.height + j.radius <= in.rows && x0 >= j.radius
         && x0 + j.columns - j.radius <= in.columns && z >= j.slices / 2 && z + j.slices / 2 < in.planes;
}

/* The results of the tile from the sums of columns; a lane takes a row. */
template <int LEVELS, bool VARIANCE, typename T, typename R>
__device__ __forceinline__ void
boxes_sum_rows (const boxes_job<T, R> &j, const double *sums, const double *squares, R *results)
{
  const int row = (int) threadIdx.x % j.height, step = (int) blockDim.x / j.height * BOXES_GROUP;
  for (int x = (int) threadIdx.x / j.height * BOXES_GROUP; x < j.width; x += step) {
    double sum[BOXES_GROUP] = {}, square[BOXES_GROUP] = {};
    int at = row * boxes_pitch (j) + x;
    add_group<LEVELS> (sum, j.radius, [&] (int k) { return sums[at + k]; });
    if (VARIANCE)
      add_group<LEVELS> (square, j.radius, [&] (int k) { return squares[at + k]; });
#pragma unroll
    for (int i = 0; i < BOXES_GROUP; i++)
      if (x + i < j.width)
        results[row * (j.width + 1) + x + i] =
          pixel_from<R> (sums_result<VARIANCE, R> (sum[i], square[i], j.n, j.inverse));
  }
}

template <typename T, typename R, bool VARIANCE, int LEVELS>
__global__ static void __launch_bounds__ (256) boxes_kernel (const __grid_constant__ boxes_job<T, R> j)
{
  extern __shared__ __align__ (16) char boxes_memory[];
  double *sums = (double *) boxes_memory, *squares = (double *) (boxes_memory + j.squares_at);
  R *results = (R *) (boxes_memory + j.results_at);
  int64_t tile = blockIdx.x, above = tile / j.across, z = above / j.down;
  int64_t x0 = (tile - above * j.across) * j.width, y0 = (above - z * j.down) * j.height;
  if (boxes_inside (j, z, y0, x0)) {
    sum_columns<LEVELS, false, true> (j, z, y0, x0, sums);
    if (VARIANCE)
      sum_columns<LEVELS, true, true> (j, z, y0, x0, squares);
  } else {
    sum_columns<LEVELS, false, false> (j, z, y0, x0, sums);
    if (VARIANCE)
      sum_columns<LEVELS, true, false> (j, z, y0, x0, squares);
  }
  __syncthreads ();
  boxes_sum_rows<LEVELS, VARIANCE> (j, sums, squares, results);
  __syncthreads ();
  for (int row = (int) threadIdx.x / 32; row < j.height && y0 + row < j.out.rows; row += (int) blockDim.x / 32)
    for (int x = (int) threadIdx.x % 32; x < j.width && x0 + x < j.out.columns; x += 32)
      j.out.row (z, y0 + row)[x0 + x] = results[row * (j.width + 1) + x];
}

/* Shared memory of a block. */
template <bool VARIANCE, typename T, typename R>
static int64_t
boxes_bytes (const boxes_job<T, R> &j)
{
  return j.height
         * ((VARIANCE ? 2 : 1) * boxes_pitch (j) * (int64_t) sizeof (double) + (j.width + 1) * (int64_t) sizeof (R));
}

/* Of squares and cubes; *done says whether it was one. */
template <typename T, typename R, bool VARIANCE>
static fv_status
run_boxes (const fv_call *call, bool *done, fv_error *error)
{
  const neighborhood_args *a = (const neighborhood_args *) call->args;
  boxes_job<T, R> j = {bordered_input<T> (call), view_of<R> (call->outputs[0])};
  bool cube = a->footprint == FOOTPRINT_CUBE;
  j.radius = a->radius;
  j.slices = cube ? 2 * a->radius + 1 : 1;
  j.shift = a->radius <= 16 ? 7 : 8;
  j.columns = 1 << j.shift;
  j.width = j.columns - 2 * a->radius;
  j.across = blocks_for (j.out.columns, j.width);
  j.n = (double) neighborhood_count (a);
  j.inverse = 1 / j.n;
  int64_t bytes;
  for (j.height = BOXES_HEIGHT; (bytes = boxes_bytes<VARIANCE> (j)) > most_shared () && j.height > BOXES_GROUP;)
    j.height /= 2;
  j.down = blocks_for (j.out.rows, j.height);
  j.squares_at = j.height * boxes_pitch (j) * (int32_t) sizeof (double);
  j.results_at = (VARIANCE ? 2 : 1) * j.squares_at;
  *done = (cube || a->footprint == FOOTPRINT_SQUARE) && a->radius > 0;
  if (!*done)
    return FV_OK;
  auto kernel = a->radius <= BOXES_SMALL ? boxes_kernel<T, R, VARIANCE, 1> : boxes_kernel<T, R, VARIANCE, 5>;
  return cuda_status (launch (kernel, j.out.planes * j.down * j.across, 256, bytes, call, j), "Sums over boxes", error);
}

#endif

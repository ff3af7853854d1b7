/* SPDX-License-Identifier: MIT
 *
 * The heights of the ball's top over images of 8 and 16 bits, in whole numbers of 1 / 8192 grey value: a sum and a minimum are one instruction then.
 * Each is off by half a one at most, from the rounding of the ball; where that could make another pixel, it is found again in double.
 *
 * ball_tops_kernel: blocks of 32 columns and 64 rows, 8 warps of 8 rows each, a column for a thread, whose 8 minima stay in registers
 * while it goes over the columns of the ball, from the middle one outwards, by 8 rows of the tile at a time: 64 sums for 8 pixels and 15 numbers of the
 * ball. They are left out where the least of those pixels on the least number of the ball is below none of the warp's minima: of noise two of three.
 * Shared memory: the tile and its minima of 8 rows, half of the ball and its minima; two barriers. Reads each pixel (1 + reach / 16) (1 + reach / 32) times,
 * mostly from L2, writes two.
 */
#include "kernels/common/row.cuh"
#include "kernels/filters/rolling_ball.cuh"

enum { COLUMNS = 32, ROWS = 8, WARPS = 8, ONE = 8192, REACH_MOST = 50 };
/* Beside grey values of 2^29 at most: outside the image, and not of the ball; their sum is the greatest int. */
enum { OUTSIDE = 1 << 30, NO_BALL = OUTSIDE - 1 };

template <typename T> struct tops_job {
  view<const T> in;
  view<T> out, background;
  const double *heights;
  double white;
  int64_t across, down;        /* blocks */
  int reach, side, padded, wide, steps; /* padded: numbers of a column of the ball; wide: of the tile, which has `steps` times 8 rows */
  bool light;

  __device__ __forceinline__ T background_of (double v) const
  {
    return pixel_from<T> (light ? -v : v);
  }

  __device__ __forceinline__ T out_of (T pixel, double v) const
  {
    return pixel_from<T> ((double) pixel - (light ? -v : v) + white);
  }
};

/* The same in double. */
template <typename T>
__device__ __noinline__ static double
top_in_double (const tops_job<T> &j, int64_t z, int64_t y, int64_t x)
{
  double least = INFINITY;
  for (int k = 0; k < j.side; k++)
    for (int i = 0; i < j.side; i++) {
      const int64_t row = y + k - j.reach, column = x + i - j.reach;
      if (row < 0 || row >= j.in.rows || column < 0 || column >= j.in.columns)
        continue;
      const double v = (double) j.in.row (z, row)[column];
      least = fmin (least, (j.light ? -v : v) - j.heights[k * j.side + i]);
    }
  return least;
}

/* Fills shared memory: of the ball the columns from the middle one on, each behind 8 numbers that are not of it, and the least from 7 before to
 * 7 behind each 8th; the tile, from pixel (top, left) on, and the least of each 8 rows. */
template <typename T>
__device__ static void
make_ready (const tops_job<T> &j, int64_t z, int64_t top, int64_t left, int *lifts, int *least, int *tile, int *low)
{
  for (int n = (int) threadIdx.x; n < (j.reach + 1) * j.padded; n += COLUMNS * WARPS) {
    const int column = n / j.padded + j.reach, row = n % j.padded - ROWS;
    const double height = row >= 0 && row < j.side ? j.heights[column * j.side + row] : -INFINITY;
    lifts[n] = height > -INFINITY ? (int) rint (-height * ONE) : NO_BALL;
  }
  for (int n = (int) threadIdx.x; n < j.wide * j.steps * ROWS; n += COLUMNS * WARPS) {
    const int64_t y = top + n / j.wide, x = left + n % j.wide;
    const bool inside = y >= 0 && y < j.in.rows && x >= 0 && x < j.in.columns;
    const int v = inside ? (int) j.in.row (z, y)[x] * ONE : OUTSIDE;
    tile[n] = inside && j.light ? -v : v;
  }
  __syncthreads ();
  const int each = j.padded / ROWS;
  for (int n = (int) threadIdx.x; n < (j.reach + 1) * each; n += COLUMNS * WARPS) {
    least[n] = NO_BALL;
    for (int k = 1; k < 2 * ROWS && n % each + 1 < each; k++)
      least[n] = min (least[n], lifts[n * ROWS + k]);
  }
  for (int n = (int) threadIdx.x; n < j.wide * j.steps; n += COLUMNS * WARPS) {
    const int *from = tile + n / j.wide * ROWS * j.wide + n % j.wide;
    low[n] = from[0];
    for (int k = 1; k < ROWS; k++)
      low[n] = min (low[n], from[k * j.wide]);
  }
  __syncthreads ();
}

template <typename T>
__global__ static void
__launch_bounds__ (COLUMNS *WARPS) ball_tops_kernel (const __grid_constant__ tops_job<T> j)
{
  extern __shared__ int4 shared[];
  const int lane = (int) threadIdx.x % COLUMNS, warp = (int) threadIdx.x / COLUMNS, each = j.padded / ROWS;
  int *lifts = (int *) shared, *least = lifts + (j.reach + 1) * j.padded, *tile = least + (j.reach + 1) * each;
  int *low = tile + j.wide * j.steps * ROWS;
  const int64_t bx = blockIdx.x % j.across, by = blockIdx.x / j.across % j.down, z = blockIdx.x / j.across / j.down;
  make_ready (j, z, by * ROWS * WARPS - j.reach, bx * COLUMNS - j.reach, lifts, least, tile, low);

  const int64_t x = bx * COLUMNS + lane, y = (by * WARPS + warp) * ROWS;
  int best[ROWS], most = INT32_MIN;
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    best[r] = x < j.in.columns && y + r < j.in.rows ? OUTSIDE : INT32_MIN; /* what is not wanted asks for nothing */
    most = max (most, best[r]);
  }
  for (int n = 0; n < j.side; n++) {
    const int beside = (n + 1) / 2, i = n % 2 ? j.reach - beside : j.reach + beside;
    const int *from = tile + warp * ROWS * j.wide + lane + i;
    for (int k = 0; k < each - 1; k++) {
      const int floor = low[(warp + k) * j.wide + lane + i] + least[beside * each + k];
      if (!__any_sync (~0u, floor < most))
        continue;
      int lift[2 * ROWS];
#pragma unroll
      for (int q = 0; q < ROWS / 2; q++) {
        const int4 four = ((const int4 *) (lifts + beside * j.padded + k * ROWS))[q];
        lift[4 * q] = four.x, lift[4 * q + 1] = four.y, lift[4 * q + 2] = four.z, lift[4 * q + 3] = four.w;
      }
#pragma unroll
      for (int u = 0; u < ROWS; u++) {
        const int v = from[(k * ROWS + u) * j.wide];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
          best[r] = min (best[r], v + lift[ROWS + u - r]);
      }
      most = best[0];
#pragma unroll
      for (int r = 1; r < ROWS; r++)
        most = max (most, best[r]);
    }
  }

  if (x >= j.in.columns)
    return;
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    if (y + r < j.in.rows) {
      const T pixel = j.in.row (z, y + r)[x];
      const double low = (best[r] - 1) / (double) ONE, high = (best[r] + 1) / (double) ONE;
      double v = low;
      if (j.background_of (low) != j.background_of (high) || j.out_of (pixel, low) != j.out_of (pixel, high))
        v = top_in_double (j, z, y + r, x);
      j.background.row (z, y + r)[x] = j.background_of (v);
      j.out.row (z, y + r)[x] = j.out_of (pixel, v);
    }
}

template <typename T>
static cudaError_t
run_tops (const fv_call *call, const rolling_ball_plan *p, const double *heights)
{
  tops_job<T> j = {view_of<const T> (call->inputs[0]), view_of<T> (call->outputs[0]), view_of<T> (call->outputs[1]),
                   heights};
  j.white = rolling_ball_white (p, call->inputs[0]->grid->type);
  j.light = p->light;
  j.reach = p->reach;
  j.side = 2 * j.reach + 1;
  j.wide = COLUMNS + 2 * j.reach;
  j.padded = (int) blocks_for (j.side + 2 * ROWS, ROWS) * ROWS;
  j.steps = WARPS + j.padded / ROWS - 2;
  j.across = blocks_for (j.in.columns, COLUMNS);
  j.down = blocks_for (j.in.rows, ROWS * WARPS);
  const int64_t ball = (int64_t) (j.reach + 1) * j.padded, pixels = (int64_t) j.wide * j.steps * ROWS;
  const int64_t numbers = ball + ball / ROWS + pixels + pixels / ROWS;
  return launch (ball_tops_kernel<T>, j.in.planes * j.across * j.down, COLUMNS * WARPS, numbers * 4, call, j);
}

bool
ball_tops_fit (const fv_array *in, const rolling_ball_plan *p)
{
  const fv_type type = in->grid->type;
  return (type == FV_U8 || type == FV_U16) && !p->whole && p->reach <= REACH_MOST
         && array_planes (in) * blocks_for (p->rows, ROWS * WARPS) * blocks_for (p->columns, COLUMNS) <= INT32_MAX;
}

cudaError_t
ball_tops_cuda (const fv_call *call, const rolling_ball_plan *p, const double *heights)
{
  return call->inputs[0]->grid->type == FV_U8 ? run_tops<uint8_t> (call, p, heights)
                                              : run_tops<uint16_t> (call, p, heights);
}

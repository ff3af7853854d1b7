/* SPDX-License-Identifier: MIT
 *
 * The heights of the ball's top over images of 8 and 16 bits, in whole numbers of 1 / 8192 grey value: a sum and a minimum are one instruction then.
 * Each is off by half a one at most, from the rounding of the ball; where that could make another pixel, it is found again in double.
 *
 * ball_tops_kernel: blocks of 32 columns and 64 rows, 8 warps of 8 rows each, a column for a thread, whose 8 minima stay in registers
 * while it goes down each column of the ball: two numbers read from shared memory for 8 sums. Shared memory: the tile, the ball and its edge; one
 * barrier. Reads each pixel (1 + reach / 16) (1 + reach / 32) times, mostly from L2, writes two.
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
  int reach, side, wide, high; /* the last two of the tile */
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

template <typename T>
__global__ static void
__launch_bounds__ (COLUMNS *WARPS) ball_tops_kernel (const __grid_constant__ tops_job<T> j)
{
  extern __shared__ int shared[];
  const int padded = j.side + 2 * ROWS;
  int *lifts = shared, *first = lifts + j.side * padded, *tile = first + j.side;
  const int64_t bx = blockIdx.x % j.across, by = blockIdx.x / j.across % j.down, z = blockIdx.x / j.across / j.down;
  const int64_t left = bx * COLUMNS - j.reach, top = by * ROWS * WARPS - j.reach;
  for (int n = (int) threadIdx.x; n < j.side * padded; n += COLUMNS * WARPS) {
    const double height = n % padded < j.side ? j.heights[n / padded * j.side + n % padded] : -INFINITY;
    lifts[n] = height > -INFINITY ? (int) rint (-height * ONE) : NO_BALL;
  }
  for (int i = (int) threadIdx.x; i < j.side; i += COLUMNS * WARPS) {
    first[i] = 0;
    while (first[i] < j.side
           && !(j.heights[i * j.side + first[i]] > -INFINITY)) /* the ball may end before its square */
      first[i]++;
  }
  for (int n = (int) threadIdx.x; n < j.wide * j.high; n += COLUMNS * WARPS) {
    const int64_t y = top + n / j.wide, x = left + n % j.wide;
    const bool inside = y >= 0 && y < j.in.rows && x >= 0 && x < j.in.columns;
    const int v = inside ? (int) j.in.row (z, y)[x] * ONE : OUTSIDE;
    tile[n] = inside && j.light ? -v : v;
  }
  __syncthreads ();

  const int lane = (int) threadIdx.x % COLUMNS, warp = (int) threadIdx.x / COLUMNS;
  int best[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    best[r] = OUTSIDE;
  /* Down column i of the ball: up[] are the lifts that the pixel has for the thread's rows, in turn. */
  for (int i = 0; i < j.side; i++) {
    const int *from = tile + warp * ROWS * j.wide + lane + i, *lift = lifts + i * padded;
    const int end = j.side - first[i] + ROWS - 1;
    int up[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++)
      up[r] = NO_BALL;
    for (int k = first[i]; k < end; k += ROWS)
#pragma unroll
      for (int u = 0; u < ROWS; u++) {
        const int v = from[(k + u) * j.wide];
        up[u] = lift[k + u];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
          best[r] = min (best[r], v + up[(u - r) & (ROWS - 1)]);
      }
  }

  const int64_t x = bx * COLUMNS + lane, y = (by * WARPS + warp) * ROWS;
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
  j.high = ROWS * WARPS + 2 * j.reach + ROWS; /* the last rows are read past the ball */
  j.across = blocks_for (j.in.columns, COLUMNS);
  j.down = blocks_for (j.in.rows, ROWS * WARPS);
  const int64_t numbers = (int64_t) j.side * (j.side + 2 * ROWS + 1) + (int64_t) j.wide * j.high;
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

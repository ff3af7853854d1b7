/* SPDX-License-Identifier: MIT
 *
 * The heights of the ball's top over images of 8 and 16 bits, in integer multiples of 1 / 8192 gray value: a sum and a minimum are one instruction then.
 * Each is off by half a one at most, from the rounding of the ball; where that could make another pixel, it is found again in double.
 *
 * ball_tops_kernel: a block a tile, see ball_tile.cuh; writes two pixels for each.
 */
#include "kernels/filters/rolling_ball_tops.cuh"
#include "kernels/filters/ball_tile.cuh"

enum { ONE = 8192, REACH_MOST = 50 };
/* Beside gray values of 2^29 at most: outside the image, and not of the ball; their sum is the greatest int. */
enum { OUTSIDE = 1 << 30, NO_BALL = OUTSIDE - 1 };

template <typename T> struct tops_job {
  view<const T> in;
  view<T> out, background;
  const double *heights;
  double white;
  int64_t across, down; /* blocks */
  ball_sizes ball;
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

/* The same in double, by all threads of a warp. */
template <typename T>
__device__ __noinline__ static double
top_in_double (const tops_job<T> &j, int64_t z, int64_t y, int64_t x)
{
  const int reach = j.ball.reach, side = 2 * reach + 1;
  double least = INFINITY;
  for (int k = 0; k < side; k++)
    for (int i = (int) threadIdx.x % 32; i < side; i += 32) {
      const int64_t row = y + k - reach, column = x + i - reach;
      if (row < 0 || row >= j.in.rows || column < 0 || column >= j.in.columns)
        continue;
      const double v = (double) j.in.row (z, row)[column];
      least = fmin (least, (j.light ? -v : v) - j.heights[k * side + i]);
    }
  for (int d = 16; d; d /= 2)
    least = fmin (least, __shfl_xor_sync (~0u, least, d));
  return least;
}

template <typename T>
__global__ static void
__launch_bounds__ (BALL_THREADS) ball_tops_kernel (const __grid_constant__ tops_job<T> j)
{
  extern __shared__ int4 ball_shared[];
  const ball_tile<int> t = ball_tile_of<int> (j.ball, ball_shared);
  const int64_t bx = blockIdx.x % j.across, by = blockIdx.x / j.across % j.down, z = blockIdx.x / j.across / j.down;
  const int64_t x = bx * BALL_COLUMNS + threadIdx.x % BALL_COLUMNS;
  const int64_t y = (by * BALL_WARPS + threadIdx.x / BALL_COLUMNS) * BALL_ROWS;
  const int64_t left = bx * BALL_COLUMNS - j.ball.reach, top = by * BALL_ROWS * BALL_WARPS - j.ball.reach;
  auto lift = [&] (int row, int column) {
    const double height = j.heights[row * (2 * j.ball.reach + 1) + column];
    return height > -INFINITY ? (int) rint (-height * ONE) : NO_BALL;
  };
  auto pixel = [&] (int row, int column) {
    const int64_t at = top + row, to = left + column;
    const bool inside = at >= 0 && at < j.in.rows && to >= 0 && to < j.in.columns;
    const int v = inside ? (int) j.in.row (z, at)[to] * ONE : OUTSIDE;
    return inside && j.light ? -v : v;
  };
  ball_fill (t, (int) NO_BALL, lift, pixel);
  int best[BALL_ROWS];
#pragma unroll
  for (int r = 0; r < BALL_ROWS; r++)
    best[r] = x < j.in.columns && y + r < j.in.rows ? OUTSIDE : INT32_MIN;
  ball_least (t, best);
#pragma unroll
  for (int r = 0; r < BALL_ROWS; r++) {
    const bool wanted = x < j.in.columns && y + r < j.in.rows;
    const T pixel = wanted ? j.in.row (z, y + r)[x] : T (0);
    const double low = ((double) best[r] - 1) / ONE, high = ((double) best[r] + 1) / ONE;
    double v = low;
    unsigned doubt = __ballot_sync (
      ~0u,
      wanted && (j.background_of (low) != j.background_of (high) || j.out_of (pixel, low) != j.out_of (pixel, high)));
    for (; doubt; doubt &= doubt - 1) {
      const int who = __ffs ((int) doubt) - 1;
      const double top = top_in_double (j, z, y + r, bx * BALL_COLUMNS + who);
      v = (int) threadIdx.x % BALL_COLUMNS == who ? top : v;
    }
    if (wanted) {
      j.background.row (z, y + r)[x] = j.background_of (v);
      j.out.row (z, y + r)[x] = j.out_of (pixel, v);
    }
  }
}

template <typename T>
static cudaError_t
run_tops (const fv_call *call, const rolling_ball_plan *p, const double *heights)
{
  tops_job<T> j = {view_of<const T> (call->inputs[0]), view_of<T> (call->outputs[0]), view_of<T> (call->outputs[1]),
                   heights};
  j.white = rolling_ball_white (p->light, call->inputs[0]->grid->type);
  j.light = p->light;
  j.ball = ball_sizes_of (p->reach);
  j.across = blocks_for (j.in.columns, BALL_COLUMNS);
  j.down = blocks_for (j.in.rows, BALL_ROWS * BALL_WARPS);
  return launch (ball_tops_kernel<T>, j.in.planes * j.across * j.down, BALL_THREADS,
                 ball_numbers (j.ball) * (int64_t) sizeof (int), call, j);
}

bool
ball_tops_fit (const fv_array *in, const rolling_ball_plan *p)
{
  const fv_type type = in->grid->type;
  return (type == FV_U8 || type == FV_U16) && !p->whole && p->reach <= REACH_MOST
         && array_planes (in) * blocks_for (p->rows, BALL_ROWS * BALL_WARPS) * blocks_for (p->columns, BALL_COLUMNS)
              <= INT32_MAX;
}

cudaError_t
ball_tops_cuda (const fv_call *call, const rolling_ball_plan *p, const double *heights)
{
  return call->inputs[0]->grid->type == FV_U8 ? run_tops<uint8_t> (call, p, heights)
                                              : run_tops<uint16_t> (call, p, heights);
}

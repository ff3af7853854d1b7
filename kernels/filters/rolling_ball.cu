/* SPDX-License-Identifier: MIT
 *
 * rolling_ball on the GPU, but for what rolling_ball_tops.cu does: plane by plane, four kernels of 256 threads a block, a number each; what they
 * read again comes from L1. Nothing waits.
 *
 * - shrink_to_ball: the image read once (nine times from L1 when it is smoothed), the shrunk one written.
 * - slide_ball touches and raises: a block a tile, see ball_tile.cuh.
 * - touch_ball and raise_ball do that for balls whose tile does not fit: for each number written they read as many as the ball has.
 * - subtract_ball: four numbers and a pixel read, two pixels written.
 */
#include "kernels/filters/rolling_ball.h"
#include "kernels/filters/ball_tile.cuh"
#include "kernels/filters/paraboloid.h"
#include "kernels/filters/rolling_ball_tops.cuh"

/* Pixel (y, x), in double, smoothed and negated if that is wanted. */
template <typename T>
__device__ __forceinline__ double
ball_pixel (const view<const T> &in, int64_t z, int64_t y, int64_t x, const rolling_ball_plan &p)
{
  double v;
  if (p.smooth) {
    const T *above = in.row (z, y ? y - 1 : 0), *own = in.row (z, y), *below = in.row (z, min (y + 1, in.rows - 1));
    double sum[3];
    const int64_t before = max (x - 1, (int64_t) 0), behind = min (x + 1, in.columns - 1);
    if (p.single) {
      const float up = rolling_ball_third ((double) above[before], (double) above[x], (double) above[behind]),
                  here = rolling_ball_third ((double) own[before], (double) own[x], (double) own[behind]),
                  down = rolling_ball_third ((double) below[before], (double) below[x], (double) below[behind]);
      v = rolling_ball_third (up, here, down);
    } else {
#pragma unroll
      for (int i = 0; i < 3; i++) {
        int64_t at = i == 0 ? before : i == 1 ? x : behind;
        sum[i] = (double) above[at] + (double) own[at] + (double) below[at];
      }
      v = (sum[0] + sum[1] + sum[2]) / 9;
    }
  } else
    v = (double) in.row (z, y)[x];
  return p.light ? -v : v;
}

template <typename T>
__global__ static void __launch_bounds__ (256) shrink_to_ball (const __grid_constant__ view<const T> in, int64_t z,
                                                               const __grid_constant__ rolling_ball_plan p, double *to)
{
  int64_t pitch = rolling_ball_pitch (&p), x = (int64_t) blockIdx.x * 256 + threadIdx.x, at = x - 2 * p.reach;
  if (x >= pitch)
    return;
  for (int64_t y = blockIdx.y; y < p.rows; y += gridDim.y) {
    double least = INFINITY;
    for (int k = 0; k < p.shrink; k++)
      for (int i = 0; i < p.shrink; i++) {
        int64_t row = y * p.shrink + k, column = at * p.shrink + i;
        double v = at >= 0 && column < in.columns && row < in.rows ? ball_pixel (in, z, row, column, p) : INFINITY;
        least = v < least ? v : least;
      }
    to[y * pitch + x] = least;
  }
}

__global__ static void __launch_bounds__ (256)
  touch_ball (const double *image, const double *heights, const __grid_constant__ rolling_ball_plan p, double *to)
{
  int64_t pitch = rolling_ball_pitch (&p), n = rolling_ball_under_pitch (&p), side = 2 * p.reach + 1;
  int64_t x = (int64_t) blockIdx.x * 256 + threadIdx.x;
  if (x >= n)
    return;
  for (int64_t y = blockIdx.y; y < p.rows + 2 * p.reach; y += gridDim.y) {
    double least = INFINITY;
    for (int64_t k = max (2 * p.reach - y, (int64_t) 0); k < min (side, p.rows + 2 * p.reach - y); k++) {
      const double *from = image + (y + k - 2 * p.reach) * pitch + x, *height = heights + k * side;
#pragma unroll 4
      for (int i = 0; i < (int) side; i++) {
        double v = from[i] - height[i];
        least = v < least ? v : least;
      }
    }
    to[y * n + x] = rolling_ball_rounded (p.single, least);
  }
}

__global__ static void __launch_bounds__ (256)
  raise_ball (const double *under, const double *heights, const __grid_constant__ rolling_ball_plan p, double *to)
{
  int64_t pitch = rolling_ball_under_pitch (&p), side = 2 * p.reach + 1;
  int64_t x = (int64_t) blockIdx.x * 256 + threadIdx.x;
  if (x >= p.columns)
    return;
  for (int64_t y = blockIdx.y; y < p.rows; y += gridDim.y) {
    double most = -INFINITY;
    for (int64_t k = 0; k < side; k++) {
      const double *from = under + (y + k) * pitch + x, *height = heights + k * side;
#pragma unroll 4
      for (int i = 0; i < (int) side; i++) {
        double v = from[i] + height[i];
        most = v > most ? v : most;
      }
    }
    to[y * rolling_ball_pitch (&p) + x] = rolling_ball_rounded (p.single, most);
  }
}

/* The same as these two. Raising is touching with all turned round. */
struct slide_job {
  const double *from, *heights;
  double *to;
  int64_t from_rows, from_pitch, to_rows, to_columns, to_pitch;
  int64_t across; /* blocks */
  int up;         /* rows from the first one of the tile to that which is written */
  bool raise, single;
  ball_sizes ball;
};

__global__ static void
__launch_bounds__ (BALL_THREADS) slide_ball (const __grid_constant__ slide_job j)
{
  extern __shared__ int4 ball_shared[];
  const ball_tile<double> t = ball_tile_of<double> (j.ball, ball_shared);
  const int64_t left = blockIdx.x % j.across * BALL_COLUMNS, first = blockIdx.x / j.across * BALL_ROWS * BALL_WARPS;
  const int64_t x = left + threadIdx.x % BALL_COLUMNS, y = first + threadIdx.x / BALL_COLUMNS * BALL_ROWS;
  auto lift = [&] (int row, int column) { return -j.heights[row * (2 * j.ball.reach + 1) + column]; };
  auto pixel = [&] (int row, int column) {
    const int64_t at = first - j.up + row, to = left + column;
    const double v = at >= 0 && at < j.from_rows && to < j.from_pitch ? j.from[at * j.from_pitch + to] : NAN;
    return isnan (v) ? INFINITY : j.raise ? -v : v;
  };
  ball_fill (t, (double) INFINITY, lift, pixel);
  double best[BALL_ROWS];
#pragma unroll
  for (int r = 0; r < BALL_ROWS; r++)
    best[r] = x < j.to_columns && y + r < j.to_rows ? INFINITY : -INFINITY;
  ball_least (t, best);
#pragma unroll
  for (int r = 0; r < BALL_ROWS; r++)
    if (x < j.to_columns && y + r < j.to_rows)
      j.to[(y + r) * j.to_pitch + x] = rolling_ball_rounded (j.single, j.raise ? -best[r] : best[r]);
}

template <typename T> struct ball_job {
  view<const T> in;
  view<T> out, background;
  rolling_ball_plan p;
  int64_t z, pitch;
  const double *from; /* the background, shrunk */
  double white;
  fv_type type;
};

template <typename T>
__global__ static void __launch_bounds__ (256) subtract_ball (const __grid_constant__ ball_job<T> j)
{
  int64_t x = (int64_t) blockIdx.x * 256 + threadIdx.x;
  if (x >= j.in.columns)
    return;
  double across;
  int64_t i = rolling_ball_between (x, j.p.shrink, j.p.columns, &across), k = min (i + 1, j.p.columns - 1);
  for (int64_t y = blockIdx.y; y < j.in.rows; y += gridDim.y) {
    double down, v;
    int64_t row = rolling_ball_between (y, j.p.shrink, j.p.rows, &down);
    const double *above = j.from + row * j.pitch, *below = j.from + min (row + 1, j.p.rows - 1) * j.pitch;
    if (j.p.shrink == 1)
      v = j.from[y * j.pitch + x];
    else if (j.p.single)
      v = rolling_ball_mix (rolling_ball_mix (above[i], above[k], x, i, j.p.shrink, j.p.columns),
                            rolling_ball_mix (below[i], below[k], x, i, j.p.shrink, j.p.columns), y, row, j.p.shrink,
                            j.p.rows);
    else {
      double high = above[i] * (1 - across) + above[k] * across, low = below[i] * (1 - across) + below[k] * across;
      v = high * (1 - down) + low * down;
    }
    v = j.p.light ? -v : v;
    j.background.row (j.z, y)[x] = pixel_from<T> (v);
    const double pixel = (double) j.in.row (j.z, y)[x];
    j.out.row (j.z, y)[x] =
      pixel_from<T> (j.p.single ? rolling_ball_left (pixel, v, j.p.light, j.type) : pixel - v + j.white);
  }
}

/* The ball, on the device. */
static fv_status
send_ball (const fv_call *call, const rolling_ball_plan *p, double **sent, fv_error *error)
{
  size_t side = (size_t) (2 * p->reach + 1), bytes = side * side * sizeof (double);
  double *heights;
  if (call->host->host_scratch (call, bytes, (void **) &heights, error)
      || cuda_scratch (call, side * side, sent, error))
    return error->code;
  rolling_ball_heights ((const rolling_ball_args *) call->args, p, heights);
  return call->device->copy (call->device, call->stream, *sent, bytes, heights, bytes, bytes, 1, FV_TO_DEVICE, error);
}

/* How low the ball comes below each pixel, from the image, or how high above it, from what lies under it. */
static cudaError_t
move_ball (const fv_call *call, const rolling_ball_plan &p, const double *heights, bool raise, double *image,
           double *under)
{
  const int64_t n = rolling_ball_under_pitch (&p), rows = p.rows + 2 * p.reach;
  slide_job j = {image, heights, under, p.rows, rolling_ball_pitch (&p), rows, n, n};
  if (raise)
    j = {under, heights, image, rows, n, p.rows, p.columns, rolling_ball_pitch (&p)};
  j.across = blocks_for (j.to_columns, BALL_COLUMNS);
  j.up = raise ? 0 : 2 * p.reach;
  j.raise = raise;
  j.single = p.single;
  j.ball = ball_sizes_of (p.reach);
  const int64_t bytes = ball_numbers (j.ball) * (int64_t) sizeof (double);
  if (bytes <= most_shared ())
    return launch (slide_ball, j.across * blocks_for (j.to_rows, BALL_ROWS * BALL_WARPS), BALL_THREADS, bytes, call, j);
  const dim3 blocks = grid_of_rows (1, j.to_rows, blocks_for (j.to_columns, 256));
  if (raise)
    raise_ball<<<blocks, 256, 0, cuda_stream (call)>>> (under, heights, p, image);
  else
    touch_ball<<<blocks, 256, 0, cuda_stream (call)>>> (image, heights, p, under);
  return cudaGetLastError ();
}

template <typename T>
static cudaError_t
roll_ball (const fv_call *call, const rolling_ball_plan &p, const double *heights, double *image, double *under)
{
  ball_job<T> j = {view_of<const T> (call->inputs[0]), view_of<T> (call->outputs[0]), view_of<T> (call->outputs[1]), p};
  cudaStream_t stream = cuda_stream (call);
  int64_t n = rolling_ball_under_pitch (&p);
  j.type = call->inputs[0]->grid->type;
  j.white = rolling_ball_white (p.light, call->inputs[0]->grid->type);
  j.pitch = p.whole ? rolling_ball_pitch (&p) : n;
  j.from = p.whole ? image : under + p.reach * (n + 1);
  for (j.z = 0; j.z < j.in.planes; j.z++) {
    shrink_to_ball<T>
      <<<grid_of_rows (1, p.rows, blocks_for (rolling_ball_pitch (&p), 256)), 256, 0, stream>>> (j.in, j.z, p, image);
    cudaError_t code = move_ball (call, p, heights, false, image, under);
    if (!code && p.whole)
      code = move_ball (call, p, heights, true, image, under);
    if (code)
      return code;
    subtract_ball<T><<<grid_of_rows (1, j.in.rows, blocks_for (j.in.columns, 256)), 256, 0, stream>>> (j);
  }
  return cudaGetLastError ();
}

fv_status
rolling_ball_cuda (const fv_call *call, fv_error *error)
{
  if (((const rolling_ball_args *) call->args)->method == ROLLING_BALL_PARABOLOID)
    return paraboloid_cuda (call, error);
  const fv_array *in = call->inputs[0];
  rolling_ball_plan p =
    rolling_ball_make ((const rolling_ball_args *) call->args, in->grid->type, array_rows (in), array_columns (in));
  double *heights, *image, *under;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  if (send_ball (call, &p, &heights, error))
    return error->code;
  if (ball_tops_fit (in, &p))
    return cuda_status (ball_tops_cuda (call, &p, heights), "Subtracting the background", error);
  if (cuda_scratch (call, (size_t) (p.rows * rolling_ball_pitch (&p)), &image, error)
      || cuda_scratch (call, (size_t) ((p.rows + 2 * p.reach) * rolling_ball_under_pitch (&p)), &under, error))
    return error->code;
  const cudaError_t code =
    with_type (in->grid->type, [&] (auto zero) { return roll_ball<decltype (zero)> (call, p, heights, image, under); });
  return cuda_status (code, "Subtracting the background", error);
}

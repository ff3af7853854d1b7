/* SPDX-License-Identifier: MIT
 *
 * rolling: means of float pixels over squares of radius 2 to 8. A lane takes four columns down the image; a row of sums of columns is what is left of
 * a block of as many rows as the square has, summed from below, and what has come of the next, summed from above (van Herk 1992), so that
 * nothing is subtracted. Along rows sums come from the lanes beside.
 *
 * rolling_kernel: 64 threads a block, each warp a strip of its own; reads each pixel of a strip and of what surrounds it once, writes each pixel once,
 * 16 bytes at a time where rows are aligned. Nothing waits but a warp for its lanes.
 */
#ifndef KERNELS_RANK_ROLLING_CUH
#define KERNELS_RANK_ROLLING_CUH

#include "kernels/rank/boxes.cuh"

enum { ROLLING_LEAST = 2, ROLLING_MOST = 8, ROLLING_EACH = 4, ROLLING_THREADS = 64, ROLLING_BLOCKS = 3 };

struct rolling_job {
  bordered<float> image;
  view<float> out;
  int64_t across, down; /* strips */
  int32_t blocks;       /* of rows of a strip */
  bool in_aligned, out_aligned;
  double n, inverse; /* 1 / n */
};

/* Lanes on both sides that only surround the others, and columns of a strip. */
template <int RADIUS> struct rolling_shape {
  static constexpr int rows = 2 * RADIUS + 1, beside = (RADIUS + ROLLING_EACH - 1) / ROLLING_EACH;
  static constexpr int width = (32 - 2 * beside) * ROLLING_EACH;

  /* The lane of a column, counted from a lane's first one, and which it is there. */
  static BOTH constexpr int lane (int column)
  {
    return (column + 64) / ROLLING_EACH - 64 / ROLLING_EACH;
  }
  static BOTH constexpr int part (int column)
  {
    return (column + 64) % ROLLING_EACH;
  }
};

struct rolling_row {
  float v[ROLLING_EACH];
};

/* What a lane reads: row r of a plane from `x` on, or, where these columns are not all in the image, those that stand for them. */
struct rolling_source {
  const float *plane;
  int64_t row_stride;
  bool whole;
  int32_t x[ROLLING_EACH];
  float outside;

  __device__ __forceinline__ rolling_row row (int32_t y) const
  {
    const float *from = plane + y * row_stride;
    rolling_row r;
    if (whole && y >= 0) {
      float4 v = *(const float4 *) (from + x[0]);
      return {{v.x, v.y, v.z, v.w}};
    }
#pragma unroll
    for (int i = 0; i < ROLLING_EACH; i++)
      r.v[i] = y < 0 || x[i] < 0 ? outside : from[x[i]];
    return r;
  }
};

/* N rows from y on, into rows FIRST ... Each lane looks up the place of one. */
template <int FIRST, int N>
__device__ __forceinline__ void
load_rolling (const rolling_job &j, const rolling_source &from, int64_t y, rolling_row *rows)
{
  static_assert (N <= 32);
  int32_t place = (int32_t) j.image.place (y + threadIdx.x % 32, j.image.in.rows);
#pragma unroll
  for (int k = 0; k < N; k++)
    rows[FIRST + k] = from.row (__shfl_sync (~0u, place, k));
}

/* From sums of columns to sums of squares. All lanes of a warp come together. */
template <int RADIUS>
__device__ __forceinline__ void
roll_row (const double (&v)[ROLLING_EACH], double (&sum)[ROLLING_EACH])
{
  typedef rolling_shape<RADIUS> S;
  const int lane = (int) threadIdx.x % 32;
  double first[ROLLING_EACH];    /* sums of the first columns, up to each */
  double last[ROLLING_EACH];     /* and of the last, from each on */
  double all[2 * S::beside + 1]; /* of a lane beside */
  first[0] = v[0];
  last[ROLLING_EACH - 1] = v[ROLLING_EACH - 1];
#pragma unroll
  for (int i = 1; i < ROLLING_EACH; i++)
    first[i] = first[i - 1] + v[i];
  last[0] = first[ROLLING_EACH - 1];
#pragma unroll
  for (int i = ROLLING_EACH - 2; i > 0; i--)
    last[i] = last[i + 1] + v[i];
#pragma unroll
  for (int d = -S::beside; d <= S::beside; d++)
    all[d + S::beside] = d ? __shfl_sync (~0u, last[0], lane + d) : last[0];
#pragma unroll
  for (int i = 0; i < ROLLING_EACH; i++) {
    const int low = S::lane (i - RADIUS), high = S::lane (i + RADIUS);
    const int from = S::part (i - RADIUS), to = S::part (i + RADIUS);
    double s = from == 0 ? all[low + S::beside] : low ? __shfl_sync (~0u, last[from], lane + low) : last[from];
#pragma unroll
    for (int d = low + 1; d < high; d++)
      s += all[d + S::beside];
    sum[i] = s
             + (to == ROLLING_EACH - 1 ? all[high + S::beside]
                : high                 ? __shfl_sync (~0u, first[to], lane + high)
                                       : first[to]);
  }
}

template <int RADIUS>
__device__ __forceinline__ void
store_rolling (const rolling_job &j, int64_t z, int64_t y, int64_t x, const double (&sum)[ROLLING_EACH])
{
  const int lane = (int) threadIdx.x % 32;
  float r[ROLLING_EACH];
#pragma unroll
  for (int i = 0; i < ROLLING_EACH; i++)
    r[i] = (float) divided (sum[i], j.n, j.inverse);
  if (lane < rolling_shape<RADIUS>::beside || lane >= 32 - rolling_shape<RADIUS>::beside || y >= j.out.rows)
    return;
  float *to = j.out.row (z, y) + x;
  if (j.out_aligned && x + ROLLING_EACH <= j.out.columns)
    *(float4 *) to = make_float4 (r[0], r[1], r[2], r[3]);
  else
#pragma unroll
    for (int i = 0; i < ROLLING_EACH; i++)
      if (x + i < j.out.columns)
        to[i] = r[i];
}

template <int RADIUS>
__global__ static void
__launch_bounds__ (ROLLING_THREADS, RADIUS <= 5 ? 6 : 4) rolling_kernel (const __grid_constant__ rolling_job j)
{
  typedef rolling_shape<RADIUS> S;
  int64_t strip = (int64_t) blockIdx.x * (ROLLING_THREADS / 32) + threadIdx.x / 32, line = strip / j.across,
          z = line / j.down;
  int64_t x = (strip - line * j.across) * S::width + ((int) threadIdx.x % 32 - S::beside) * ROLLING_EACH;
  int64_t y = (line - z * j.down) * j.blocks * S::rows;
  if (z >= j.image.in.planes)
    return;
  rolling_source from = {j.image.in.row (z, 0),
                         j.image.in.row_stride,
                         j.in_aligned && x >= 0 && x + ROLLING_EACH <= j.image.in.columns,
                         {},
                         j.image.outside};
#pragma unroll
  for (int i = 0; i < ROLLING_EACH; i++)
    from.x[i] = (int32_t) j.image.place (x + i, j.image.in.columns);
  double below[S::rows][ROLLING_EACH] = {}; /* sums of the rows of a block from each on */
  rolling_row rows[S::rows];
  load_rolling<1, S::rows - 1> (j, from, y - RADIUS, rows);
#pragma unroll
  for (int k = S::rows - 1; k > 0; k--)
#pragma unroll
    for (int i = 0; i < ROLLING_EACH; i++)
      below[k][i] = (k + 1 < S::rows ? below[k + 1][i] : 0) + (double) rows[k].v[i];
#pragma unroll 1
  for (int block = 0; block < j.blocks && y < j.out.rows; block++, y += S::rows) {
    double above[ROLLING_EACH] = {};
    load_rolling<0, S::rows> (j, from, y + RADIUS, rows);
#pragma unroll
    for (int k = 0; k < S::rows; k++) {
      double column[ROLLING_EACH], sum[ROLLING_EACH];
#pragma unroll
      for (int i = 0; i < ROLLING_EACH; i++) {
        above[i] += (double) rows[k].v[i];
        column[i] = k + 1 < S::rows ? above[i] + below[k + 1][i] : above[i];
      }
      roll_row<RADIUS> (column, sum);
      store_rolling<RADIUS> (j, z, y + k, x, sum);
    }
#pragma unroll
    for (int k = S::rows - 1; k > 0; k--)
#pragma unroll
      for (int i = 0; i < ROLLING_EACH; i++)
        below[k][i] = (k + 1 < S::rows ? below[k + 1][i] : 0) + (double) rows[k].v[i];
  }
}

template <int RADIUS>
static fv_status
start_rolling (const fv_call *call, rolling_job *j, fv_error *error)
{
  typedef rolling_shape<RADIUS> S;
  j->blocks = ROLLING_BLOCKS;
  j->across = blocks_for (j->out.columns, S::width);
  j->down = blocks_for (j->out.rows, j->blocks * S::rows);
  int64_t strips = j->out.planes * j->down * j->across;
  return cuda_status (
    launch (rolling_kernel<RADIUS>, blocks_for (strips, ROLLING_THREADS / 32), ROLLING_THREADS, 0, call, *j),
    "Sums over squares", error);
}

/* *done says whether it is such a mean. */
static fv_status
run_rolling (const fv_call *call, bool *done, fv_error *error)
{
  const neighbourhood_args *a = (const neighbourhood_args *) call->args;
  rolling_job j = {bordered_input<float> (call), view_of<float> (call->outputs[0])};
  j.in_aligned = rows_aligned (call->inputs[0], 16);
  j.out_aligned = rows_aligned (call->outputs[0], 16);
  j.n = (double) neighbourhood_count (a);
  j.inverse = 1 / j.n;
  *done = a->footprint == FOOTPRINT_SQUARE && a->radius >= ROLLING_LEAST && a->radius <= ROLLING_MOST;
  switch (*done ? a->radius : 0) {
  case 2: return start_rolling<2> (call, &j, error);
  case 3: return start_rolling<3> (call, &j, error);
  case 4: return start_rolling<4> (call, &j, error);
  case 5: return start_rolling<5> (call, &j, error);
  case 6: return start_rolling<6> (call, &j, error);
  case 7: return start_rolling<7> (call, &j, error);
  case 8: return start_rolling<8> (call, &j, error);
  default: return FV_OK;
  }
}

#endif

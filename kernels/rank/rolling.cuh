/* SPDX-License-Identifier: MIT
 *
 * rolling: means of float pixels over squares of radius 2 to 8, in the order that sums.h says. A lane takes four columns down the image, and
 * keeps the last pieces of each size that end in the rows above: a row more makes a piece of each. Along rows pieces come from the lanes
 * beside.
 *
 * rolling_kernel: 64 threads a block, a strip for each warp. Reads each pixel of a strip and its surroundings once, writes each pixel once, 16 bytes
 * at a time where rows are aligned. Nothing waits but a warp for its lanes.
 */
#ifndef KERNELS_RANK_ROLLING_CUH
#define KERNELS_RANK_ROLLING_CUH

#include "kernels/rank/boxes.cuh"

enum {
  ROLLING_LEAST = 2,
  ROLLING_MOST = 8,
  ROLLING_EACH = 4,
  ROLLING_THREADS = 64,
  ROLLING_BLOCKS = 4,
  ROLLING_READ = 8
};

struct rolling_job {
  bordered<float> image;
  view<float> out;
  int64_t across, down; /* strips */
  bool in_aligned, out_aligned;
  double inverse; /* 1 / n */
};

/* A lane reads columns `before` its own output's, which the lane before it makes in part. Where the radius is not a multiple of 4, the first lane
 * makes no output. */
template <int RADIUS> struct rolling_shape {
  static constexpr int rows = 2 * RADIUS + 1, levels = rows < 8    ? 2
                                                       : rows < 16 ? 3
                                                                   : 4; /* the largest piece: 2^levels rows */
  static constexpr int once = levels < 3 ? 8 : 1 << levels;             /* rows of a loop, at least READ */
  static constexpr int before = RADIUS / ROLLING_EACH * ROLLING_EACH, part = RADIUS % ROLLING_EACH, first = part > 0;
  static constexpr int lanes = 32 - (2 * RADIUS + ROLLING_EACH - 1) / ROLLING_EACH - first,
                       width = lanes * ROLLING_EACH;
};

struct rolling_row {
  float v[ROLLING_EACH];
};

/* What a lane reads: row r of a plane from `x` on. Columns outside the image are replaced by those of the border. */
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

/* N rows from y on. Each lane looks up the index of one. */
template <int N>
__device__ __forceinline__ void
load_rolling (const rolling_job &j, const rolling_source &from, int64_t y, rolling_row *rows)
{
  static_assert (N <= 32);
  int32_t row = (int32_t) j.image.source_index (y + threadIdx.x % 32, j.image.in.rows);
#pragma unroll
  for (int k = 0; k < N; k++)
    rows[k] = from.row (__shfl_sync (~0u, row, k));
}

/* Pieces that ended in the last rows of a column: of 2^level rows the last 2^level of them, at the row's number modulo that. */
template <int RADIUS> struct rolling_column {
  double ended[rolling_shape<RADIUS>::levels + 1][1 << rolling_shape<RADIUS>::levels];

  /* Takes row `row`, known to the compiler; the sum over the column of a square that ends there. */
  __device__ __forceinline__ double add (int row, double v)
  {
    typedef rolling_shape<RADIUS> S;
    double sum = 0, piece = v;
#pragma unroll
    for (int level = 0; level <= S::levels; level++) {
      const int size = 1 << level, later = S::rows & (size - 1); /* rows of the square behind this piece */
      const double before = ended[level][row & (size - 1)];
      ended[level][row & (size - 1)] = piece;
      if (S::rows & size)
        sum = level ? sum + ended[level][(row - later) & (size - 1)] : piece;
      piece = before + piece;
    }
    return sum;
  }
};

/* What lies `columns` to the right: of v of the lanes. */
template <int COLUMNS>
__device__ __forceinline__ void
rolling_beside (const double (&v)[ROLLING_EACH], double (&beside)[ROLLING_EACH])
{
  const int lane = (int) threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < ROLLING_EACH; i++) {
    const int to = (i + COLUMNS) / ROLLING_EACH, part = (i + COLUMNS) % ROLLING_EACH;
    beside[i] = to ? __shfl_sync (~0u, v[part], lane + to) : v[part];
  }
}

/* From sums of columns to sums of squares that begin at each of them. All lanes of a warp come together. */
template <int RADIUS, int LEVEL = 0>
__device__ __forceinline__ void
roll_row (double (&piece)[ROLLING_EACH], double (&sum)[ROLLING_EACH])
{
  typedef rolling_shape<RADIUS> S;
  const int size = 1 << LEVEL;
  double beside[ROLLING_EACH];
  if (LEVEL == 0) {
#pragma unroll
    for (int i = 0; i < ROLLING_EACH; i++)
      sum[i] = piece[i];
  } else if (S::rows & size) {
    rolling_beside<size> (sum, beside);
#pragma unroll
    for (int i = 0; i < ROLLING_EACH; i++)
      sum[i] = beside[i] + piece[i];
  }
  if constexpr (LEVEL < S::levels) {
    rolling_beside<size> (piece, beside);
#pragma unroll
    for (int i = 0; i < ROLLING_EACH; i++)
      piece[i] += beside[i];
    roll_row<RADIUS, LEVEL + 1> (piece, sum);
  }
}

/* A lane's sums are of columns x + RADIUS on: it writes columns from x + before on. */
template <int RADIUS>
__device__ __forceinline__ void
store_rolling (const rolling_job &j, int64_t z, int64_t y, int64_t x, const double (&sum)[ROLLING_EACH])
{
  typedef rolling_shape<RADIUS> S;
  const int lane = (int) threadIdx.x % 32;
  float own[ROLLING_EACH], r[ROLLING_EACH];
#pragma unroll
  for (int i = 0; i < ROLLING_EACH; i++)
    own[i] = (float) fma (sum[i], j.inverse, 0.); /* 0 where it is -0 */
#pragma unroll
  for (int i = 0; i < ROLLING_EACH; i++)
    r[i] = i < S::part ? __shfl_sync (~0u, own[(i - S::part) & (ROLLING_EACH - 1)], lane - 1)
                       : own[(i - S::part) & (ROLLING_EACH - 1)];
  if (lane < S::first || lane >= S::first + S::lanes || y >= j.out.rows)
    return;
  x += S::before;
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
  int64_t x = (strip - line * j.across) * S::width + ((int) threadIdx.x % 32 - S::first) * ROLLING_EACH - S::before;
  int64_t y = (line - z * j.down) * ROLLING_BLOCKS * S::once;
  if (z >= j.image.in.planes)
    return;
  rolling_source from = {j.image.in.row (z, 0),
                         j.image.in.row_stride,
                         j.in_aligned && x >= 0 && x + ROLLING_EACH <= j.image.in.columns,
                         {},
                         j.image.outside};
#pragma unroll
  for (int i = 0; i < ROLLING_EACH; i++)
    from.x[i] = (int32_t) j.image.source_index (x + i, j.image.in.columns);
  rolling_column<RADIUS> columns[ROLLING_EACH] = {};
  rolling_row rows[S::rows - 1 < ROLLING_READ ? (int) ROLLING_READ : S::rows - 1];
  load_rolling<S::rows - 1> (j, from, y - RADIUS, rows);
#pragma unroll
  for (int k = 0; k < S::rows - 1; k++)
#pragma unroll
    for (int i = 0; i < ROLLING_EACH; i++)
      columns[i].add (k, (double) rows[k].v[i]);
#pragma unroll 1
  for (int block = 0; block < ROLLING_BLOCKS && y < j.out.rows; block++) {
#pragma unroll
    for (int k = 0; k < S::once; k++, y++) {
      double column[ROLLING_EACH], sum[ROLLING_EACH];
      if (k % ROLLING_READ == 0)
        load_rolling<ROLLING_READ> (j, from, y + RADIUS, rows);
#pragma unroll
      for (int i = 0; i < ROLLING_EACH; i++)
        column[i] = columns[i].add (S::rows - 1 + k, (double) rows[k % ROLLING_READ].v[i]);
      roll_row<RADIUS> (column, sum);
      store_rolling<RADIUS> (j, z, y, x, sum);
    }
  }
}

template <int RADIUS>
static fv_status
start_rolling (const fv_call *call, rolling_job *j, fv_error *error)
{
  typedef rolling_shape<RADIUS> S;
  j->across = blocks_for (j->out.columns, S::width);
  j->down = blocks_for (j->out.rows, ROLLING_BLOCKS * S::once);
  int64_t strips = j->out.planes * j->down * j->across;
  return cuda_status (
    launch (rolling_kernel<RADIUS>, blocks_for (strips, ROLLING_THREADS / 32), ROLLING_THREADS, 0, call, *j),
    "Sums over squares", error);
}

/* *done says whether it is such a mean. */
static fv_status
run_rolling (const fv_call *call, bool *done, fv_error *error)
{
  const neighborhood_args *a = (const neighborhood_args *) call->args;
  rolling_job j = {bordered_input<float> (call), view_of<float> (call->outputs[0])};
  j.in_aligned = rows_aligned (call->inputs[0], 16);
  j.out_aligned = rows_aligned (call->outputs[0], 16);
  j.inverse = 1 / (double) neighborhood_count (a);
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

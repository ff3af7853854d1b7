/* SPDX-License-Identifier: MIT
 *
 * Patches in double, added up in the order of the CPU version and without fused products, so that the sums are the same.
 *
 * - widen: a thread a pixel of a plane with its margin; reads and writes it once.
 * - move: a warp a tile of A, 32 - 2 radius columns and 8 rows, for all displacements by some rows; a lane has a column of
 *   squares, gets the others of a sum from its neighbours, and keeps sums and best ones in registers. Reads 2 channels values for a row,
 *   from the caches; reads and writes 16 bytes for a pixel. No barrier.
 * - settle: a thread a pixel of A; reads the best of each share of the displacements, writes the results.
 */
#ifndef KERNELS_PATCH_DOUBLES_CUH
#define KERNELS_PATCH_DOUBLES_CUH

#include "kernels/patch/matching.cuh"

enum { MOVE_ROWS = 8, MOVE_THREADS = 128, MOVE_BEST = 1 << 22, MOVE_SHARES = 32 };
static const double LAUNCH_SUMS = 0x1p37; /* products and sums in a launch */

/* The best pixel of B so far. */
struct move_best {
  double distance;
  int x, y;
};

/* Planes with a margin of the radius. */
struct moving {
  channels_of<double> a, b; /* sizes without the margins */
  int channels;
  move_best *best;    /* shares x pixels of A */
  int64_t first, end; /* displacements by rows, in all shares */
};

template <typename T>
__global__ static void __launch_bounds__ (256)
  widen (channels_of<const T> in, channels_of<double> out, int radius, int channels)
{
  int64_t columns = in.columns + 2 * radius, rows = in.rows + 2 * radius;
  for (int64_t i = (int64_t) blockIdx.x * 256 + threadIdx.x; i < columns * rows * channels;
       i += (int64_t) gridDim.x * 256) {
    int64_t x = i % columns, y = i / columns % rows, c = i / columns / rows;
    out.data[c * out.channel_stride + y * out.row_stride + x] = (double) in.nearest ((int) c, y - radius, x - radius);
  }
}

__global__ static void __launch_bounds__ (256) clear_best (move_best *best, int64_t n)
{
  for (int64_t i = (int64_t) blockIdx.x * 256 + threadIdx.x; i < n; i += (int64_t) gridDim.x * 256)
    best[i] = {INFINITY, -1, -1};
}

template <int RADIUS>
__global__ static void
__launch_bounds__ (MOVE_THREADS) move (moving m)
{
  const int useful = 32 - 2 * RADIUS;
  int lane = threadIdx.x % 32;
  int64_t tiles = (m.a.columns + useful - 1) / useful, share = blockIdx.y;
  int64_t tile = (int64_t) blockIdx.x * (MOVE_THREADS / 32) + threadIdx.x / 32;
  int64_t x = tile % tiles * useful + lane, y = tile / tiles * MOVE_ROWS;
  int64_t most_x = m.b.columns + 2 * RADIUS - 1, most_y = m.b.rows + 2 * RADIUS - 1;
  int64_t begin = m.first + (m.end - m.first) * share / gridDim.y,
          end = m.first + (m.end - m.first) * (share + 1) / gridDim.y;
  move_best *best = m.best + share * m.a.rows * m.a.columns;
  bool is = lane < useful && x < m.a.columns;
  move_best kept[MOVE_ROWS];
  if (y >= m.a.rows)
    return;
#pragma unroll
  for (int j = 0; j < MOVE_ROWS; j++)
    kept[j] = is && y + j < m.a.rows ? best[(y + j) * m.a.columns + x] : move_best{-1, -1, -1};
  int64_t column_a = min (x, m.a.columns + 2 * RADIUS - 1), first_x = -(tile % tiles * useful + useful - 1);
  for (int64_t dy = max (begin, -(y + MOVE_ROWS - 1)); dy < min (end, m.b.rows - y); dy++)
    for (int64_t dx = first_x; dx < m.b.columns - tile % tiles * useful; dx++) {
      int64_t column_b = min (max (x + dx, (int64_t) 0), most_x);
      bool here = x + dx >= 0 && x + dx < m.b.columns;
      double sums[MOVE_ROWS];
#pragma unroll
      for (int i = 0; i < MOVE_ROWS + 2 * RADIUS; i++) {
        const double *a = m.a.data + min (y + i, m.a.rows + 2 * RADIUS - 1) * m.a.row_stride + column_a;
        const double *b = m.b.data + min (max (y + dy + i, (int64_t) 0), most_y) * m.b.row_stride + column_b;
        double square = 0, sum;
        for (int c = 0; c < m.channels; c++) {
          double d = __dsub_rn (a[c * m.a.channel_stride], b[c * m.b.channel_stride]);
          square = c ? __dadd_rn (square, __dmul_rn (d, d)) : __dmul_rn (d, d);
        }
        sum = square;
#pragma unroll
        for (int k = 1; k <= 2 * RADIUS; k++)
          sum = __dadd_rn (sum, __shfl_down_sync (~0u, square, k));
#pragma unroll
        for (int j = 0; j < MOVE_ROWS; j++)
          if (j <= i && i <= j + 2 * RADIUS)
            sums[j] = i == j ? sum : __dadd_rn (sums[j], sum);
      }
#pragma unroll
      for (int j = 0; j < MOVE_ROWS; j++)
        if (here && y + dy + j >= 0 && y + dy + j < m.b.rows && sums[j] < kept[j].distance)
          kept[j] = {sums[j], (int) (x + dx), (int) (y + dy + j)};
    }
#pragma unroll
  for (int j = 0; j < MOVE_ROWS; j++)
    if (is && y + j < m.a.rows)
      best[(y + j) * m.a.columns + x] = kept[j];
}

__global__ static void __launch_bounds__ (256) settle (const move_best *best, int shares, channels_of<int32_t> to_x,
                                                       channels_of<int32_t> to_y, channels_of<double> distance)
{
  int64_t n = to_x.rows * to_x.columns;
  for (int64_t i = (int64_t) blockIdx.x * 256 + threadIdx.x; i < n; i += (int64_t) gridDim.x * 256) {
    move_best b = best[i];
    for (int share = 1; share < shares; share++) {
      move_best other = best[share * n + i];
      bool before = other.y < b.y || (other.y == b.y && other.x < b.x);
      if (other.distance < b.distance || (other.distance == b.distance && before))
        b = other;
    }
    int64_t y = i / to_x.columns, x = i % to_x.columns;
    to_x.data[y * to_x.row_stride + x] = b.x;
    to_y.data[y * to_y.row_stride + x] = b.y;
    distance.data[y * distance.row_stride + x] = b.x < 0 ? (double) NAN : b.distance;
  }
}

static inline unsigned
many_blocks (int64_t threads)
{
  return (unsigned) min (blocks_for (threads, 256), 32 * (int64_t) multiprocessors ());
}

/* Memory for a plane in double, with its margin. */
static inline fv_status
take_wide (const matching &m, const fv_array *of, channels_of<double> *wide, fv_error *error)
{
  wide->rows = array_rows (of);
  wide->columns = array_columns (of);
  wide->row_stride = wide->columns + 2 * m.radius;
  wide->channel_stride = (wide->rows + 2 * m.radius) * wide->row_stride;
  return cuda_scratch (m.call, (size_t) (m.channels * wide->channel_stride), &wide->data, error);
}

static inline void
widen_on (const matching &m, const fv_array *from, int64_t z, const channels_of<double> &to)
{
  with_type (from->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    widen<T><<<many_blocks (m.channels * to.channel_stride), 256, 0, cuda_stream (m.call)>>> (
      patch_plane<const T> (from, z), to, m.radius, m.channels);
  });
}

static inline void
move_on (const matching &m, const moving &mv, int shares)
{
  int64_t tiles = blocks_for (mv.a.columns, 32 - 2 * m.radius) * blocks_for (mv.a.rows, MOVE_ROWS);
  dim3 grid ((unsigned) blocks_for (tiles, MOVE_THREADS / 32), (unsigned) shares);
  cudaStream_t stream = cuda_stream (m.call);
  switch (m.radius) {
  case 1: move<1><<<grid, MOVE_THREADS, 0, stream>>> (mv); break;
  case 2: move<2><<<grid, MOVE_THREADS, 0, stream>>> (mv); break;
  case 3: move<3><<<grid, MOVE_THREADS, 0, stream>>> (mv); break;
  case 4: move<4><<<grid, MOVE_THREADS, 0, stream>>> (mv); break;
  case 5: move<5><<<grid, MOVE_THREADS, 0, stream>>> (mv); break;
  case 6: move<6><<<grid, MOVE_THREADS, 0, stream>>> (mv); break;
  default: move<7><<<grid, MOVE_THREADS, 0, stream>>> (mv); break;
  }
}

/* All displacements of a plane, in several launches where that takes long. */
static inline fv_status
move_all (const matching &m, moving mv, int shares, int64_t z, fv_error *error)
{
  int64_t all = mv.a.rows + mv.b.rows - 1, first = 1 - mv.a.rows;
  double pairs = (double) mv.a.rows * (double) mv.a.columns * (double) mv.b.rows * (double) mv.b.columns;
  int64_t launches = min ((int64_t) ceil (pairs * (3 * m.channels + 4 * m.radius + 8) / LAUNCH_SUMS), all);
  for (int64_t i = 0; i < launches; i++) {
    mv.first = first + all * i / launches;
    mv.end = first + all * (i + 1) / launches;
    if (next_launch (m, z, i, launches, error))
      return error->code;
    move_on (m, mv, shares);
  }
  return FV_OK;
}

static inline fv_status
match_doubles (const matching &m, fv_error *error)
{
  const fv_array *a = m.call->inputs[0], *b = m.call->inputs[1], *const *out = m.call->outputs;
  int64_t pixels = array_rows (a) * array_columns (a);
  int shares = (int) max (min (min ((int64_t) MOVE_SHARES, MOVE_BEST / pixels), array_rows (b)), (int64_t) 1);
  cudaStream_t stream = cuda_stream (m.call);
  moving mv = {};
  mv.channels = m.channels;
  if (take_wide (m, a, &mv.a, error) || take_wide (m, b, &mv.b, error)
      || cuda_scratch (m.call, (size_t) (shares * pixels), &mv.best, error))
    return error->code;
  for (int64_t z = 0; z < m.depth; z++) {
    widen_on (m, a, z, mv.a);
    widen_on (m, b, patch_match_plane (b->grid, z), mv.b);
    clear_best<<<many_blocks (shares * pixels), 256, 0, stream>>> (mv.best, shares * pixels);
    if (move_all (m, mv, shares, z, error))
      return error->code;
    settle<<<many_blocks (pixels), 256, 0, stream>>> (mv.best, shares, patch_plane<int32_t> (out[0], z),
                                                      patch_plane<int32_t> (out[1], z),
                                                      patch_plane<double> (out[2], z));
  }
  return cuda_status (cudaGetLastError (), "Matching patches", error);
}

#endif

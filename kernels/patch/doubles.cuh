/* SPDX-License-Identifier: MIT
 *
 * Patches in double, added up in the order of the CPU version and without fused products, so that the sums are the same.
 *
 * - widen: a thread a pixel of a plane with its margin; reads and writes it once.
 * - move: a warp a tile of A, 32 - 2 radius columns and 4 rows, for all displacements by some rows. A lane has a column of A and of
 *   squares, gets the others of a sum from its neighbors, and keeps sums and best ones in registers. Reads `channels` values of B for a
 *   row, from the caches; reads and writes 16 bytes for a pixel. No barrier.
 * - settle: a thread a pixel of A; reads the best of each share of the displacements, writes the results.
 */
#ifndef KERNELS_PATCH_DOUBLES_CUH
#define KERNELS_PATCH_DOUBLES_CUH

#include "kernels/patch/matching.cuh"

enum { MOVE_ROWS = 4, MOVE_THREADS = 128, MOVE_BEST = 1 << 22, MOVE_SHARES = 32 };
static const double LAUNCH_SUMS = 0x1p37; /* products and sums in a launch */

/* The best pixel of B so far. */
struct move_best {
  double distance;
  int x, y;
};

/* A plane with all its channels and so large a margin that whole tiles can be read at each displacement. */
struct wide_plane {
  double *data, *corner; /* corner: `radius` rows above and columns left of the first pixel */
  int64_t rows, columns; /* without the margin */
  int64_t channel_stride, row_stride;
};

struct moving {
  wide_plane a, b;
  move_best *best;    /* shares x pixels of A */
  int64_t first, end; /* displacements by rows, in all shares */
};

template <typename T>
__global__ static void __launch_bounds__ (256) widen (channels_of<const T> in, wide_plane out, int64_t n, int radius)
{
  for (int64_t i = (int64_t) blockIdx.x * 256 + threadIdx.x; i < n; i += (int64_t) gridDim.x * 256) {
    int64_t c = i / out.channel_stride, y = i % out.channel_stride / out.row_stride, x = i % out.row_stride;
    out.data[i] = (double) in.nearest ((int) c, y - radius - MOVE_ROWS, x - radius - 32);
  }
}

__global__ static void __launch_bounds__ (256) clear_best (move_best *best, int64_t n)
{
  for (int64_t i = (int64_t) blockIdx.x * 256 + threadIdx.x; i < n; i += (int64_t) gridDim.x * 256)
    best[i] = {INFINITY, -1, -1};
}

/* Blocks to a multiprocessor, so few that its column of A stays in a thread's registers. */
constexpr int
move_blocks (int radius, int channels)
{
  int values = (MOVE_ROWS + 2 * radius) * channels;
  return values <= 12 ? 4 : values <= 24 ? 3 : 2;
}

/* While it runs, `kept` has displacements instead of pixels of B. */
template <int RADIUS, int CHANNELS>
__global__ static void
__launch_bounds__ (MOVE_THREADS, move_blocks (RADIUS, CHANNELS)) move (moving m)
{
  const int useful = 32 - 2 * RADIUS;
  int64_t tiles = (m.a.columns + useful - 1) / useful, share = blockIdx.y;
  int64_t tile = (int64_t) blockIdx.x * (MOVE_THREADS / 32) + threadIdx.x / 32;
  int64_t left = tile % tiles * useful, y = tile / tiles * MOVE_ROWS, x = left + threadIdx.x % 32;
  int64_t begin = m.first + (m.end - m.first) * share / gridDim.y,
          end = m.first + (m.end - m.first) * (share + 1) / gridDim.y;
  move_best *best = m.best + share * m.a.rows * m.a.columns;
  bool is = x < left + useful && x < m.a.columns;
  move_best kept[MOVE_ROWS];
  if (y >= m.a.rows)
    return;
#pragma unroll
  for (int j = 0; j < MOVE_ROWS; j++) {
    kept[j] = is && y + j < m.a.rows ? best[(y + j) * m.a.columns + x] : move_best{-1, -1, -1};
    kept[j].x -= (int) x, kept[j].y -= (int) y + j;
  }
  const double *a = m.a.corner + y * m.a.row_stride + x;
  for (int64_t dy = max (begin, 1 - y - MOVE_ROWS); dy < min (end, m.b.rows - y); dy++) {
    const double *b = m.b.corner + (y + dy) * m.b.row_stride + x;
    unsigned inside = 0; /* bit j: row j comes to a row of B */
    for (int j = 0; j < MOVE_ROWS; j++)
      inside |= (unsigned) (y + dy + j >= 0 && y + dy + j < m.b.rows) << j;
    for (int64_t dx = 1 - left - useful; dx < m.b.columns - left; dx++) {
      unsigned here = x + dx >= 0 && x + dx < m.b.columns ? inside : 0;
      const double *p = a, *q = b + dx;
      double sums[MOVE_ROWS];
#pragma unroll
      for (int i = 0; i < MOVE_ROWS + 2 * RADIUS; i++, p += m.a.row_stride, q += m.b.row_stride) {
        double square, sum;
#pragma unroll
        for (int c = 0; c < CHANNELS; c++) {
          double d = __dsub_rn (p[c * m.a.channel_stride], q[c * m.b.channel_stride]);
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
        if ((here >> j & 1) && sums[j] < kept[j].distance)
          kept[j] = {sums[j], (int) dx, (int) dy};
    }
  }
#pragma unroll
  for (int j = 0; j < MOVE_ROWS; j++)
    if (is && y + j < m.a.rows)
      best[(y + j) * m.a.columns + x] = {kept[j].distance, kept[j].x + (int) x, kept[j].y + (int) y + j};
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

static inline fv_status
take_wide (const matching &m, const fv_array *of, wide_plane *wide, fv_error *error)
{
  wide->rows = array_rows (of);
  wide->columns = array_columns (of);
  wide->row_stride = wide->columns + 2 * (m.radius + 32);
  wide->channel_stride = (wide->rows + 2 * (m.radius + MOVE_ROWS)) * wide->row_stride;
  fv_status status = cuda_scratch (m.call, (size_t) (m.channels * wide->channel_stride), &wide->data, error);
  wide->corner = wide->data + MOVE_ROWS * wide->row_stride + 32;
  return status;
}

static inline void
widen_on (const matching &m, const fv_array *from, int64_t z, const wide_plane &to)
{
  int64_t n = m.channels * to.channel_stride;
  with_type (from->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    widen<T><<<many_blocks (n), 256, 0, cuda_stream (m.call)>>> (patch_plane<const T> (from, z), to, n, m.radius);
  });
}

template <int RADIUS>
static inline void
move_channels (const matching &m, const moving &mv, dim3 grid)
{
  cudaStream_t stream = cuda_stream (m.call);
  switch (m.channels) {
  case 1: move<RADIUS, 1><<<grid, MOVE_THREADS, 0, stream>>> (mv); break;
  case 2: move<RADIUS, 2><<<grid, MOVE_THREADS, 0, stream>>> (mv); break;
  case 3: move<RADIUS, 3><<<grid, MOVE_THREADS, 0, stream>>> (mv); break;
  default: move<RADIUS, 4><<<grid, MOVE_THREADS, 0, stream>>> (mv); break;
  }
}

static inline void
move_on (const matching &m, const moving &mv, int shares)
{
  int64_t tiles = blocks_for (mv.a.columns, 32 - 2 * m.radius) * blocks_for (mv.a.rows, MOVE_ROWS);
  dim3 grid ((unsigned) blocks_for (tiles, MOVE_THREADS / 32), (unsigned) shares);
  switch (m.radius) {
  case 1: move_channels<1> (m, mv, grid); break;
  case 2: move_channels<2> (m, mv, grid); break;
  case 3: move_channels<3> (m, mv, grid); break;
  case 4: move_channels<4> (m, mv, grid); break;
  case 5: move_channels<5> (m, mv, grid); break;
  case 6: move_channels<6> (m, mv, grid); break;
  default: move_channels<7> (m, mv, grid); break;
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

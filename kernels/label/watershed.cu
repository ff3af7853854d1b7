/* SPDX-License-Identifier: MIT
 *
 * watershed on the GPU: no flood, but its definition (watershed.h). Each pixel has the (M, D) that has reached it, as one 64-bit number, and a label.
 * It takes the best of its neighbors until nothing changes. (M, D) only falls, and a label follows from those of smaller (M, D): neither depends on
 * the order. A tile of 32 x 32 does so in shared memory until it no longer changes, and opens the tiles around it for the next round. It sees what
 * other blocks write meanwhile at any time.
 *
 * - start_flood, by items.cuh: reads a pixel, marker and mask, writes 16 bytes.
 * - flood_kernel: 256 threads an open tile; reads 14 bytes a pixel, in volumes those of 18 more, and writes 12 for those that changed. Two barriers a
 *   step.
 * - Last, by items.cuh: reads 4 bytes, with a line those of neighbors, writes 4.
 * - After each few rounds the host reads whether any tile is left.
 */
#include "kernels/label/watershed.h"

#include "kernels/common/items.cuh"
#include "kernels/common/keys.cuh"

enum { THREADS = 256, TILE = 32, LINES = THREADS / TILE, EACH = TILE / LINES, SIDE = TILE + 2, ROUNDS = 8 };

/* The label of pixels that are not flooded; 0: no label has come. */
enum { NOWHERE = -1 };

typedef unsigned long long levels; /* M in the upper half, D in the lower */

#define UNREACHED (~(levels) 0)

struct watershed_map {
  uint32_t *keys;
  levels *reached;
  int32_t *labels;
  int64_t planes, rows, columns, across, down; /* tiles */
  view<const int32_t> markers;                 /* markers keep what they have from the start */
  watershed_neighbors near;
  int reach[9];         /* how far neighbors reach along the rows dz * 3 + dy + 4 away; -1: none there */
  uint8_t *open, *next; /* tiles: to be done in this round, and in the next */
  int *left;            /* whether any is open in the next */
};

/* The index of a pixel's neighbor; -1 outside the image. */
__device__ __forceinline__ int64_t
neighbor_at (const watershed_map &m, int k, int64_t z, int64_t y, int64_t x)
{
  z += m.near.z[k], y += m.near.y[k], x += m.near.x[k];
  bool outside = z < 0 || z >= m.planes || y < 0 || y >= m.rows || x < 0 || x >= m.columns;
  return outside ? -1 : (z * m.rows + y) * m.columns + x;
}

/* ---- Start and finish ---- */

template <typename T>
__device__ __forceinline__ uint32_t
flood_key (T v)
{
  if constexpr (std::is_integral<T>::value)
    return key_of (v);
  else
    return watershed_key ((float) v);
}

template <typename T> struct start_flood {
  watershed_map m;
  view<const T> image;
  view<const uint8_t> mask;
  bool invert;

  __device__ void operator() (int64_t i) const
  {
    const pixel_position p = position_of (m, i);
    const T v = image.row (p.z, p.y)[p.x];
    const uint32_t key = invert ? ~flood_key (v) : flood_key (v);
    const int32_t marker = m.markers.row (p.z, p.y)[p.x];
    const bool outside = v != v || marker < 0 || (mask.data && !mask.row (p.z, p.y)[p.x]);
    m.keys[i] = key;
    m.labels[i] = outside ? NOWHERE : marker;
    m.reached[i] = outside || !marker ? UNREACHED : (levels) key << 32;
  }
};

/* ---- Tiles ---- */

/* What comes to a pixel: the least of its neighbors. */
struct flood_best {
  levels reached;
  int32_t label;

  __device__ __forceinline__ void take (levels r, int32_t l)
  {
    if (r < reached || (r == reached && l < label))
      reached = r, label = l;
  }
};

/* A tile and the pixels around it. */
struct flood_tile {
  levels reached[SIDE][SIDE];
  int32_t labels[SIDE][SIDE];
};

__device__ static void
load_flood_tile (flood_tile &t, const watershed_map &m, int64_t z, int64_t top, int64_t left)
{
  for (int i = threadIdx.x; i < SIDE * SIDE; i += THREADS) {
    int64_t y = top + i / SIDE - 1, x = left + i % SIDE - 1, at = (z * m.rows + y) * m.columns + x;
    bool outside = y < 0 || y >= m.rows || x < 0 || x >= m.columns;
    t.reached[i / SIDE][i % SIDE] = outside ? UNREACHED : __ldcg (m.reached + at);
    t.labels[i / SIDE][i % SIDE] = outside ? NOWHERE : __ldcg (m.labels + at);
  }
}

/* From the planes before and after. */
__device__ static flood_best
best_of_planes (const watershed_map &m, int64_t z, int64_t y, int64_t x)
{
  flood_best best = {UNREACHED, 0};
#pragma unroll 1
  for (int k = 0; k < m.near.n; k++) {
    int64_t at = m.near.z[k] ? neighbor_at (m, k, z, y, x) : -1;
    if (at >= 0)
      best.take (__ldcg (m.reached + at), __ldcg (m.labels + at));
  }
  return best;
}

/* From the pixel's own plane; y and x are its position in the tile. */
__device__ __forceinline__ flood_best
best_of_tile (const flood_tile &t, const watershed_map &m, int y, int x, flood_best best)
{
#pragma unroll
  for (int dy = -1; dy <= 1; dy++)
#pragma unroll
    for (int dx = -1; dx <= 1; dx++)
      if ((dx || dy) && abs (dx) <= m.reach[4 + dy])
        best.take (t.reached[y + 1 + dy][x + 1 + dx], t.labels[y + 1 + dy][x + 1 + dx]);
  return best;
}

/* Opens the tiles around one; done by 27 threads. */
__device__ static void
open_tiles_around (const watershed_map &m, int64_t z, int64_t down, int64_t across)
{
  int i = threadIdx.x;
  if (i >= 27 || i == 13 || (i / 9 != 1 && m.reach[1] < 0))
    return;
  z += i / 9 - 1, down += i / 3 % 3 - 1, across += i % 3 - 1;
  if (z < 0 || z >= m.planes || down < 0 || down >= m.down || across < 0 || across >= m.across)
    return;
  m.next[(z * m.down + down) * m.across + across] = 1;
  *m.left = 1;
}

/* A thread has EACH pixels of a column. */
template <bool VOLUME>
__global__ static void
__launch_bounds__ (THREADS) flood_kernel (const __grid_constant__ watershed_map m)
{
  __shared__ flood_tile t;
  int64_t tile = blockIdx.x, line = tile / m.across, across = tile - line * m.across, z = line / m.down;
  int64_t down = line - z * m.down, top = down * TILE, column = across * TILE + threadIdx.x % TILE;
  int x = threadIdx.x % TILE, y[EACH];
  if (!m.open[tile])
    return;
  load_flood_tile (t, m, z, top, across * TILE);

  uint32_t keys[EACH];
  flood_best beside[EACH];
  bool open[EACH], written[EACH];
#pragma unroll
  for (int e = 0; e < EACH; e++) {
    y[e] = (int) threadIdx.x / TILE + e * LINES;
    int64_t at = (z * m.rows + top + y[e]) * m.columns + column;
    open[e] = column < m.columns && top + y[e] < m.rows && !m.markers.row (z, top + y[e])[column];
    open[e] = open[e] && __ldcg (m.labels + at) != NOWHERE;
    keys[e] = open[e] ? m.keys[at] : 0;
    beside[e] = VOLUME && open[e] ? best_of_planes (m, z, top + y[e], column) : flood_best{UNREACHED, 0};
    written[e] = false;
  }
  __syncthreads ();
  for (bool changed = true; __syncthreads_or (changed);) {
    levels reached[EACH];
    int32_t labels[EACH];
    changed = false;
#pragma unroll
    for (int e = 0; e < EACH; e++) {
      flood_best best = open[e] ? best_of_tile (t, m, y[e], x, beside[e]) : flood_best{UNREACHED, 0};
      levels key = keys[e];
      reached[e] = best.reached == UNREACHED ? UNREACHED : key > best.reached >> 32 ? key << 32 : best.reached + 1;
      labels[e] = best.label;
    }
    __syncthreads ();
#pragma unroll
    for (int e = 0; e < EACH; e++) {
      levels *own = &t.reached[y[e] + 1][x + 1];
      int32_t *label = &t.labels[y[e] + 1][x + 1];
      if (reached[e] == UNREACHED || (reached[e] == *own && labels[e] == *label))
        continue;
      *own = reached[e];
      *label = labels[e];
      written[e] = changed = true;
    }
  }
  bool spread = false;
#pragma unroll
  for (int e = 0; e < EACH; e++) {
    int64_t at = (z * m.rows + top + y[e]) * m.columns + column;
    if (!written[e])
      continue;
    __stcg (m.reached + at, t.reached[y[e] + 1][x + 1]);
    __stcg (m.labels + at, t.labels[y[e] + 1][x + 1]);
    spread |= VOLUME || x == 0 || x == TILE - 1 || y[e] == 0 || y[e] == TILE - 1;
  }
  if (__syncthreads_or (spread))
    open_tiles_around (m, z, down, across);
}

/* ---- Host ---- */

/* Rounds until no tile is open. */
static fv_status
run_rounds (const fv_call *call, watershed_map m, fv_error *error)
{
  cudaStream_t stream = cuda_stream (call);
  int64_t tiles = m.planes * m.across * m.down;
  int left = 1;
  fv_status status = cuda_status (cudaMemsetAsync (m.open, 1, (size_t) tiles, stream), "Watershed", error);
  for (int64_t round = 0; left && !status; round++) {
    cudaMemsetAsync (m.next, 0, (size_t) tiles, stream);
    cudaMemsetAsync (m.left, 0, sizeof *m.left, stream);
    if (m.reach[1] >= 0)
      flood_kernel<true><<<(unsigned) tiles, THREADS, 0, stream>>> (m);
    else
      flood_kernel<false><<<(unsigned) tiles, THREADS, 0, stream>>> (m);
    status = cuda_status (cudaGetLastError (), "Watershed", error);
    uint8_t *done = m.open;
    m.open = m.next;
    m.next = done;
    if (status || round % ROUNDS != ROUNDS - 1)
      continue;
    status = call->host->read (call, &left, m.left, sizeof left, error);
    if (!status && call->host->tick (call, 0, 1))
      status = cancelled (error);
  }
  return status;
}

static fv_status
make_watershed_map (const fv_call *call, watershed_map *m, fv_error *error)
{
  const watershed_args *a = (const watershed_args *) call->args;
  const label_args like = {a->connectivity, 0, 0, 0, false, a->volume, 0};
  const fv_array *image = call->inputs[WATERSHED_IMAGE];
  *m = {};
  m->planes = array_planes (image), m->rows = array_rows (image), m->columns = array_columns (image);
  m->across = blocks_for (m->columns, TILE), m->down = blocks_for (m->rows, TILE);
  m->markers = view_of<const int32_t> (call->inputs[WATERSHED_MARKERS]);
  m->near = watershed_neighbors_of (a);
  for (int i = 0; i < 9; i++)
    m->reach[i] = label_reach (&like, i / 3 - 1, i % 3 - 1);
  int64_t tiles = m->planes * m->across * m->down;
  if (tiles > INT32_MAX)
    return fail (error, FV_UNSUPPORTED, "image", "The image has too many pixels for one call.");
  size_t pixels = (size_t) (m->planes * m->rows * m->columns);
  fv_status status = cuda_scratch (call, pixels, &m->reached, error);
  if (!status)
    status = cuda_scratch (call, pixels, &m->keys, error);
  if (!status)
    status = cuda_scratch (call, pixels, &m->labels, error);
  if (!status)
    status = cuda_scratch (call, 1, &m->left, error);
  if (!status)
    status = cuda_scratch (call, 2 * (size_t) tiles, &m->open, error);
  m->next = m->open + tiles;
  return status;
}

extern "C" fv_status
watershed_cuda (const fv_call *call, fv_error *error)
{
  const watershed_args *a = (const watershed_args *) call->args;
  const fv_array *image = call->inputs[WATERSHED_IMAGE], *mask = call->inputs[WATERSHED_MASK];
  const view<int32_t> out = view_of<int32_t> (call->outputs[0]);
  watershed_map m;
  fv_status status = make_watershed_map (call, &m, error);
  if (status)
    return status;
  const int64_t pixels = m.planes * m.rows * m.columns;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  with_type (image->grid->type, [&] (auto zero) {
    typedef decltype (zero) T;
    const view<const uint8_t> inside = mask ? view_of<const uint8_t> (mask) : view<const uint8_t>{};
    items_launch (call, pixels, start_flood<T>{m, view_of<const T> (image), inside, a->invert});
  });
  if ((status = cuda_status (cudaGetLastError (), "Watershed", error)) || (status = run_rounds (call, m, error)))
    return status;
  items_launch (call, pixels, [=, part = a->line] __device__ (int64_t i) {
    const pixel_position p = position_of (m, i);
    const int32_t label = m.labels[i];
    int32_t least = label;
    for (int k = 0; k < m.near.n && part; k++) {
      const int64_t at = neighbor_at (m, k, p.z, p.y, p.x);
      least = at >= 0 && m.labels[at] > 0 ? min (least, m.labels[at]) : least;
    }
    out.row (p.z, p.y)[p.x] = label > 0 && least == label ? label : 0;
  });
  return cuda_status (cudaGetLastError (), "Watershed", error);
}

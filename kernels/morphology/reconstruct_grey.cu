/* SPDX-License-Identifier: MIT
 *
 * reconstruct_grey on the GPU: tiles of 32 x 32 pixels; those whose surroundings have changed are computed. The kernel raise_kernel loads a tile with
 * its border into shared memory, lets it grow there until nothing changes, and opens the tiles next to changes for the next round. What other blocks
 * write meanwhile is seen now or in the next round: pixels only ever grow. To let it grow, a warp sweeps over it down, up, to the right and to the
 * left, line by line: each pixel takes what comes from its neighbors in the line before.
 *
 * - The kernel of rows.cuh: 256 threads, a row for each block in turn; reads two pixels, writes one.
 * - raise_kernel: a warp a tile, without waiting for others; reads 2.1 pixels (of volumes 4.4), 1 more, and writes those that changed.
 * - After each few rounds the host reads whether any tile is left.
 */
#include "kernels/morphology/reconstruct_grey.h"
#include "kernels/common/rows.cuh"

enum { GROW_SIDE = 32, GROW_PITCH = GROW_SIDE + 3, GROW_ROUNDS = 8 };

template <bool DOWN, typename T>
__device__ static bool
is_higher (T a, T b)
{
  return DOWN ? a < b : a > b;
}

/* Tiles, and which of them are open in this round and the next. */
struct grow_tiles {
  int64_t across, down, planes;
  const uint8_t *open;
  uint8_t *next;
  int *left;    /* whether any is open in the next */
  int reach[9]; /* in the rows dz * 3 + dy + 4 away; -1: none */
};

/* A tile in its frame, with an odd number of columns, so that those of a warp lie in different banks. */
template <typename T> struct grow_memory {
  T own[(GROW_SIDE + 2) * GROW_PITCH], limit[(GROW_SIDE + 2) * GROW_PITCH];
};

__device__ static int
gray_index (int y, int x)
{
  return (y + 1) * GROW_PITCH + x + 1;
}

/* What comes to a pixel from the planes before and after it, which stay as they are meanwhile. */
template <bool DOWN, typename T>
__device__ static T
from_planes (const view<T> &out, const grow_tiles &g, int64_t plane, int64_t y, int64_t x, T best)
{
#pragma unroll 1
  for (int i = 0; i < 9; i++) {
    int64_t z = plane + i / 3 - 1, other = y + i % 3 - 1;
    if (i / 3 == 1 || g.reach[i] < 0 || z < 0 || z >= out.planes || other < 0 || other >= out.rows)
      continue;
    const volatile T *row = out.row (z, other);
    for (int64_t at = x - g.reach[i]; at <= x + g.reach[i]; at++)
      if (at >= 0 && at < out.columns && is_higher<DOWN> ((T) row[at], best))
        best = row[at];
  }
  return best;
}

/* A sweep: a lane's first index, the step to its next one, and to the next lane's. */
struct grow_sweep {
  int at, step, across;
};

/* 0 ... 3: down, up, to the right, to the left. */
__device__ static grow_sweep
sweep_of (int i)
{
  int step = i < 2 ? GROW_PITCH : 1, across = i < 2 ? 1 : GROW_PITCH, first = i % 2 ? GROW_SIDE - 1 : 0;
  return {gray_index (0, 0) + first * step + (int) threadIdx.x * across, i % 2 ? -step : step, across};
}

/* Whether anything changed. A wall, NaN, is not higher than anything, and nothing is higher than it. */
template <bool DOWN, typename T>
__device__ static bool
sweep (grow_memory<T> &m, grow_sweep s, bool diagonal)
{
  bool changed = false;
#pragma unroll 4
  for (int i = 0; i < GROW_SIDE; i++, s.at += s.step) {
    const T *before = m.own + s.at - s.step;
    T own = m.own[s.at], best = is_higher<DOWN> (*before, own) ? *before : own;
    if (diagonal) {
      best = is_higher<DOWN> (before[-s.across], best) ? before[-s.across] : best;
      best = is_higher<DOWN> (before[s.across], best) ? before[s.across] : best;
    }
    best = is_higher<DOWN> (best, m.limit[s.at]) ? m.limit[s.at] : best;
    if (is_higher<DOWN> (best, own)) {
      m.own[s.at] = best;
      changed = true;
    }
    __syncwarp ();
  }
  return changed;
}

/* Lets the tile grow until nothing changes; whether anything did. */
template <bool DOWN, typename T>
__device__ static bool
grow_tile (grow_memory<T> &m, bool diagonal)
{
  bool any = false;
  for (int quiet = 0, i = 0; quiet < 4; i = (i + 1) % 4) {
    bool changed = __any_sync (~0u, sweep<DOWN> (m, sweep_of (i), diagonal));
    quiet = changed ? 1 : quiet + 1; /* what a sweep leaves does not change in the same one again */
    any |= changed;
  }
  return any;
}

/* Opens a tile, if there is one. */
__device__ static void
open_tile (const grow_tiles &g, int64_t z, int64_t y, int64_t x)
{
  if (z < 0 || z >= g.planes || y < 0 || y >= g.down || x < 0 || x >= g.across)
    return;
  g.next[(z * g.down + y) * g.across + x] = 1;
  *g.left = 1;
}

/* Opens the tiles next to pixels that have changed. Those of the first and the last row are rows[0] and [1], a bit each. left, right: whether one
 * at an end of a row has. Of a volume all tiles before and behind, too. */
__device__ static void
open_around (const grow_tiles &g, int64_t plane, int64_t ty, int64_t tx, const uint32_t (&rows)[2], bool left,
             bool right)
{
  int i = (int) threadIdx.x, dz = i / 9 - 1, dy = i / 3 % 3 - 1, dx = i % 3 - 1;
  uint32_t row = rows[dy > 0], ends = dx < 0 ? 1u : dx > 0 ? 1u << 31 : ~0u;
  bool beside = dy ? (row & ends) != 0 : dx < 0 ? left : right;
  if (i < 27 && i != 13 && (dz ? g.reach[1] >= 0 : beside))
    open_tile (g, plane + dz, ty + dy, tx + dx);
}

/* A tile and the pixels around it; what would lie outside the image is the nearest pixel inside, which brings nothing new. */
template <typename T>
__device__ static void
load_around (grow_memory<T> &m, const view<T> &out, int64_t plane, int64_t y0, int64_t x0)
{
  const int64_t ends[2] = {x0 + (int) threadIdx.x - 1, x0 + GROW_SIDE + (int) threadIdx.x - 1};
#pragma unroll 4
  for (int y = -1; y <= GROW_SIDE; y++) {
    int64_t from = y0 + y < 0 ? 0 : y0 + y >= out.rows ? out.rows - 1 : y0 + y;
    const volatile T *row = out.row (plane, from);
    T *to = m.own + gray_index (y, -1) + threadIdx.x;
    to[0] = row[ends[0] < 0 ? 0 : ends[0] >= out.columns ? out.columns - 1 : ends[0]];
    if (threadIdx.x < 2)
      to[GROW_SIDE] = row[ends[1] >= out.columns ? out.columns - 1 : ends[1]];
  }
}

/* How far the pixels of a tile may grow: outside the image not at all. In a volume they take what comes from other planes. */
template <bool DOWN, typename T>
__device__ static void
load_limits (grow_memory<T> &m, const view<const T> &mask, const view<T> &out, const grow_tiles &g, int64_t plane,
             int64_t y0, int64_t column)
{
#pragma unroll 4
  for (int y = 0; y < GROW_SIDE; y++) {
    int at = gray_index (y, (int) threadIdx.x);
    T own = m.own[at];
    bool inside = column < out.columns && y0 + y < out.rows;
    T limit = inside ? mask.row (plane, y0 + y)[column] : own;
    m.limit[at] = limit;
    if (inside && g.reach[1] >= 0) {
      T best = from_planes<DOWN> (out, g, plane, y0 + y, column, own);
      m.own[at] = is_higher<DOWN> (best, limit) ? limit : best;
    }
  }
}

/* A lane has a column. */
template <bool DOWN, typename T>
__global__ static void
__launch_bounds__ (GROW_SIDE) raise_kernel (view<const T> mask, view<T> out, const __grid_constant__ grow_tiles g)
{
  __shared__ grow_memory<T> m;
  int64_t tile = blockIdx.x, line = tile / g.across, tx = tile - line * g.across, plane = line / g.down;
  int64_t ty = line - plane * g.down, y0 = ty * GROW_SIDE, column = tx * GROW_SIDE + threadIdx.x;
  if (!g.open[tile])
    return;
  load_around (m, out, plane, y0, tx * GROW_SIDE);
  __syncwarp ();
  load_limits<DOWN> (m, mask, out, g, plane, y0, column);
  __syncwarp ();
  bool grown = grow_tile<DOWN> (m, g.reach[5] > 0);
  if (!grown && g.reach[1] < 0)
    return;
  uint32_t rows[2] = {0, 0}, changed = 0; /* bit y: the pixel of row y */
#pragma unroll 4
  for (int y = 0; y < GROW_SIDE; y++) {
    T now = m.own[gray_index (y, (int) threadIdx.x)];
    if (column >= out.columns || y0 + y >= out.rows || !is_higher<DOWN> (now, out.row (plane, y0 + y)[column]))
      continue;
    out.row (plane, y0 + y)[column] = now;
    changed |= 1u << y;
  }
  if (!__any_sync (~0u, changed != 0))
    return;
  rows[0] = __ballot_sync (~0u, changed & 1);
  rows[1] = __ballot_sync (~0u, changed >> (GROW_SIDE - 1));
  bool left = __shfl_sync (~0u, changed, 0) != 0, right = __shfl_sync (~0u, changed, GROW_SIDE - 1) != 0;
  open_around (g, plane, ty, tx, rows, left, right);
}

/* ---- The rounds ---- */

/* flags: two of tiles, in turn, and whether any is left. */
template <bool DOWN, typename T>
static fv_status
grow (const fv_call *call, grow_tiles g, uint8_t *flags, fv_error *error)
{
  const view<const T> seed = view_of<const T> (call->inputs[RECONSTRUCT_SEED]);
  const view<const T> mask = view_of<const T> (call->inputs[RECONSTRUCT_MASK]);
  const view<T> out = view_of<T> (call->outputs[0]);
  cudaStream_t stream = cuda_stream (call);
  int64_t tiles = g.across * g.down * g.planes;
  int left = 1;
  g.left = (int *) (flags + (2 * tiles + 7) / 8 * 8);
  /* The seed under the mask; NaN of either. */
  rows_launch (call, out, [=] __device__ (int64_t plane, int64_t y) {
    return [from = seed.row (plane, y), limit = mask.row (plane, y), to = out.row (plane, y)] (int64_t x) {
      to[x] = limit[x] != limit[x] || is_higher<DOWN> (from[x], limit[x]) ? limit[x] : from[x];
    };
  });
  fv_status status = cuda_status (cudaMemsetAsync (flags, 1, (size_t) tiles, stream), "Clearing", error);
  for (int64_t round = 0; left && !status; round++) {
    uint8_t *next = flags + (round % 2 ? 0 : tiles);
    g.open = flags + (round % 2 ? tiles : 0);
    g.next = next;
    cudaMemsetAsync (next, 0, (size_t) tiles, stream);
    cudaMemsetAsync (g.left, 0, sizeof *g.left, stream);
    raise_kernel<DOWN><<<(unsigned) tiles, GROW_SIDE, 0, stream>>> (mask, out, g);
    status = cuda_status (cudaGetLastError (), "Reconstructing", error);
    if (status || round % GROW_ROUNDS != GROW_ROUNDS - 1)
      continue;
    status = call->host->read (call, &left, g.left, sizeof left, error);
    if (!status && call->host->tick (call, 0, 1))
      status = cancelled (error);
  }
  return status;
}

fv_status
reconstruct_grey_cuda (const fv_call *call, fv_error *error)
{
  const reconstruct_grey_args *args = (const reconstruct_grey_args *) call->args;
  const fv_array *out = call->outputs[0];
  label_args neighbors = reconstruct_grey_neighbors (args);
  grow_tiles g = {blocks_for (array_columns (out), GROW_SIDE), blocks_for (array_rows (out), GROW_SIDE),
                  array_planes (out)};
  uint8_t *flags;
  for (int i = 0; i < 9; i++)
    g.reach[i] = label_reach (&neighbors, i / 3 - 1, i % 3 - 1);
  fv_status status = cuda_scratch (call, (size_t) (2 * g.across * g.down * g.planes) + 16, &flags, error);
  if (status)
    return status;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  with_type (out->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    status = args->method == RECONSTRUCT_BY_EROSION ? grow<true, T> (call, g, flags, error)
                                                    : grow<false, T> (call, g, flags, error);
  });
  return status;
}

/* SPDX-License-Identifier: MIT
 *
 * reconstruct_grey on the GPU: tiles of 32 x 32 pixels, of which those are done whose surroundings have changed. raise_kernel takes
 * a tile with its border into shared memory, lets it grow there until nothing changes, and opens the tiles around it for
 * the next round. What other blocks write meanwhile is seen now or in the next round: pixels only ever grow. What grows in a step
 * goes on along its whole row and column at once, by scans of the functions v -> min (limit, max (own, v)).
 *
 *   begin_kernel    256 threads, a row for each block in turn      reads two pixels, writes one
 *   raise_kernel    256 threads a tile, four barriers a step       reads 2.1 pixels (of volumes 4.4), writes those that changed
 * After each few rounds the host reads whether any tile is left.
 */
#include "kernels/morphology/reconstruct_grey.h"
#include "kernels/common/common.cuh"

enum { GROW_SIDE = 32, GROW_LINES = 8, GROW_ROUNDS = 8 };

template <bool DOWN, typename T>
__device__ static bool
is_higher (T a, T b)
{
  return DOWN ? a < b : a > b;
}

/* The seed under the mask; NaN of either. */
template <bool DOWN, typename T>
__global__ static void __launch_bounds__ (256) begin_kernel (view<const T> seed, view<const T> mask, view<T> out)
{
  for (int64_t line = blockIdx.x; line < out.planes * out.rows; line += gridDim.x) {
    int64_t plane = line / out.rows, y = line - plane * out.rows;
    const T *from = seed.row (plane, y), *limit = mask.row (plane, y);
    T *to = out.row (plane, y);
    for (int64_t x = threadIdx.x; x < out.columns; x += blockDim.x)
      to[x] = limit[x] != limit[x] || is_higher<DOWN> (from[x], limit[x]) ? limit[x] : from[x];
  }
}

/* Tiles, and which of them are open in this round and the next. */
struct grow_tiles {
  int64_t across, down, planes;
  const uint8_t *open;
  uint8_t *next;
  int *left;    /* whether any is open in the next */
  int reach[9]; /* in the rows dz * 3 + dy + 4 away; -1: none */
};

/* With an odd number of columns, so that those of a warp lie in different banks. */
template <typename T> struct grow_memory {
  T own[GROW_SIDE + 2][GROW_SIDE + 3], limit[GROW_SIDE][GROW_SIDE + 1];
};

/* ---- Lines ---- */

/* What a value becomes that comes through pixels: min (high, max (low, v)); pixels of 8 and 16 bits as int. */
template <bool DOWN, typename W> struct passage {
  W low, high;

  __device__ W through (W v) const
  {
    W best = is_higher<DOWN> (v, low) ? v : low;
    return is_higher<DOWN> (best, high) ? high : best;
  }
};

/* Through a wall comes what is lower than all. */
template <bool DOWN, typename W>
__device__ static W
lowest_value ()
{
  if constexpr (W (0.5) != 0)
    return DOWN ? INFINITY : -INFINITY;
  else
    return DOWN ? INT32_MAX : INT32_MIN;
}

/* Lets a line of 32 pixels grow in both directions, one for each lane; before, behind: the pixels at its ends. */
template <bool DOWN, typename T>
__device__ static void
grow_line (T *own, T limit, bool wall, T before, T behind)
{
  using W = decltype (T () + 0);
  const int lane = (int) threadIdx.x;
  W value = *own;
  for (int turn = 0; turn < 2; turn++) {
    passage<DOWN, W> all = {wall ? lowest_value<DOWN, W> () : value, wall ? lowest_value<DOWN, W> () : limit};
    for (int d = 1; d < 32; d *= 2) {
      W low = turn ? __shfl_down_sync (~0u, all.low, d) : __shfl_up_sync (~0u, all.low, d);
      W high = turn ? __shfl_down_sync (~0u, all.high, d) : __shfl_up_sync (~0u, all.high, d);
      if (turn ? lane + d < 32 : lane >= d)
        all = {all.through (low), all.through (high)};
    }
    W now = all.through (turn ? behind : before);
    if (!wall && is_higher<DOWN> (now, value))
      value = now;
  }
  if (!wall)
    *own = (T) value;
}

/* All rows of a tile, or all columns. */
template <bool DOWN, typename T>
__device__ static void
grow_lines (grow_memory<T> &m, bool columns, int64_t rows_inside, int64_t columns_inside)
{
  const int lane = (int) threadIdx.x;
  for (int i = (int) threadIdx.y; i < GROW_SIDE; i += GROW_LINES) {
    int y = columns ? lane : i, x = columns ? i : lane;
    T *own = &m.own[y + 1][x + 1], before = columns ? m.own[0][x + 1] : m.own[y + 1][0];
    T behind = columns ? m.own[GROW_SIDE + 1][x + 1] : m.own[y + 1][GROW_SIDE + 1];
    bool wall = y >= rows_inside || x >= columns_inside || *own != *own;
    grow_line<DOWN> (own, m.limit[y][x], wall, before, behind);
  }
}

/* ---- Tiles ---- */

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

/* The highest of a pixel and its neighbors in its plane. */
template <bool DOWN, typename T>
__device__ static T
from_tile (const grow_memory<T> &m, const grow_tiles &g, int y, int x, T best)
{
  for (int dy = -1; dy <= 1; dy++) {
    int reach = dy ? g.reach[4 + dy] : 1;
    for (int dx = -reach; dx <= reach; dx++) {
      T other = m.own[y + 1 + dy][x + 1 + dx];
      best = is_higher<DOWN> (other, best) ? other : best;
    }
  }
  return best;
}

/* Opens the tiles around one. */
__device__ static void
open_around (const grow_tiles &g, int64_t plane, int64_t ty, int64_t tx)
{
  int i = (int) (threadIdx.y * GROW_SIDE + threadIdx.x);
  int64_t z = plane + i / 9 - 1, y = ty + i / 3 % 3 - 1, x = tx + i % 3 - 1;
  if (i >= 27 || i == 13 || (i / 9 != 1 && g.reach[1] < 0) || z < 0 || z >= g.planes || y < 0 || y >= g.down || x < 0
      || x >= g.across)
    return;
  g.next[(z * g.down + y) * g.across + x] = 1;
  *g.left = 1;
}

/* A tile and the pixels around it; what would lie outside the image is the nearest pixel inside, which brings nothing new. */
template <typename T>
__device__ static void
load_around (grow_memory<T> &m, const view<T> &out, int64_t plane, int64_t y0, int64_t x0)
{
  for (int i = (int) (threadIdx.y * GROW_SIDE + threadIdx.x); i < (GROW_SIDE + 2) * (GROW_SIDE + 2); i += 256) {
    int64_t y = y0 + i / (GROW_SIDE + 2) - 1, x = x0 + i % (GROW_SIDE + 2) - 1;
    y = y < 0 ? 0 : y >= out.rows ? out.rows - 1 : y;
    x = x < 0 ? 0 : x >= out.columns ? out.columns - 1 : x;
    m.own[i / (GROW_SIDE + 2)][i % (GROW_SIDE + 2)] = ((const volatile T *) out.row (plane, y))[x];
  }
}

/* Each thread has four pixels of a column. */
template <bool DOWN, typename T>
__global__ static void __launch_bounds__ (256)
  raise_kernel (view<const T> mask, view<T> out, const __grid_constant__ grow_tiles g)
{
  __shared__ grow_memory<T> m;
  constexpr int each = GROW_SIDE / GROW_LINES;
  int64_t tile = blockIdx.x, line = tile / g.across, tx = tile - line * g.across, plane = line / g.down;
  int64_t ty = line - plane * g.down, y0 = ty * GROW_SIDE, column = tx * GROW_SIDE + threadIdx.x;
  int x = (int) threadIdx.x;
  if (!g.open[tile])
    return;
  load_around (m, out, plane, y0, tx * GROW_SIDE);
  __syncthreads ();

  T limit[each], first[each], come[each];
  bool inside[each];
#pragma unroll
  for (int k = 0; k < each; k++) {
    int y = (int) threadIdx.y + k * GROW_LINES;
    inside[k] = column < out.columns && y0 + y < out.rows;
    first[k] = m.own[y + 1][x + 1];
    limit[k] = inside[k] ? mask.row (plane, y0 + y)[column] : first[k];
    m.limit[y][x] = limit[k];
    come[k] = inside[k] && g.reach[1] >= 0 ? from_planes<DOWN> (out, g, plane, y0 + y, column, first[k]) : first[k];
  }
  for (;;) {
    bool changed = false;
#pragma unroll
    for (int k = 0; k < each; k++) {
      T best = from_tile<DOWN> (m, g, (int) threadIdx.y + k * GROW_LINES, x, come[k]);
      come[k] = is_higher<DOWN> (best, limit[k]) ? limit[k] : best;
    }
    __syncthreads ();
#pragma unroll
    for (int k = 0; k < each; k++) {
      T *own = &m.own[threadIdx.y + k * GROW_LINES + 1][x + 1];
      if (inside[k] && is_higher<DOWN> (come[k], *own)) {
        *own = come[k];
        changed = true;
      }
    }
    if (!__syncthreads_or (changed))
      break;
    grow_lines<DOWN> (m, false, out.rows - y0, out.columns - tx * GROW_SIDE);
    __syncthreads ();
    grow_lines<DOWN> (m, true, out.rows - y0, out.columns - tx * GROW_SIDE);
    __syncthreads ();
  }
  bool spread = false;
#pragma unroll
  for (int k = 0; k < each; k++) {
    int y = (int) threadIdx.y + k * GROW_LINES;
    T now = m.own[y + 1][x + 1];
    if (!inside[k] || !is_higher<DOWN> (now, first[k]))
      continue;
    out.row (plane, y0 + y)[column] = now;
    spread |= g.reach[1] >= 0 || x == 0 || x == GROW_SIDE - 1 || y == 0 || y == GROW_SIDE - 1;
  }
  if (__syncthreads_or (spread))
    open_around (g, plane, ty, tx);
}

/* ---- The rounds ---- */

/* flags: two of tiles, in turn, and whether any is left. */
template <bool DOWN, typename T>
static fv_status
grow (const fv_call *call, grow_tiles g, uint8_t *flags, fv_error *error)
{
  view<const T> mask = view_of<const T> (call->inputs[RECONSTRUCT_MASK]);
  view<T> out = view_of<T> (call->outputs[0]);
  cudaStream_t stream = cuda_stream (call);
  int64_t tiles = g.across * g.down * g.planes, lines = out.planes * out.rows, most = 32 * (int64_t) multiprocessors ();
  int left = 1;
  g.left = (int *) (flags + (2 * tiles + 7) / 8 * 8);
  begin_kernel<DOWN><<<(unsigned) (lines < most ? lines : most), 256, 0, stream>>> (
    view_of<const T> (call->inputs[RECONSTRUCT_SEED]), mask, out);
  fv_status status = cuda_status (cudaMemsetAsync (flags, 1, (size_t) tiles, stream), "Clearing", error);
  for (int64_t round = 0; left && !status; round++) {
    uint8_t *next = flags + (round % 2 ? 0 : tiles);
    g.open = flags + (round % 2 ? tiles : 0);
    g.next = next;
    cudaMemsetAsync (next, 0, (size_t) tiles, stream);
    cudaMemsetAsync (g.left, 0, sizeof *g.left, stream);
    raise_kernel<DOWN><<<(unsigned) tiles, dim3 (GROW_SIDE, GROW_LINES), 0, stream>>> (mask, out, g);
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

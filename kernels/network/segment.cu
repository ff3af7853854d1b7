/* SPDX-License-Identifier: MIT
 *
 * segment on the GPU: the run of segment_chain.c with its passes here. Those over pixels are kernels of items.cuh:
 * - segment_fill: a thread a pixel of a tile and channel; reads one pixel, or those that are averaged.
 * - segment_find: a thread a cell; the few that are stars add themselves to the list by an atomic.
 * - segment_spread_tile: a thread a pixel of the plane; reads 8 numbers of the output.
 * - segment_paint: seeds are cleared and numbered by a thread a pixel. Between them segment_paint_kernel has a warp for each shape, a lane a row, in
 *   blocks of 256 without a barrier. The first shape of a pixel is the smallest of an atomic minimum.
 * - segment_sum: segment_sum_kernel has a warp for each shape as well. Each lane adds integers, and then its sums to those of the shape by atomics.
 * - segment_count, segment_drop: a thread a pixel.
 */
#include "kernels/network/segment.h"
#include "kernels/common/items.cuh"
#include "kernels/network/segment_chain.h"

enum { THREADS = 256, WARP = 32 };

/* Shape i has the number i until segment_mask_kernel. */
__device__ static void
paint_seed (const segment_maps &maps, int64_t y, int64_t x, int64_t i)
{
  atomicMin (&maps.seeds[y * maps.columns + x], (int32_t) i);
}

/* Bits of bytes are set by atomics of the word around them: the arrays begin at a multiple of 4 bytes. */
__device__ static void
paint_reach (uint8_t *first, int64_t i)
{
  atomicOr ((unsigned *) (void *) (first + i / 4 * 4), 2u << (8 * (i % 4)));
}

template <typename F>
__device__ static void
each_inside (const star_polygon &p, const segment_maps &maps, F paint)
{
  for (int64_t y = (int64_t) p.top + threadIdx.x % WARP; y <= p.bottom; y += WARP) {
    int32_t columns[STAR_RAYS];
    const int n = y >= 0 && y < maps.rows ? star_crossings (&p, (int32_t) y, columns) : 0;
    for (int i = 0; i + 1 < n; i += 2)
      for (int64_t x = columns[i] < 0 ? 0 : columns[i]; x < columns[i + 1] && x < maps.columns; x++)
        paint (y, x);
  }
}

__global__ static void
__launch_bounds__ (THREADS)
  segment_paint_kernel (const segment_shape *shapes, int64_t n, segment_maps maps, uint8_t *mask, int64_t before)
{
  const int64_t i = ((int64_t) blockIdx.x * THREADS + threadIdx.x) / WARP;
  if (i >= n)
    return;
  const segment_shape &s = shapes[i];
  if (mask)
    each_inside (s.reach, maps, [&] (int64_t y, int64_t x) { paint_reach (mask, before + y * maps.columns + x); });
  each_inside (s.seed, maps, [&] (int64_t y, int64_t x) { paint_seed (maps, y, x, i); });
  if (threadIdx.x % WARP == 0 && s.y >= 0 && s.y < maps.rows && s.x >= 0 && s.x < maps.columns)
    paint_seed (maps, s.y, s.x, i);
}

__device__ static void
add_sum (int64_t *to, int64_t n)
{
  atomicAdd ((unsigned long long *) to, (unsigned long long) n);
}

__global__ static void
__launch_bounds__ (THREADS) segment_sum_kernel (segment_plane plane, const segment_shape *shapes, int64_t n,
                                                segment_maps maps, segment_sums *sums)
{
  const int64_t i = ((int64_t) blockIdx.x * THREADS + threadIdx.x) / WARP;
  segment_sums own = {0, 0, 0, 0};
  if (i >= n)
    return;
  each_inside (shapes[i].reach, maps, [&] (int64_t y, int64_t x) { segment_add_around (&own, &plane, &maps, y, x); });
  each_inside (shapes[i].seed, maps, [&] (int64_t y, int64_t x) { segment_add_inside (&own, &plane, &maps, y, x); });
  add_sum (&sums[i].inside, own.inside);
  add_sum (&sums[i].n_inside, own.n_inside);
  add_sum (&sums[i].around, own.around);
  add_sum (&sums[i].n_around, own.n_around);
}

/* ---- Host ---- */

static fv_status
segment_fill (const fv_call *call, const segment_plane *plane, const segment_tile *tile, const network_view *input,
              fv_error *error)
{
  const int64_t rows = input->channels * tile->rows;
  items_launch (call, rows * tile->columns, [p = *plane, t = *tile, to = *input] __device__ (int64_t i) {
    const int64_t row = i / t.columns, x = i - row * t.columns, channel = row / t.rows, y = row - channel * t.rows;
    network_row (&to, channel, y)[x] = segment_input (&p, channel, t.top + y, t.left + x);
  });
  return cuda_status (cudaGetLastError (), "segment", error);
}

static fv_status
segment_find (const fv_call *call, const segment_plane *plane, const segment_tile *tile, const network_view *output,
              star *stars, int32_t *n, fv_error *error)
{
  const int64_t rows = segment_cells (tile->y1, plane->cell) - tile->y0 / plane->cell,
                columns = segment_cells (tile->x1, plane->cell) - tile->x0 / plane->cell;
  const int64_t top = (tile->y0 - tile->top) / plane->cell, left = (tile->x0 - tile->left) / plane->cell;
  items_launch (call, rows * columns, [=, p = *plane, t = *tile, out = *output] __device__ (int64_t i) {
    const int64_t y = top + i / columns, x = left + i % columns;
    if (segment_is_star (&p, &t, &out, y, x))
      segment_take_star (&p, &t, &out, y, x, &stars[atomicAdd (n, 1)]);
  });
  return cuda_status (cudaGetLastError (), "segment", error);
}

static fv_status
segment_spread_tile (const fv_call *call, const segment_plane *plane, const segment_tile *tile,
                     const network_view *output, const segment_maps *to, fv_error *error)
{
  int64_t left, right, top, bottom;
  segment_range (plane->scale, tile->x0, tile->x1, plane->columns, &left, &right);
  segment_range (plane->scale, tile->y0, tile->y1, plane->rows, &top, &bottom);
  const int64_t columns = right - left;
  if (columns > 0 && bottom > top)
    items_launch (call, (bottom - top) * columns,
                  [=, p = *plane, t = *tile, out = *output, maps = *to] __device__ (int64_t i) {
                    segment_spread (&p, &t, &out, &maps, top + i / columns, left + i % columns);
                  });
  return cuda_status (cudaGetLastError (), "segment", error);
}

static fv_status
segment_sum (const fv_call *call, const segment_plane *plane, const segment_shape *shapes, int64_t n,
             const segment_maps *maps, segment_sums *sums, fv_error *error)
{
  segment_sum_kernel<<<(unsigned) blocks_for (n * WARP, THREADS), THREADS, 0, cuda_stream (call)>>> (*plane, shapes, n,
                                                                                                     *maps, sums);
  return cuda_status (cudaGetLastError (), "segment", error);
}

static fv_status
segment_paint (const fv_call *call, const segment_shape *shapes, int64_t n, const segment_maps *to, fv_error *error)
{
  const segment_maps maps = *to;
  const int64_t pixels = maps.rows * maps.columns, before = (int64_t) ((uintptr_t) maps.mask % 4);
  items_launch (call, pixels, [=] __device__ (int64_t i) { maps.seeds[i] = INT32_MAX; });
  if (n)
    segment_paint_kernel<<<(unsigned) blocks_for (n * WARP, THREADS), THREADS, 0, cuda_stream (call)>>> (
      shapes, n, maps, maps.mask ? maps.mask - before : NULL, before);
  items_launch (call, pixels, [=] __device__ (int64_t i) {
    const int32_t shape = maps.seeds[i], label = shape == INT32_MAX ? 0 : shapes[shape].label;
    maps.seeds[i] = label;
    if (maps.mask)
      maps.mask[i] = maps.mask[i] == 3 || label ? 255 : 0;
  });
  return cuda_status (cudaGetLastError (), "segment", error);
}

static fv_status
segment_count (const fv_call *call, const int32_t *labels, int64_t n, int32_t *pixels, fv_error *error)
{
  items_launch (call, n, [=] __device__ (int64_t i) {
    if (labels[i])
      atomicAdd (&pixels[labels[i]], 1);
  });
  return cuda_status (cudaGetLastError (), "segment", error);
}

static fv_status
segment_drop (const fv_call *call, int32_t *labels, int64_t n, const int32_t *pixels, int32_t least, fv_error *error)
{
  items_launch (call, n,
                [=] __device__ (int64_t i) { labels[i] = labels[i] && pixels[labels[i]] >= least ? labels[i] : 0; });
  return cuda_status (cudaGetLastError (), "segment", error);
}

const segment_passes segment_on_cuda = {FV_CUDA,     segment_fill,  network_cuda,  segment_find, segment_spread_tile,
                                        segment_sum, segment_paint, segment_count, segment_drop};

fv_status
segment_cuda (const fv_call *call, fv_error *error)
{
  return segment_run (call, &segment_on_cuda, error);
}

/* SPDX-License-Identifier: MIT
 *
 * segment on the GPU: the run of segment_chain.c with its passes here, each a kernel with a grid-stride loop in blocks of 256 without a barrier.
 * - segment_fill_kernel: a thread an input pixel of a tile; reads one pixel, or those that are averaged.
 * - segment_find_kernel: a thread a cell; the few that are stars add themselves to the list by an atomic.
 * - segment_spread_kernel: a thread a pixel of the plane; reads 8 numbers of the output.
 * - segment_paint_kernel: a warp a shape, a lane a row. The first shape of a pixel is the smallest of an atomic minimum.
 * - segment_mask_kernel, segment_count_kernel, segment_drop_kernel: a thread a pixel.
 */
#include "kernels/network/segment.h"
#include "kernels/common/common.cuh"
#include "kernels/network/segment_chain.h"

enum { THREADS = 256, WARP = 32 };

__global__ static void
__launch_bounds__ (THREADS) segment_fill_kernel (segment_plane p, segment_tile t, network_view to)
{
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < t.rows * t.columns;
       i += (int64_t) gridDim.x * THREADS) {
    const int64_t y = i / t.columns, x = i - y * t.columns;
    network_row (&to, 0, y)[x] = segment_input (&p, t.top + y, t.left + x);
  }
}

__global__ static void
__launch_bounds__ (THREADS) segment_find_kernel (segment_plane p, segment_tile t, network_view out, int64_t rows,
                                                 int64_t columns, star *stars, int32_t *n)
{
  const int64_t top = (t.y0 - t.top) / p.cell, left = (t.x0 - t.left) / p.cell;
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < rows * columns;
       i += (int64_t) gridDim.x * THREADS) {
    const int64_t y = top + i / columns, x = left + i % columns;
    if (segment_is_star (&p, &t, &out, y, x))
      segment_take_star (&p, &t, &out, y, x, &stars[atomicAdd (n, 1)]);
  }
}

__global__ static void
__launch_bounds__ (THREADS) segment_spread_kernel (segment_plane p, segment_tile t, network_view out, segment_maps maps,
                                                   int64_t top, int64_t left, int64_t rows, int64_t columns)
{
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < rows * columns; i += (int64_t) gridDim.x * THREADS)
    segment_spread (&p, &t, &out, &maps, top + i / columns, left + i % columns);
}

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
  const int64_t warps = (int64_t) gridDim.x * (THREADS / WARP);
  for (int64_t i = ((int64_t) blockIdx.x * THREADS + threadIdx.x) / WARP; i < n; i += warps) {
    const segment_shape &s = shapes[i];
    each_inside (s.reach, maps, [&] (int64_t y, int64_t x) { paint_reach (mask, before + y * maps.columns + x); });
    each_inside (s.seed, maps, [&] (int64_t y, int64_t x) { paint_seed (maps, y, x, i); });
    if (threadIdx.x % WARP == 0 && s.y >= 0 && s.y < maps.rows && s.x >= 0 && s.x < maps.columns)
      paint_seed (maps, s.y, s.x, i);
  }
}

__global__ static void
__launch_bounds__ (THREADS) segment_clear_seeds_kernel (int32_t *seeds, int64_t n)
{
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n; i += (int64_t) gridDim.x * THREADS)
    seeds[i] = INT32_MAX;
}

__global__ static void
__launch_bounds__ (THREADS) segment_mask_kernel (const segment_shape *shapes, segment_maps maps, int64_t n)
{
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n; i += (int64_t) gridDim.x * THREADS) {
    const int32_t shape = maps.seeds[i], label = shape == INT32_MAX ? 0 : shapes[shape].label;
    maps.seeds[i] = label;
    maps.mask[i] = maps.mask[i] == 3 || label ? 255 : 0;
  }
}

__global__ static void
__launch_bounds__ (THREADS) segment_count_kernel (const int32_t *labels, int64_t n, int32_t *pixels)
{
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n; i += (int64_t) gridDim.x * THREADS)
    if (labels[i])
      atomicAdd (&pixels[labels[i]], 1);
}

__global__ static void
__launch_bounds__ (THREADS) segment_drop_kernel (int32_t *labels, int64_t n, const int32_t *pixels, int32_t least)
{
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n; i += (int64_t) gridDim.x * THREADS)
    labels[i] = labels[i] && pixels[labels[i]] >= least ? labels[i] : 0;
}

/* ---- Host ---- */

static unsigned
segment_blocks (int64_t threads)
{
  const int64_t blocks = blocks_for (threads, THREADS), most = 16 * (int64_t) multiprocessors ();
  return (unsigned) (blocks < 1 ? 1 : blocks < most ? blocks : most);
}

static fv_status
segment_upload (const fv_call *call, void *to, const void *from, size_t bytes, fv_error *error)
{
  const fv_device *device = call->device;
  const fv_status status = device->copy (device, call->stream, to, bytes, from, bytes, bytes, 1, FV_TO_DEVICE, error);
  return status ? status : device->synchronize (device, call->stream, error);
}

static fv_status
segment_fill (const fv_call *call, const segment_plane *p, const segment_tile *t, const network_view *input,
              fv_error *error)
{
  segment_fill_kernel<<<segment_blocks (t->rows * t->columns), THREADS, 0, cuda_stream (call)>>> (*p, *t, *input);
  return cuda_status (cudaGetLastError (), "segment", error);
}

static fv_status
segment_find (const fv_call *call, const segment_plane *p, const segment_tile *t, const network_view *out, star *stars,
              int32_t *n, fv_error *error)
{
  const int64_t rows = segment_cells (t->y1, p->cell) - t->y0 / p->cell,
                columns = segment_cells (t->x1, p->cell) - t->x0 / p->cell;
  segment_find_kernel<<<segment_blocks (rows * columns), THREADS, 0, cuda_stream (call)>>> (*p, *t, *out, rows, columns,
                                                                                            stars, n);
  return cuda_status (cudaGetLastError (), "segment", error);
}

static fv_status
segment_spread_tile (const fv_call *call, const segment_plane *p, const segment_tile *t, const network_view *out,
                     const segment_maps *maps, fv_error *error)
{
  int64_t left, right, top, bottom;
  segment_range (p->scale, t->x0, t->x1, p->columns, &left, &right);
  segment_range (p->scale, t->y0, t->y1, p->rows, &top, &bottom);
  if (right > left && bottom > top)
    segment_spread_kernel<<<segment_blocks ((bottom - top) * (right - left)), THREADS, 0, cuda_stream (call)>>> (
      *p, *t, *out, *maps, top, left, bottom - top, right - left);
  return cuda_status (cudaGetLastError (), "segment", error);
}

static fv_status
segment_paint (const fv_call *call, const segment_shape *shapes, int64_t n, const segment_maps *maps, fv_error *error)
{
  const int64_t pixels = maps->rows * maps->columns, before = (int64_t) ((uintptr_t) maps->mask % 4);
  segment_clear_seeds_kernel<<<segment_blocks (pixels), THREADS, 0, cuda_stream (call)>>> (maps->seeds, pixels);
  if (n)
    segment_paint_kernel<<<segment_blocks (n * WARP), THREADS, 0, cuda_stream (call)>>> (shapes, n, *maps,
                                                                                         maps->mask - before, before);
  segment_mask_kernel<<<segment_blocks (pixels), THREADS, 0, cuda_stream (call)>>> (shapes, *maps, pixels);
  return cuda_status (cudaGetLastError (), "segment", error);
}

static fv_status
segment_count (const fv_call *call, const int32_t *labels, int64_t n, int32_t *pixels, fv_error *error)
{
  segment_count_kernel<<<segment_blocks (n), THREADS, 0, cuda_stream (call)>>> (labels, n, pixels);
  return cuda_status (cudaGetLastError (), "segment", error);
}

static fv_status
segment_drop (const fv_call *call, int32_t *labels, int64_t n, const int32_t *pixels, int32_t least, fv_error *error)
{
  segment_drop_kernel<<<segment_blocks (n), THREADS, 0, cuda_stream (call)>>> (labels, n, pixels, least);
  return cuda_status (cudaGetLastError (), "segment", error);
}

fv_status
segment_cuda (const fv_call *call, fv_error *error)
{
  const segment_passes passes = {FV_CUDA,       segment_upload, segment_fill,
                                 network_cuda,  segment_find,   segment_spread_tile,
                                 segment_paint, segment_count,  segment_drop};
  return segment_run (call, &passes, error);
}

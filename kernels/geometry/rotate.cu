/* SPDX-License-Identifier: MIT
 *
 * rotate on the GPU: one kernel, a block of 32 x 8 threads for tiles of that size in turn, a thread for a pixel of the result; each pixel is
 * written once, what it is made of comes through the caches. No synchronisation.
 */
#include "kernels/common/common.cuh"
#include "kernels/common/row.cuh"
#include "kernels/geometry/rotate.h"

enum { TILE_WIDTH = 32, TILE_HEIGHT = 8 };

template <typename T>
__device__ __forceinline__ double
rotate_sample (const view<const T> &in, int64_t plane, const rotate_taps &h, const rotate_taps &v, border b,
               double constant)
{
  double sum = 0;
#pragma unroll
  for (int j = 0; j < 4; j++) {
    if (j >= v.count)
      break;
    int64_t y = border_index (v.first + j, in.rows, b);
    const T *row = y < 0 ? nullptr : in.row (plane, y);
    double line = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
      if (i >= h.count)
        break;
      int64_t x = border_index (h.first + i, in.columns, b);
      line += rotate_times (h.weight[i], row && x >= 0 ? (double) row[x] : constant);
    }
    sum += rotate_times (v.weight[j], line);
  }
  return sum;
}

template <typename T>
__global__ void
__launch_bounds__ (TILE_WIDTH *TILE_HEIGHT) rotate_kernel (view<const T> in, view<T> out, rotate_map m, double constant)
{
  const int64_t across = (out.columns + TILE_WIDTH - 1) / TILE_WIDTH, down = (out.rows + TILE_HEIGHT - 1) / TILE_HEIGHT;
  for (int64_t i = blockIdx.x; i < out.planes * down * across; i += gridDim.x) {
    int64_t plane = i / (down * across), x = i % across * TILE_WIDTH + threadIdx.x,
            y = i / across % down * TILE_HEIGHT + threadIdx.y;
    if (x >= out.columns || y >= out.rows)
      continue;
    rotate_taps h, v;
    double from_x, from_y;
    rotate_place (&m, x, y, &from_x, &from_y);
    rotate_taps_at (from_x, m.count, &h);
    rotate_taps_at (from_y, m.count, &v);
    out.row (plane, y)[x] = pixel_from<T> (rotate_sample<T> (in, plane, h, v, m.border, constant));
  }
}

fv_status
rotate_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const rotate_args *a = (const rotate_args *) call->args;
  const rotate_map m = rotate_map_of (a, in->grid, out->grid);
  int64_t tiles = array_planes (out) * blocks_for (array_rows (out), TILE_HEIGHT)
                  * blocks_for (array_columns (out), TILE_WIDTH),
          most = 32 * (int64_t) multiprocessors ();
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    rotate_kernel<T>
      <<<(unsigned) (tiles < most ? tiles : most), dim3 (TILE_WIDTH, TILE_HEIGHT), 0, cuda_stream (call)>>> (
        view_of<const T> (in), view_of<T> (out), m, a->value);
  });
  return cuda_status (cudaGetLastError (), "Rotating", error);
}

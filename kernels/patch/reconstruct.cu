/* SPDX-License-Identifier: MIT
 *
 * reconstruct on the GPU: a thread a pixel of all channels, 256 a block. It reads the field and a pixel of B for each pixel of a patch,
 * most of them from the caches, and writes each pixel once. No synchronization.
 */
#include "kernels/common/common.cuh"
#include "kernels/common/row.cuh"
#include "kernels/patch/reconstruct.h"

/* depth: of the field; b_depth: of B, that or 1. */
template <typename T>
__global__ static void __launch_bounds__ (256)
  lay_patches (view<const int32_t> to_x, view<const int32_t> to_y, view<const T> b, view<T> out, int64_t depth,
               int64_t b_depth, int radius)
{
  int64_t pixels = out.rows * out.columns;
  for (int64_t i = (int64_t) blockIdx.x * 256 + threadIdx.x; i < out.planes * pixels; i += (int64_t) gridDim.x * 256) {
    int64_t plane = i / pixels, y = i % pixels / out.columns, x = i % out.columns, z = plane % depth;
    int64_t from = plane / depth * b_depth + (b_depth > 1 ? z : 0), n = 0;
    double sum = 0;
    for (int64_t v = max (y - radius, (int64_t) 0); v <= min (y + radius, out.rows - 1); v++)
      for (int64_t u = max (x - radius, (int64_t) 0); u <= min (x + radius, out.columns - 1); u++) {
        int64_t bx = to_x.row (z, v)[u], by = to_y.row (z, v)[u];
        if (bx < 0 || bx >= b.columns || by < 0 || by >= b.rows)
          continue;
        sum +=
          (double) b.row (from, border_index (by + y - v, b.rows,
                                              BORDER_NEAREST))[border_index (bx + x - u, b.columns, BORDER_NEAREST)];
        n++;
      }
    out.row (plane, y)[x] = pixel_from<T> (sum / (double) n);
  }
}

fv_status
reconstruct_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *x = call->inputs[0], *y = call->inputs[1], *b = call->inputs[2], *out = call->outputs[0];
  int radius = ((const reconstruct_args *) call->args)->radius;
  int64_t pixels = array_planes (out) * array_rows (out) * array_columns (out),
          most = 32 * (int64_t) multiprocessors ();
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  with_type (b->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    lay_patches<T><<<(unsigned) min (blocks_for (pixels, 256), most), 256, 0, cuda_stream (call)>>> (
      view_of<const int32_t> (x), view_of<const int32_t> (y), view_of<const T> (b), view_of<T> (out),
      grid_depth (out->grid), grid_depth (b->grid), radius);
  });
  return cuda_status (cudaGetLastError (), "Laying patches", error);
}

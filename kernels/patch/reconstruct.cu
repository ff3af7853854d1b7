/* SPDX-License-Identifier: MIT
 *
 * reconstruct on the GPU: a thread a pixel of all channels, 256 a block. It reads the field and a pixel of B for each pixel of a patch,
 * most of them from the caches, and writes each pixel once. No synchronization.
 */
#include "kernels/common/items.cuh"
#include "kernels/common/row.cuh"
#include "kernels/patch/reconstruct.h"

template <typename T> struct lay_patches {
  view<const int32_t> to_x, to_y;
  view<const T> b;
  view<T> out;
  int64_t depth, b_depth; /* of the field; of b, that or 1 */
  int radius;

  __device__ void operator() (int64_t i) const
  {
    const pixel_position p = position_of (out, i);
    const int64_t z = p.z % depth, from = p.z / depth * b_depth + (b_depth > 1 ? z : 0);
    int64_t n = 0;
    double sum = 0;
    for (int64_t v = max (p.y - radius, (int64_t) 0); v <= min (p.y + radius, out.rows - 1); v++)
      for (int64_t u = max (p.x - radius, (int64_t) 0); u <= min (p.x + radius, out.columns - 1); u++) {
        int64_t bx = to_x.row (z, v)[u], by = to_y.row (z, v)[u];
        if (bx < 0 || bx >= b.columns || by < 0 || by >= b.rows)
          continue;
        const T *row = b.row (from, border_index (by + p.y - v, b.rows, BORDER_NEAREST));
        sum += (double) row[border_index (bx + p.x - u, b.columns, BORDER_NEAREST)];
        n++;
      }
    out.row (p.z, p.y)[p.x] = pixel_from<T> (sum / (double) n);
  }
};

fv_status
reconstruct_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *x = call->inputs[0], *y = call->inputs[1], *b = call->inputs[2], *out = call->outputs[0];
  int radius = ((const reconstruct_args *) call->args)->radius;
  const int64_t pixels = array_planes (out) * array_rows (out) * array_columns (out);
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  with_type (b->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    items_launch (call, pixels,
                  lay_patches<T>{view_of<const int32_t> (x), view_of<const int32_t> (y), view_of<const T> (b),
                                 view_of<T> (out), grid_depth (out->grid), grid_depth (b->grid), radius});
  });
  return cuda_status (cudaGetLastError (), "Laying patches", error);
}

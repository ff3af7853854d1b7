/* SPDX-License-Identifier: MIT
 *
 * outline on the GPU: the kernel of rows.cuh; reads a pixel of foreground and its neighbors, mostly from the cache, and writes one.
 */
#include "kernels/morphology/outline.h"
#include "kernels/common/rows.cuh"

template <typename T>
__device__ static bool
is_outline (const view<const T> &in, const outline_rows &near, bool mask, int64_t plane, int64_t y, int64_t x)
{
  T own = in.row (plane, y)[x];
  for (int i = 0; i < near.n; i++) {
    int64_t other_plane = plane + near.row[i].dz, other_y = y + near.row[i].dy;
    int reach = near.row[i].reach;
    if (other_plane < 0 || other_plane >= in.planes || other_y < 0 || other_y >= in.rows)
      return true;
    for (int64_t other_x = x - reach; other_x <= x + reach; other_x++) {
      if (other_x < 0 || other_x >= in.columns)
        return true;
      T other = in.row (other_plane, other_y)[other_x];
      if (mask ? other == 0 : other != own)
        return true;
    }
  }
  return false;
}

fv_status
outline_cuda (const fv_call *call, fv_error *error)
{
  auto keep = [near = outline_rows_of (call->args), mask = call->inputs[0]->grid->role == FV_MASK] __device__ (
                const auto &in, const auto &out, int64_t plane, int64_t y) {
    auto *from = in.row (plane, y);
    auto *to = out.row (plane, y);
    return [=, &in, &near] (int64_t x) {
      const auto own = from[x];
      to[x] = own != 0 && own == own && is_outline (in, near, mask, plane, y, x) ? own : 0;
    };
  };
  return rows_cuda<to_same> (call, keep, "Outlining", error);
}

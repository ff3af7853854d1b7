/* SPDX-License-Identifier: MIT
 *
 * montage on the GPU: the kernel of rows.cuh; reads each pixel once and writes each pixel of the result once.
 */
#include "kernels/common/rows.cuh"
#include "kernels/image/montage.h"

extern "C" fv_status
montage_cuda (const fv_call *call, fv_error *error)
{
  const montage_args *a = (const montage_args *) call->args;
  auto lay = [p = montage_plan_of (a, call->inputs[0]->grid),
              value = a->value] __device__ (const auto &in, const auto &out, int64_t plane, int64_t y) {
    using T = std::decay_t<decltype (*out.data)>;
    const int64_t tiles = y / p.height * p.columns, from = y % p.height;
    T *to = out.row (plane, y);
    return [=, &p, &in, empty = pixel_from<T> (value)] (int64_t x) {
      const int64_t tile = tiles + x / p.width, column = x % p.width;
      to[x] = tile < p.planes.count && from < in.rows && column < in.columns
                ? in.row (project_plane (&p.planes, plane, tile), from)[column]
                : empty;
    };
  };
  return rows_cuda<to_same> (call, lay, "Laying out", error);
}

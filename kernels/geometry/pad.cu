/* SPDX-License-Identifier: MIT
 *
 * pad on the GPU: the kernel of rows.cuh; each pixel of the result is written once, and what it is read once.
 */
#include "kernels/common/rows.cuh"
#include "kernels/geometry/pad.h"

fv_status
pad_cuda (const fv_call *call, fv_error *error)
{
  auto lay = [a = *(const pad_args *) call->args] __device__ (const auto &in, const auto &out, int64_t plane,
                                                              int64_t y) {
    using T = std::decay_t<decltype (*out.data)>;
    const border b = (border) a.border;
    const int64_t v = border_index (y - a.top, in.rows, b);
    const T *from = v < 0 ? nullptr : in.row (plane, v);
    T *to = out.row (plane, y);
    return [=, &a, columns = in.columns, constant = pixel_from<T> (a.value)] (int64_t x) {
      const int64_t u = from ? border_index (x - a.left, columns, b) : -1;
      to[x] = u < 0 ? constant : from[u];
    };
  };
  return rows_cuda<to_same> (call, lay, "Padding", error);
}

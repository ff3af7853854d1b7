/* SPDX-License-Identifier: MIT
 *
 * bin on the GPU: the kernel of rows.cuh, a thread for a block of pixels; each pixel is read once, by way of the caches, and the result written
 * once.
 */
#include "kernels/common/rows.cuh"
#include "kernels/geometry/bin.h"

template <typename T>
__device__ static double
bin_block (const view<const T> &in, const bin_args &a, int64_t plane, int64_t y, int64_t x)
{
  double all = 0;
  for (int i = 0; i < a.x; i++) {
    double column = 0;
    for (int z = 0; z < a.z; z++)
      for (int k = 0; k < a.y; k++) {
        double v = (double) in.row (plane * a.z + z, y * a.y + k)[x * a.x + i];
        column = z || k ? bin_join (column, v, a.method) : v;
      }
    all = i ? bin_join (all, column, a.method) : column;
  }
  return a.method == BIN_MEAN ? all / ((double) a.x * a.y * a.z) : all;
}

fv_status
bin_cuda (const fv_call *call, fv_error *error)
{
  auto join = [a = bin_args_of ((const bin_args *) call->args, call->inputs[0]->grid)] __device__ (
                const auto &in, const auto &out, int64_t plane, int64_t y) {
    auto *to = out.row (plane, y);
    return [=, &a, &in] (int64_t x) { set_pixel (to[x], bin_block (in, a, plane, y, x)); };
  };
  return rows_cuda<to_any> (call, join, "Binning", error);
}

/* SPDX-License-Identifier: MIT
 *
 * noise on the GPU: the kernel of rows.cuh; reads and writes each pixel once.
 */
#include "kernels/common/rows.cuh"
#include "kernels/fields/noise.h"

fv_status
noise_cuda (const fv_call *call, fv_error *error)
{
  auto add = [r = noise_rule_of (call), first = noise_first (call)] __device__ (const auto &in, const auto &out,
                                                                                int64_t plane, int64_t y) {
    auto *from = in.row (plane, y);
    auto *to = out.row (plane, y);
    return [=, &r, line = first + (plane * out.rows + y) * out.columns] (int64_t x) {
      set_pixel (to[x], noise_value (&r, line + x, (double) from[x]));
    };
  };
  return rows_cuda<to_same> (call, add, "Adding noise", error);
}

/* SPDX-License-Identifier: MIT
 *
 * plain on the GPU: the kernel of rows.cuh; writes each pixel once, 1 to 4 bytes.
 */
#include "kernels/common/rows.cuh"
#include "kernels/fields/plain.h"

fv_status
plain_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *out = call->outputs[0];
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  auto fill = [r = plain_rule_of ((const plain_args *) call->args, out),
               first = plain_first (call)] __device__ (const auto &, const auto &made, int64_t plane, int64_t y) {
    auto *to = made.row (plane, y);
    return [=, &r, line = first + (plane * made.rows + y) * made.columns] (int64_t x) {
      set_pixel (to[x], plain_value (&r, line + x, x));
    };
  };
  return rows_between<to_same> (call, out, out, fill, "Making an image", error);
}

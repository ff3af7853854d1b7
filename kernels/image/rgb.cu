/* SPDX-License-Identifier: MIT
 *
 * rgb on the GPU: the kernel of rows.cuh; reads a pixel of three channels and writes one or three.
 */
#include "kernels/common/rows.cuh"
#include "kernels/image/rgb.h"

extern "C" fv_status
rgb_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const int64_t depth = grid_depth (in->grid), step = in->grid->channels == 1 ? 0 : depth,
                channels = out->grid->channels;
  const rgb_rule r = rgb_rule_of ((const rgb_args *) call->args, in->grid->type);
  auto mix = [=] __device__ (const auto &from, const auto &made, int64_t z, int64_t y) {
    return [=, &r, &from, &made] (int64_t x) {
      const double stored[3] = {(double) from.row (z, y)[x], (double) from.row (z + step, y)[x],
                                (double) from.row (z + 2 * step, y)[x]};
      double to[3];
      rgb_pixel (&r, stored, to);
      set_pixel (made.row (z, y)[x], to[0]);
      if (channels == 3) {
        set_pixel (made.row (z + depth, y)[x], to[1]);
        set_pixel (made.row (z + 2 * depth, y)[x], to[2]);
      }
    };
  };
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  rows_over<to_same_or_float> (call, in, out, 0, depth, mix);
  return cuda_status (cudaGetLastError (), "Converting colors", error);
}

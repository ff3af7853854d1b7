/* SPDX-License-Identifier: MIT
 *
 * pieces on the GPU: the operation label, then the kernel of rows.cuh; reads each label and each pixel once and writes it once.
 */
#include "kernels/morphology/pieces.h"
#include "kernels/common/rows.cuh"

extern "C" fv_status
pieces_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  const label_args args = pieces_args (call);
  scratch_image found;
  if (label_image (call, FV_CUDA, in, &args, &found, error))
    return error->code;
  auto keep = [labels = view_of<const int32_t> (&found.array)] __device__ (const auto &from, const auto &made,
                                                                           int64_t plane, int64_t y) {
    const int32_t *label = labels.row (plane, y);
    auto *v = from.row (plane, y);
    auto *to = made.row (plane, y);
    return [=] (int64_t x) { to[x] = label[x] ? v[x] : 0; };
  };
  return rows_between<to_same> (call, in, call->outputs[0], keep, "Removing objects", error);
}

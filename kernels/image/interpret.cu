/* SPDX-License-Identifier: MIT
 *
 * interpret on the GPU: the kernel of rows.cuh; reads each pixel once and writes it once, 4 bytes or 1.
 */
#include "kernels/common/rows.cuh"
#include "kernels/image/interpret.h"

fv_status
interpret_cuda (const fv_call *call, fv_error *error)
{
  const bool from_mask = call->inputs[0]->grid->role == FV_MASK;
  if (((const interpret_args *) call->args)->role == INTERPRET_LABELS)
    return point_cuda<to_type<int32_t>> (
      call, [from_mask] __device__ (double v) { return to_label (v, from_mask); }, "Making labels", error);
  return point_cuda<to_type<uint8_t>> (
    call, [] __device__ (double v) { return to_mask (v); }, "Making a mask", error);
}

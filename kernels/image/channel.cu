/* SPDX-License-Identifier: MIT
 *
 * channel on the GPU: no kernel, copies by the driver; each byte is read once and written once, and nothing is waited for.
 */
#include "kernels/image/channel.h"
#include "kernels/common/common.cuh"

fv_status
channel_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const DLTensor *from = &in->tensor, *to = &out->tensor;
  int64_t depth = array_planes (out), rows = array_rows (out);
  int64_t first = channel_position ((const channel_args *) call->args, in->grid) * depth;
  size_t pixel = type_bytes (in->grid->type), bytes = (size_t) array_columns (out) * pixel;
  size_t from_pitch = (size_t) from->strides[1] * pixel, to_pitch = (size_t) to->strides[1] * pixel;
  bool dense = from->strides[0] == rows * from->strides[1] && to->strides[0] == rows * to->strides[1];
  if (dense) { /* planes follow each other as rows do */
    rows *= depth;
    depth = 1;
  }
  if (from_pitch == bytes && to_pitch == bytes) {
    bytes *= (size_t) rows;
    from_pitch = to_pitch = bytes;
    rows = 1;
  }
  for (int64_t z = 0; z < depth; z++) {
    if (call->host->tick (call, z, depth))
      return cancelled (error);
    fv_status status =
      cuda_status (cudaMemcpy2DAsync (array_row (out, z, 0), to_pitch, array_row (in, first + z, 0), from_pitch, bytes,
                                      (size_t) rows, cudaMemcpyDeviceToDevice, cuda_stream (call)),
                   "Copying the channel", error);
    if (status)
      return status;
  }
  return FV_OK;
}

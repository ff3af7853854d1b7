/* SPDX-License-Identifier: MIT
 *
 * shift on a GPU: a block of 256 for each 256 pixels of a row; 4 bytes read and written a pixel, nothing waits.
 */
#include "shift.h"

#include <cstdio>

__global__ void
shift_kernel (const float *from, int64_t from_row, float *to, int64_t to_row, int64_t columns, float amount)
{
  int64_t x = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  if (x < columns)
    to[blockIdx.y * to_row + x] = from[blockIdx.y * from_row + x] + amount;
}

fv_status
shift_cuda (const fv_call *call, fv_error *error)
{
  const DLTensor &from = call->inputs[0]->tensor, &to = call->outputs[0]->tensor;
  float amount = (float) static_cast<const shift_args *> (call->args)->amount;
  int64_t columns = to.shape[2];
  const int64_t most = 65535; /* rows of blocks */
  for (int64_t z = 0; z < to.shape[0]; z++)
    for (int64_t y = 0; y < to.shape[1]; y += most) {
      dim3 blocks ((unsigned) ((columns + 255) / 256), (unsigned) (to.shape[1] - y < most ? to.shape[1] - y : most));
      shift_kernel<<<blocks, 256, 0, (cudaStream_t) call->stream>>> (
        (const float *) from.data + z * from.strides[0] + y * from.strides[1], from.strides[1],
        (float *) to.data + z * to.strides[0] + y * to.strides[1], to.strides[1], columns, amount);
    }
  cudaError_t code = cudaGetLastError ();
  if (code == cudaSuccess)
    return call->host->tick (call, 1, 1) ? FV_CANCELLED : FV_OK;
  error->code = FV_DEVICE_FAULT;
  snprintf (error->text, sizeof error->text, "The kernel failed: %s.", cudaGetErrorString (code));
  return FV_DEVICE_FAULT;
}

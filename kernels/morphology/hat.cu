/* SPDX-License-Identifier: MIT
 *
 * hat on the GPU: the last pass of an opening or a closing writes the difference. Of a mask, whose passes go over words of bits, the whole is made
 * in the output, then hat_kernel takes the difference: 256 threads a block; two pixels read and one written for each. Nothing waits.
 */
#include "kernels/common/common.cuh"
#include "kernels/morphology/hat.h"

__global__ static void __launch_bounds__ (256) hat_kernel (view<const uint8_t> in, view<uint8_t> out, bool white)
{
  int64_t x = (int64_t) blockIdx.x * 256 + threadIdx.x;
  if (x >= in.columns)
    return;
  for (int64_t z = blockIdx.z; z < in.planes; z += gridDim.z)
    for (int64_t y = blockIdx.y; y < in.rows; y += gridDim.y) {
      uint8_t own = in.row (z, y)[x], *to = out.row (z, y) + x, high = white ? own : *to, low = white ? *to : own;
      *to = high && !low ? 255 : 0;
    }
}

fv_status
hat_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  bool white = (intptr_t) call->op->user == HAT_WHITE;
  dim3 grid = grid_of_rows (array_planes (in), array_rows (in), blocks_for (array_columns (in), 256));
  if (in->grid->role != FV_MASK || in->grid->type != FV_U8)
    return morphology_hat_cuda (call, white, error);
  if (hat_prepare (call, FV_CUDA, error))
    return error->code;
  hat_kernel<<<grid, 256, 0, cuda_stream (call)>>> (view_of<const uint8_t> (in), view_of<uint8_t> (call->outputs[0]),
                                                    white);
  return cuda_status (cudaGetLastError (), "A top-hat", error);
}

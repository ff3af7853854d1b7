/* SPDX-License-Identifier: MIT
 *
 * hat on the GPU: the last pass of an opening or a closing writes the difference. Of a mask, whose passes go over words of bits, the whole is made
 * in the output, then the kernel of rows.cuh takes the difference; two pixels read and one written for each. Nothing waits.
 */
#include "kernels/common/rows.cuh"
#include "kernels/morphology/hat.h"

fv_status
hat_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  bool white = (intptr_t) call->op->user == HAT_WHITE;
  const view<const uint8_t> mask = view_of<const uint8_t> (in);
  const view<uint8_t> out = view_of<uint8_t> (call->outputs[0]);
  if (in->grid->role != FV_MASK || in->grid->type != FV_U8)
    return morphology_hat_cuda (call, white, error);
  if (hat_prepare (call, FV_CUDA, error))
    return error->code;
  columns_launch (call, out, [=] __device__ (int64_t z, int64_t y, int64_t x) {
    uint8_t own = mask.row (z, y)[x], *to = out.row (z, y) + x, high = white ? own : *to, low = white ? *to : own;
    *to = high && !low ? 255 : 0;
  });
  return cuda_status (cudaGetLastError (), "A top-hat", error);
}

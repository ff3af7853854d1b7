/* SPDX-License-Identifier: MIT
 *
 * hat on the GPU: an opening or a closing into the output, then hat_kernel: 256 threads a block; two pixels read and one written for each.
 * Nothing waits.
 */
#include "kernels/common/common.cuh"
#include "kernels/morphology/hat.h"

#include <type_traits>

template <typename T>
__global__ static void __launch_bounds__ (256) hat_kernel (view<const T> in, view<T> out, bool white, bool mask)
{
  int64_t x = (int64_t) blockIdx.x * 256 + threadIdx.x;
  if (x >= in.columns)
    return;
  for (int64_t z = blockIdx.z; z < in.planes; z += gridDim.z)
    for (int64_t y = blockIdx.y; y < in.rows; y += gridDim.y) {
      T own = in.row (z, y)[x], *to = out.row (z, y) + x, high = white ? own : *to, low = white ? *to : own;
      if (mask)
        *to = high && !low ? 255 : 0;
      else if constexpr (std::is_same<T, int32_t>::value)
        *to = (int32_t) min ((int64_t) high - low, (int64_t) INT32_MAX);
      else
        *to = (T) (high - low);
    }
}

fv_status
hat_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  bool mask = in->grid->role == FV_MASK && in->grid->type == FV_U8;
  dim3 grid = grid_of_rows (array_planes (in), array_rows (in), blocks_for (array_columns (in), 256));
  if (hat_prepare (call, FV_CUDA, error))
    return error->code;
  with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    hat_kernel<T><<<grid, 256, 0, cuda_stream (call)>>> (view_of<const T> (in), view_of<T> (call->outputs[0]),
                                                         (intptr_t) call->op->user == HAT_WHITE, mask);
  });
  return cuda_status (cudaGetLastError (), "A top-hat", error);
}

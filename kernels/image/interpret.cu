/* SPDX-License-Identifier: MIT
 *
 * interpret on the GPU: one kernel, 256 threads a block, a row for each block in turn; reads each pixel once and writes it once,
 * 4 bytes or 1. No synchronisation.
 */
#include "kernels/common/common.cuh"
#include "kernels/image/interpret.h"

template <typename T, typename R>
__global__ void __launch_bounds__ (256) interpret_kernel (view<const T> in, view<R> out, bool from_mask)
{
  for (int64_t line = blockIdx.x; line < in.planes * in.rows; line += gridDim.x) {
    int64_t plane = line / in.rows, y = line - plane * in.rows;
    const T *from = in.row (plane, y);
    R *to = out.row (plane, y);
    for (int64_t x = threadIdx.x; x < in.columns; x += blockDim.x)
      if constexpr (sizeof (R) == 1)
        to[x] = to_mask ((double) from[x]);
      else
        to[x] = to_label ((double) from[x], from_mask);
  }
}

fv_status
interpret_cuda (const fv_call *call, fv_error *error)
{
  const interpret_args *a = (const interpret_args *) call->args;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  int64_t lines = array_planes (in) * array_rows (in), most = 32 * (int64_t) multiprocessors ();
  unsigned blocks = (unsigned) (lines < most ? lines : most);
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    view<const T> from = view_of<const T> (in);
    if (a->role == INTERPRET_LABELS)
      interpret_kernel<T, int32_t>
        <<<blocks, 256, 0, cuda_stream (call)>>> (from, view_of<int32_t> (out), in->grid->role == FV_MASK);
    else
      interpret_kernel<T, uint8_t><<<blocks, 256, 0, cuda_stream (call)>>> (from, view_of<uint8_t> (out), false);
  });
  return cuda_status (cudaGetLastError (), "Making labels", error);
}

/* SPDX-License-Identifier: MIT
 *
 * plain on the GPU: one kernel, 256 threads a block, a row for each block in turn; writes each pixel once, 1 to 4 bytes. No synchronisation.
 */
#include "kernels/common/common.cuh"
#include "kernels/fields/plain.h"

template <typename T>
__device__ static T
stored (double value)
{
  if constexpr (sizeof (T) == 1)
    return round_to_u8 (value);
  else if constexpr (sizeof (T) == 2)
    return round_to_u16 (value);
  else
    return (T) value;
}

template <typename T>
__global__ static void __launch_bounds__ (256) plain_kernel (plain_rule r, int64_t first, view<T> out)
{
  for (int64_t line = blockIdx.x; line < out.planes * out.rows; line += gridDim.x) {
    int64_t plane = line / out.rows, y = line - plane * out.rows;
    T *to = out.row (plane, y);
    for (int64_t x = threadIdx.x; x < out.columns; x += 256)
      to[x] = stored<T> (plain_value (&r, first + line * out.columns + x, x));
  }
}

fv_status
plain_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *out = call->outputs[0];
  const plain_rule r = plain_rule_of ((const plain_args *) call->args, out);
  int64_t lines = array_planes (out) * array_rows (out), most = 32 * (int64_t) multiprocessors ();
  unsigned blocks = (unsigned) (lines < most ? lines : most);
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  with_type (out->grid->type, [&] (auto zero) {
    plain_kernel<<<blocks, 256, 0, cuda_stream (call)>>> (r, plain_first (call), view_of<decltype (zero)> (out));
  });
  return cuda_status (cudaGetLastError (), "Making an image", error);
}

/* SPDX-License-Identifier: MIT
 *
 * noise on the GPU: one kernel, 256 threads a block, a row for each block in turn; reads and writes each pixel once. No synchronisation.
 */
#include "kernels/common/row.cuh"
#include "kernels/fields/noise.h"

template <typename T>
__global__ static void __launch_bounds__ (256) noise_kernel (noise_rule r, int64_t first, view<const T> in, view<T> out)
{
  for (int64_t line = blockIdx.x; line < out.planes * out.rows; line += gridDim.x) {
    const int64_t plane = line / out.rows, y = line - plane * out.rows;
    const T *from = in.row (plane, y);
    T *to = out.row (plane, y);
    for (int64_t x = threadIdx.x; x < out.columns; x += 256)
      to[x] = pixel_from<T> (noise_value (&r, first + line * out.columns + x, (double) from[x]));
  }
}

fv_status
noise_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const int64_t lines = array_planes (out) * array_rows (out), most = 32 * (int64_t) multiprocessors ();
  const unsigned blocks = (unsigned) (lines < most ? lines : most);
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  with_type (out->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    noise_kernel<T><<<blocks, 256, 0, cuda_stream (call)>>> (noise_rule_of (call), noise_first (call),
                                                             view_of<const T> (in), view_of<T> (out));
  });
  return cuda_status (cudaGetLastError (), "Adding noise", error);
}

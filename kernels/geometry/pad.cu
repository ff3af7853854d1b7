/* SPDX-License-Identifier: MIT
 *
 * pad on the GPU: one kernel, 256 threads a block, a row for each block in turn; each pixel of the result is written once, and what it is
 * read once. No synchronisation.
 */
#include "kernels/common/common.cuh"
#include "kernels/common/row.cuh"
#include "kernels/geometry/pad.h"

template <typename T>
__global__ void __launch_bounds__ (256) pad_kernel (view<const T> in, view<T> out, pad_args a, border b)
{
  const T constant = pixel_from<T> (a.value);
  for (int64_t line = blockIdx.x; line < out.planes * out.rows; line += gridDim.x) {
    int64_t plane = line / out.rows, y = line - plane * out.rows, v = border_index (y - a.top, in.rows, b);
    const T *from = v < 0 ? nullptr : in.row (plane, v);
    T *to = out.row (plane, y);
    for (int64_t x = threadIdx.x; x < out.columns; x += blockDim.x) {
      int64_t u = from ? border_index (x - a.left, in.columns, b) : -1;
      to[x] = u < 0 ? constant : from[u];
    }
  }
}

fv_status
pad_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const pad_args *a = (const pad_args *) call->args;
  int64_t lines = array_planes (out) * array_rows (out), most = 32 * (int64_t) multiprocessors ();
  unsigned blocks = (unsigned) (lines < most ? lines : most);
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    pad_kernel<T>
      <<<blocks, 256, 0, cuda_stream (call)>>> (view_of<const T> (in), view_of<T> (out), *a, (border) a->border);
  });
  return cuda_status (cudaGetLastError (), "Padding", error);
}

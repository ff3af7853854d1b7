/* SPDX-License-Identifier: MIT
 *
 * bin on the GPU: one kernel, a thread for a block of pixels, 256 of them side by side, a row of the result for each block of threads in turn;
 * each pixel is read once, by way of the caches, and the result written once. No synchronisation.
 */
#include "kernels/common/common.cuh"
#include "kernels/common/row.cuh"
#include "kernels/geometry/bin.h"

template <typename T, typename R>
__global__ void __launch_bounds__ (256) bin_kernel (view<const T> in, view<R> out, bin_args a)
{
  for (int64_t line = blockIdx.x; line < out.planes * out.rows; line += gridDim.x) {
    int64_t plane = line / out.rows, y = line - plane * out.rows;
    R *to = out.row (plane, y);
    for (int64_t x = threadIdx.x; x < out.columns; x += blockDim.x) {
      double all = 0;
      for (int i = 0; i < a.x; i++) {
        double column = 0;
        for (int z = 0; z < a.z; z++)
          for (int k = 0; k < a.y; k++) {
            double v = (double) in.row (plane * a.z + z, y * a.y + k)[x * a.x + i];
            column = z || k ? bin_join (column, v, a.method) : v;
          }
        all = i ? bin_join (all, column, a.method) : column;
      }
      if (a.method == BIN_MEAN)
        all /= (double) a.x * a.y * a.z;
      to[x] = pixel_from<R> (all);
    }
  }
}

fv_status
bin_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const bin_args a = bin_args_of ((const bin_args *) call->args, in->grid);
  int64_t lines = array_planes (out) * array_rows (out), most = 32 * (int64_t) multiprocessors ();
  unsigned blocks = (unsigned) (lines < most ? lines : most);
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  with_type (in->grid->type, [&] (auto from) {
    with_type (out->grid->type, [&] (auto to) {
      using T = decltype (from);
      using R = decltype (to);
      bin_kernel<T, R><<<blocks, 256, 0, cuda_stream (call)>>> (view_of<const T> (in), view_of<R> (out), a);
    });
  });
  return cuda_status (cudaGetLastError (), "Binning", error);
}

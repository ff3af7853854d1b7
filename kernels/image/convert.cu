/* SPDX-License-Identifier: MIT
 *
 * convert on the GPU: one kernel, for each channel where they differ, 256 threads a block, a row for each block in turn; reads each pixel
 * once and writes it once. No synchronisation.
 */
#include "kernels/common/common.cuh"
#include "kernels/common/planes.cuh"
#include "kernels/common/row.cuh"
#include "kernels/image/convert.h"

template <typename T, typename R>
__global__ void __launch_bounds__ (256) convert_kernel (view<const T> in, view<R> out, convert_range range)
{
  for (int64_t line = blockIdx.x; line < in.planes * in.rows; line += gridDim.x) {
    int64_t plane = line / in.rows, y = line - plane * in.rows;
    const T *from = in.row (plane, y);
    R *to = out.row (plane, y);
    for (int64_t x = threadIdx.x; x < in.columns; x += blockDim.x) {
      double v = (double) from[x];
      to[x] = pixel_from<R> (range.scaled ? convert_value (v, &range) : v);
    }
  }
}

fv_status
convert_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const convert_args *args = (const convert_args *) call->args;
  const int64_t parts = convert_by_channel (args) ? in->grid->channels : 1, planes = array_planes (in) / parts,
                lines = planes * array_rows (in), most = 32 * (int64_t) multiprocessors ();
  const unsigned blocks = (unsigned) (lines < most ? lines : most);
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  with_type (in->grid->type, [&] (auto from) {
    with_type (out->grid->type, [&] (auto to) {
      using T = decltype (from);
      using R = decltype (to);
      for (int64_t c = 0; c < parts; c++)
        convert_kernel<T, R><<<blocks, 256, 0, cuda_stream (call)>>> (view_of_planes<const T> (in, c * planes, planes),
                                                                      view_of_planes<R> (out, c * planes, planes),
                                                                      convert_range_of (args, in->grid->type, c));
    });
  });
  return cuda_status (cudaGetLastError (), "Converting", error);
}

/* SPDX-License-Identifier: MIT
 *
 * montage on the GPU: one kernel, 256 threads a block, a row of the result for each block in turn; reads each pixel once and writes each pixel
 * of the result once. No synchronisation.
 */
#include "kernels/common/row.cuh"
#include "kernels/image/montage.h"

template <typename T>
__global__ static void __launch_bounds__ (256)
  montage_kernel (montage_plan p, double value, view<const T> in, view<T> out)
{
  const T empty = pixel_from<T> (value);
  for (int64_t line = blockIdx.x; line < out.planes * out.rows; line += gridDim.x) {
    const int64_t plane = line / out.rows, y = line - plane * out.rows, tiles = y / p.height * p.columns,
                  from = y % p.height;
    T *to = out.row (plane, y);
    for (int64_t x = threadIdx.x; x < out.columns; x += 256) {
      const int64_t tile = tiles + x / p.width, column = x % p.width;
      to[x] = tile < p.planes.count && from < in.rows && column < in.columns
                ? in.row (project_plane (&p.planes, plane, tile), from)[column]
                : empty;
    }
  }
}

extern "C" fv_status
montage_cuda (const fv_call *call, fv_error *error)
{
  const montage_args *a = (const montage_args *) call->args;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const int64_t lines = array_planes (out) * array_rows (out), most = 32 * (int64_t) multiprocessors ();
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    montage_kernel<T><<<(unsigned) (lines < most ? lines : most), 256, 0, cuda_stream (call)>>> (
      montage_plan_of (a, in->grid), a->value, view_of<const T> (in), view_of<T> (out));
  });
  return cuda_status (cudaGetLastError (), "Laying out", error);
}

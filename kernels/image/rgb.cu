/* SPDX-License-Identifier: MIT
 *
 * rgb on the GPU: one kernel, 256 threads a block, a row for each block in turn; reads a pixel of three channels and writes one or three. No
 * synchronisation.
 */
#include "kernels/common/row.cuh"
#include "kernels/image/rgb.h"

/* step: planes from a channel of the input to the next. */
template <typename T, typename R>
__global__ static void __launch_bounds__ (256)
  rgb_kernel (rgb_rule r, view<const T> in, view<R> out, int64_t depth, int64_t step, int64_t channels)
{
  for (int64_t line = blockIdx.x; line < depth * in.rows; line += gridDim.x) {
    const int64_t z = line / in.rows, y = line - z * in.rows;
    for (int64_t x = threadIdx.x; x < in.columns; x += 256) {
      const double stored[3] = {(double) in.row (z, y)[x], (double) in.row (z + step, y)[x],
                                (double) in.row (z + 2 * step, y)[x]};
      double to[3];
      rgb_pixel (&r, stored, to);
      out.row (z, y)[x] = pixel_from<R> (to[0]);
      if (channels == 3) {
        out.row (z + depth, y)[x] = pixel_from<R> (to[1]);
        out.row (z + 2 * depth, y)[x] = pixel_from<R> (to[2]);
      }
    }
  }
}

template <typename T, typename R>
static void
rgb_launch (const fv_call *call)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const int64_t depth = grid_depth (in->grid), lines = depth * array_rows (in),
                most = 32 * (int64_t) multiprocessors ();
  rgb_kernel<T, R><<<(unsigned) (lines < most ? lines : most), 256, 0, cuda_stream (call)>>> (
    rgb_rule_of ((const rgb_args *) call->args, in->grid->type), view_of<const T> (in), view_of<R> (out), depth,
    in->grid->channels == 1 ? 0 : depth, out->grid->channels);
}

extern "C" fv_status
rgb_cuda (const fv_call *call, fv_error *error)
{
  const fv_type to = call->outputs[0]->grid->type;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  with_type (call->inputs[0]->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    if (to == FV_F32)
      rgb_launch<T, float> (call);
    else if (to == FV_F64)
      rgb_launch<T, double> (call);
    else
      rgb_launch<T, T> (call);
  });
  return cuda_status (cudaGetLastError (), "Converting colours", error);
}

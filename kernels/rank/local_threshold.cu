/* SPDX-License-Identifier: MIT
 *
 * local_threshold on the GPU: other filters, then local_threshold_kernel: 256 threads a block, a pixel each; it and one or two numbers read, a
 * byte written. Nothing waits.
 */
#include "kernels/common/common.cuh"
#include "kernels/rank/local_threshold.h"

#include <type_traits>

template <typename T, typename S>
__global__ static void __launch_bounds__ (256)
  local_threshold_kernel (view<const T> in, view<const S> first, view<const S> second, view<uint8_t> out,
                          const __grid_constant__ local_threshold_rule rule)
{
  int64_t x = (int64_t) blockIdx.x * 256 + threadIdx.x;
  if (x >= out.columns)
    return;
  for (int64_t z = blockIdx.z; z < out.planes; z += gridDim.z)
    for (int64_t y = blockIdx.y; y < out.rows; y += gridDim.y) {
      double v = (double) in.row (z, y)[x], a = (double) first.row (z, y)[x], b = (double) second.row (z, y)[x];
      out.row (z, y)[x] = local_threshold_above (&rule, v, a, b) ? 255 : 0;
    }
}

template <typename T, typename S>
static void
compare_local (const fv_call *call, const local_threshold_images *images)
{
  view<uint8_t> out = view_of<uint8_t> (call->outputs[0]);
  local_threshold_kernel<T, S>
    <<<grid_of_rows (out.planes, out.rows, blocks_for (out.columns, 256)), 256, 0, cuda_stream (call)>>> (
      view_of<const T> (call->inputs[0]), view_of<const S> (&images->array[0]),
      view_of<const S> (&images->array[images->n - 1]), out, images->rule);
}

fv_status
local_threshold_cuda (const fv_call *call, fv_error *error)
{
  local_threshold_images images;
  fv_type type = call->inputs[0]->grid->type;
  if (local_threshold_prepare (call, FV_CUDA, &images, error))
    return error->code;
  with_type (type, [&] (auto zero) {
    using T = decltype (zero);
    if (images.grid[0].type == type)
      compare_local<T, T> (call, &images);
    else
      compare_local<T, float> (call, &images);
  });
  return cuda_status (cudaGetLastError (), "A local threshold", error);
}

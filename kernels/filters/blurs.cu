/* SPDX-License-Identifier: MIT
 *
 * blurs on the GPU: gaussian, and add_kernel: 256 threads a block, a pixel each; two numbers read, one written. Nothing waits.
 */
#include "kernels/common/common.cuh"
#include "kernels/filters/blurs.h"

template <typename T>
__global__ static void __launch_bounds__ (256) add_kernel (view<T> to, T own, view<const T> from, T weight)
{
  int64_t x = (int64_t) blockIdx.x * 256 + threadIdx.x;
  if (x >= to.columns)
    return;
  for (int64_t z = blockIdx.z; z < to.planes; z += gridDim.z)
    for (int64_t y = blockIdx.y; y < to.rows; y += gridDim.y)
      to.row (z, y)[x] = own * to.row (z, y)[x] + weight * from.row (z, y)[x];
}

template <typename T>
static cudaError_t
add (const fv_call *call, double own, const fv_array *from, double weight)
{
  view<T> to = view_of<T> (call->outputs[0]);
  add_kernel<<<grid_of_rows (to.planes, to.rows, blocks_for (to.columns, 256)), 256, 0, cuda_stream (call)>>> (
    to, (T) own, view_of<const T> (from), (T) weight);
  return cudaGetLastError ();
}

fv_status
blurs_sum_cuda (const fv_call *call, const blurs_term *terms, int n, fv_error *error)
{
  bool wide = call->outputs[0]->grid->type == FV_F64;
  scratch_image more;
  if (blurs_make (call, FV_CUDA, &terms[0].blur, call->outputs[0], error) || blurs_room (call, &more, error))
    return error->code;
  for (int i = 1; i < n; i++) {
    if (blurs_make (call, FV_CUDA, &terms[i].blur, &more.array, error))
      return error->code;
    double own = i == 1 ? terms[0].weight : 1;
    cudaError_t code = wide ? add<double> (call, own, &more.array, terms[i].weight)
                            : add<float> (call, own, &more.array, terms[i].weight);
    if (cuda_status (code, "A sum of blurs", error))
      return error->code;
  }
  return FV_OK;
}

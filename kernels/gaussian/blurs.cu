/* SPDX-License-Identifier: MIT
 *
 * blurs on the GPU: gaussian, and the kernel of rows.cuh: a pixel for each thread; two numbers read, one written. Nothing waits.
 */
#include "kernels/common/rows.cuh"
#include "kernels/gaussian/blurs.h"

template <typename T>
static cudaError_t
add (const fv_call *call, double own, const fv_array *more, double weight)
{
  const view<T> to = view_of<T> (call->outputs[0]);
  const view<const T> from = view_of<const T> (more);
  columns_launch (call, to, [=, a = (T) own, b = (T) weight] __device__ (int64_t z, int64_t y, int64_t x) {
    to.row (z, y)[x] = a * to.row (z, y)[x] + b * from.row (z, y)[x];
  });
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

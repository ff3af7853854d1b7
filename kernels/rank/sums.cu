/* SPDX-License-Identifier: MIT
 *
 * sums on the GPU: each thread goes over the footprint of its pixel, and sums in double.
 *
 * sums_kernel: 256 threads a block, a pixel each in turn; reads the pixels under the footprint from L1, writes each pixel once. Nothing
 * waits.
 */
#include "kernels/common/row.cuh"
#include "kernels/rank/sums.h"
#include "kernels/rank/surroundings.cuh"

template <typename T> struct sums_pixel {
  __device__ T operator() (T v) const
  {
    return v;
  }
};

template <typename T, typename R, bool VARIANCE>
__global__ static void __launch_bounds__ (256) sums_kernel (surroundings<T> s, view<R> out, double n)
{
  int64_t pixels = out.rows * out.columns;
  for (int64_t i = (int64_t) blockIdx.x * 256 + threadIdx.x; i < out.planes * pixels; i += (int64_t) gridDim.x * 256) {
    int64_t z = i / pixels, y = i % pixels / out.columns, x = i % out.columns;
    const T *centre = s.data + z * s.plane + y * s.row + x;
    double sum = 0, squares = 0;
    for (int64_t r = 0; r < s.n_runs; r++) {
      const T *p = centre + s.runs[r].at;
#pragma unroll 4
      for (int32_t k = 0; k < s.runs[r].length; k++) {
        double v = (double) p[k];
        sum += v;
        if (VARIANCE)
          squares += v * v;
      }
    }
    double v = VARIANCE ? (squares - sum * (sum / n)) / n : sum / n;
    out.row (z, y)[x] = pixel_from<R> (VARIANCE && v < 0 ? 0 : v);
  }
}

template <typename T, typename R>
static fv_status
run_footprint_sums (const fv_call *call, fv_error *error)
{
  surroundings<T> s;
  view<R> out = view_of<R> (call->outputs[0]);
  double n = (double) neighbourhood_count ((const neighbourhood_args *) call->args);
  unsigned blocks = surroundings_blocks (out.planes * out.rows * out.columns);
  if (make_surroundings<T> (call, &s, sums_pixel<T> (), error))
    return error->code;
  if ((intptr_t) call->op->user == SUMS_VARIANCE)
    sums_kernel<T, R, true><<<blocks, 256, 0, cuda_stream (call)>>> (s, out, n);
  else
    sums_kernel<T, R, false><<<blocks, 256, 0, cuda_stream (call)>>> (s, out, n);
  return cuda_status (cudaGetLastError (), "Sums over a footprint", error);
}

fv_status
sums_cuda (const fv_call *call, fv_error *error)
{
  fv_type type = call->outputs[0]->grid->type;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  return with_type (call->inputs[0]->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    return type == call->inputs[0]->grid->type ? run_footprint_sums<T, T> (call, error) : run_footprint_sums<T, float> (call, error);
  });
}

/* SPDX-License-Identifier: MIT
 *
 * sums on the GPU: boxes by columns, then by rows, those of small integers as integers, else in double; over other footprints each thread goes
 * over that of its pixel.
 *
 * sums_kernel: 256 threads a block, a pixel each; reads the pixels under the footprint from L1, writes each pixel once. Nothing waits.
 */
#include "kernels/common/row.cuh"
#include "kernels/rank/boxes.cuh"
#include "kernels/rank/rolling.cuh"
#include "kernels/rank/sums.h"
#include "kernels/rank/surroundings.cuh"
#include "kernels/rank/whole_boxes.cuh"

template <typename T> struct sums_pixel {
  __device__ T operator() (T v) const
  {
    return v;
  }
};

template <typename T, typename R, bool VARIANCE>
__global__ static void __launch_bounds__ (256)
  sums_kernel (const __grid_constant__ surroundings<T> s, surroundings_runs runs, view<R> out, double n, double inverse)
{
  int64_t x = (int64_t) blockIdx.x * 256 + threadIdx.x;
  if (x >= out.columns)
    return;
  for (int64_t z = blockIdx.z; z < out.planes; z += gridDim.z)
    for (int64_t y = blockIdx.y; y < out.rows; y += gridDim.y) {
      const T *first = s.data + z * s.plane + y * s.row + x;
      double sum = 0, squares = 0;
      for (int64_t r = 0; r < runs.n; r++) {
        const T *p = first + runs.run[r].at;
#pragma unroll 4
        for (int32_t k = 0; k < runs.run[r].length; k++) {
          double v = (double) p[k];
          sum += v;
          if (VARIANCE)
            squares += v * v;
        }
      }
      out.row (z, y)[x] = pixel_from<R> (sums_result<VARIANCE> (sum, squares, n, inverse));
    }
}

/* Puts a mean or a variance in its place. */
template <typename R, bool VARIANCE> struct put_sums {
  view<R> out;
  double n, inverse;

  __device__ void operator() (int64_t z, int64_t y, int64_t x, double sum, double squares) const
  {
    out.row (z, y)[x] = pixel_from<R> (sums_result<VARIANCE> (sum, squares, n, inverse));
  }
};

template <typename T, typename R, bool VARIANCE>
static fv_status
run_footprint_sums (const fv_call *call, fv_error *error)
{
  surroundings<T> s;
  surroundings_runs runs;
  view<R> out = view_of<R> (call->outputs[0]);
  double n = (double) neighbourhood_count ((const neighbourhood_args *) call->args);
  bool done = false;
  fv_status status = FV_OK;
  if constexpr (sizeof (T) <= 2)
    status = run_whole_boxes<T, VARIANCE> (call, put_sums<R, VARIANCE>{out, n, 1 / n}, &done, error);
  if constexpr (std::is_same<T, float>::value && !VARIANCE)
    status = run_rolling (call, &done, error);
  if (!status && !done)
    status = run_boxes<T, R, VARIANCE> (call, &done, error);
  if (status || done)
    return status;
  if (make_surroundings<T> (call, &s, sums_pixel<T> (), error) || send_runs (call, &s, &runs, error))
    return error->code;
  sums_kernel<T, R, VARIANCE>
    <<<grid_of_rows (out.planes, out.rows, blocks_for (out.columns, 256)), 256, 0, cuda_stream (call)>>> (s, runs, out,
                                                                                                          n, 1 / n);
  return cuda_status (cudaGetLastError (), "Sums over a footprint", error);
}

template <typename T, typename R>
static fv_status
run_sums_of (const fv_call *call, fv_error *error)
{
  return (intptr_t) call->op->user == SUMS_VARIANCE ? run_footprint_sums<T, R, true> (call, error)
                                                    : run_footprint_sums<T, R, false> (call, error);
}

fv_status
sums_cuda (const fv_call *call, fv_error *error)
{
  fv_type type = call->outputs[0]->grid->type;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  return with_type (call->inputs[0]->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    return type == call->inputs[0]->grid->type ? run_sums_of<T, T> (call, error) : run_sums_of<T, float> (call, error);
  });
}

/* SPDX-License-Identifier: MIT
 *
 * bilateral_kernel: 32 x 8 threads a block, a pixel each, which goes over its square. Reads that from L1, writes each pixel once. Nothing waits.
 */
#include "kernels/filters/bilateral.h"
#include "kernels/filters/stencil.cuh"

#include <type_traits>

template <typename T> struct bilateral_sum {
  T center, range, sum, weights;

  __device__ __forceinline__ void add (T pixel, T space)
  {
    T d = pixel - center, w;
    if constexpr (sizeof (T) == 4)
      w = exp_below_0_f32 (space + range * d * d);
    else
      w = exp_below_0_f64 (space + range * d * d);
    weights += w;
    sum += w * d;
  }
};

template <typename In, typename Out, typename T>
__device__ __forceinline__ T
bilateral_at (const stencil_job<In, Out, T> &j, const bilateral_rule &r, int64_t z, int64_t y, int64_t x)
{
  const int reach = (int) r.reach;
  const T space = (T) r.space;
  const bool inside = x >= reach && x + reach < j.in.columns && y >= reach && y + reach < j.in.rows;
  bilateral_sum<T> s = {(T) j.in.row (z, y)[x], (T) r.range, 0, 0};
  for (int dy = -reach; dy <= reach; dy++) {
    int64_t line = inside ? y + dy : border_index (y + dy, j.in.rows, j.edge);
    const In *row = j.in.row (z, line < 0 ? 0 : line);
#pragma unroll 4
    for (int dx = -reach; dx <= reach; dx++) {
      int64_t at = inside ? x + dx : border_index (x + dx, j.in.columns, j.edge);
      s.add (line < 0 || at < 0 ? j.value : (T) row[at], space * (T) (dx * dx + dy * dy));
    }
  }
  return s.center + s.sum / s.weights;
}

template <typename In, typename Out, typename T>
__global__ static void __launch_bounds__ (256)
  bilateral_kernel (const __grid_constant__ stencil_job<In, Out, T> j, const bilateral_rule r)
{
  int64_t x = (int64_t) blockIdx.x * 32 + threadIdx.x;
  if (x >= j.out.columns)
    return;
  for (int64_t z = blockIdx.z; z < j.out.planes; z += gridDim.z)
    for (int64_t y = (int64_t) blockIdx.y * 8 + threadIdx.y; y < j.out.rows; y += (int64_t) gridDim.y * 8)
      j.out.row (z, y)[x] = pixel_from<Out> (bilateral_at (j, r, z, y, x));
}

template <typename In, typename Out>
static cudaError_t
run_bilateral (const fv_call *call)
{
  using T = std::conditional_t<(sizeof (In) < 4 || std::is_same_v<In, float>), float, double>;
  const bilateral_args *a = (const bilateral_args *) call->args;
  stencil_job<In, Out, T> j = {view_of<const In> (call->inputs[0]), view_of<Out> (call->outputs[0]),
                               (border) a->around.border, (T) a->around.value};
  bilateral_kernel<<<grid_of_rows (j.out.planes, blocks_for (j.out.rows, 8), blocks_for (j.out.columns, 32)),
                     dim3 (32, 8), 0, cuda_stream (call)>>> (j, bilateral_make_rule (a));
  return cudaGetLastError ();
}

fv_status
bilateral_cuda (const fv_call *call, fv_error *error)
{
  fv_type type = call->inputs[0]->grid->type;
  bool same = call->outputs[0]->grid->type == type;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  return with_type (type, [&] (auto zero) {
    using In = decltype (zero);
    return cuda_status (same ? run_bilateral<In, In> (call) : run_bilateral<In, float> (call), "bilateral", error);
  });
}

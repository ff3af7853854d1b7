/* SPDX-License-Identifier: MIT
 *
 * nlmeans_kernel: 32 x 8 threads a block, a pixel each, which goes over its patch for each shift. Reads what is around it from L1, writes each
 * pixel once. Nothing waits.
 */
#include "kernels/filters/nlmeans.h"
#include "kernels/filters/stencil.cuh"

#include <type_traits>

/* Pixels around one; far from the edges without a look at them. */
template <typename In, typename T> struct nlmeans_around {
  view<const In> in;
  int64_t z, y, x;
  bool inside;

  __device__ __forceinline__ T at (int dy, int dx) const
  {
    return (T) (inside ? in.row (z, y + dy)[x + dx]
                       : in.row (z, border_index (y + dy, in.rows,
                                                  BORDER_MIRROR))[border_index (x + dx, in.columns, BORDER_MIRROR)]);
  }
};

template <typename T>
__device__ __forceinline__ T
nlmeans_weight (T distance)
{
  if (distance > 80)
    return 0;
  distance = distance > 0 ? -distance : distance == distance ? 0 : distance;
  if constexpr (sizeof (T) == 4)
    return exp_below_0_f32 (distance);
  else
    return exp_below_0_f64 (distance);
}

template <typename In, typename T>
__device__ T
nlmeans_fast (const nlmeans_around<In, T> &p, const nlmeans_rule &r, int ty, int tx)
{
  T sum = 0;
  for (int x = 1 - r.reach; x <= r.reach; x++) {
    T column = 0;
    for (int y = 1 - r.reach; y <= r.reach; y++) {
      const T d = p.at (y, x) - p.at (y + ty, x + tx);
      column += d * d - (T) r.noise;
    }
    sum += column;
  }
  return sum > (T) (5 / r.share) ? (T) INFINITY : sum * (T) r.share;
}

template <typename In, typename T>
__device__ T
nlmeans_exact (const nlmeans_around<In, T> &p, const nlmeans_rule &r, int ty, int tx)
{
  T sum = 0;
  for (int y = -r.reach; y <= r.reach; y++) {
    if (sum > 5)
      return (T) INFINITY;
    for (int x = -r.reach; x <= r.reach; x++) {
      const T d = p.at (y, x) - p.at (y + ty, x + tx);
      sum += (T) r.weights[y < 0 ? -y : y][x < 0 ? -x : x] * (d * d - (T) r.noise);
    }
  }
  return sum;
}

template <typename In, typename T>
__device__ __forceinline__ T
nlmeans_at (const nlmeans_around<In, T> &p, const nlmeans_rule &r)
{
  const bool fast = r.method == NLMEANS_FAST;
  const T centre = p.at (0, 0);
  T sum = 0, weights = 0;
  for (int ty = -r.distance; ty <= r.distance; ty++)
    for (int tx = -r.distance; tx <= r.distance; tx++) {
      const T w = nlmeans_weight (fast ? nlmeans_fast (p, r, ty, tx) : nlmeans_exact (p, r, ty, tx));
      weights += w;
      sum += w * (p.at (ty, tx) - centre);
    }
  return centre + sum / weights;
}

template <typename In, typename Out, typename T>
__global__ static void __launch_bounds__ (256)
  nlmeans_kernel (view<const In> in, view<Out> out, const __grid_constant__ nlmeans_rule r)
{
  const int64_t x = (int64_t) blockIdx.x * 32 + threadIdx.x, far = r.reach + r.distance;
  if (x >= out.columns)
    return;
  for (int64_t z = blockIdx.z; z < out.planes; z += gridDim.z)
    for (int64_t y = (int64_t) blockIdx.y * 8 + threadIdx.y; y < out.rows; y += (int64_t) gridDim.y * 8) {
      const nlmeans_around<In, T> p = {in, z, y, x, y >= far && y + far < in.rows && x >= far && x + far < in.columns};
      out.row (z, y)[x] = pixel_from<Out> (nlmeans_at (p, r));
    }
}

template <typename In, typename Out>
static cudaError_t
run_nlmeans (const fv_call *call)
{
  using T = std::conditional_t<(sizeof (In) < 4 || std::is_same_v<In, float>), float, double>;
  const view<const In> in = view_of<const In> (call->inputs[0]);
  nlmeans_kernel<In, Out, T><<<grid_of_rows (in.planes, blocks_for (in.rows, 8), blocks_for (in.columns, 32)),
                               dim3 (32, 8), 0, cuda_stream (call)>>> (
    in, view_of<Out> (call->outputs[0]), nlmeans_make_rule ((const nlmeans_args *) call->args));
  return cudaGetLastError ();
}

fv_status
nlmeans_cuda (const fv_call *call, fv_error *error)
{
  const fv_type type = call->inputs[0]->grid->type;
  const bool same = call->outputs[0]->grid->type == type;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  return with_type (type, [&] (auto zero) {
    using In = decltype (zero);
    return cuda_status (same ? run_nlmeans<In, In> (call) : run_nlmeans<In, float> (call), "nlmeans", error);
  });
}

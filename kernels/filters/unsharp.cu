/* SPDX-License-Identifier: MIT
 *
 * unsharp on the GPU: blur and result of a plane at once, or gaussian, and sharpen_kernel: 256 threads a block, a pixel each; it and its blur read, one pixel written. Nothing waits.
 */
#include "kernels/filters/blurs_plane.cuh"
#include "kernels/filters/gaussian_imagej.h"
#include "kernels/filters/unsharp.h"

#include <type_traits>

template <typename O> struct unsharp_rule {
  using T = float;
  using Out = O;
  static constexpr int terms = 1, resident = 5;
  static constexpr bool apart = false, alike = true, takes_pixel = true;
  float amount;

  __device__ __forceinline__ Out operator() (float blurred, float v) const
  {
    return pixel_from<Out> (v + amount * (v - blurred));
  }
};

template <typename In, typename T, typename Out>
__global__ static void __launch_bounds__ (256)
  sharpen_kernel (view<const In> in, view<const T> blurred, view<Out> out, double amount)
{
  using W = std::conditional_t<(sizeof (In) < 4 || std::is_same_v<In, float>), float, double>;
  int64_t x = (int64_t) blockIdx.x * 256 + threadIdx.x;
  if (x >= out.columns)
    return;
  for (int64_t z = blockIdx.z; z < out.planes; z += gridDim.z)
    for (int64_t y = blockIdx.y; y < out.rows; y += gridDim.y) {
      W v = (W) in.row (z, y)[x];
      out.row (z, y)[x] = pixel_from<Out> (v + (W) amount * (v - (W) blurred.row (z, y)[x]));
    }
}

/* As ImageJ does it, of the types that it has. */
template <typename In, typename Out>
__global__ static void __launch_bounds__ (256)
  sharpen_imagej_kernel (view<const In> in, view<const float> blurred, view<Out> out, float weight)
{
  const int64_t x = (int64_t) blockIdx.x * 256 + threadIdx.x;
  if (x >= out.columns)
    return;
  for (int64_t z = blockIdx.z; z < out.planes; z += gridDim.z)
    for (int64_t y = blockIdx.y; y < out.rows; y += gridDim.y) {
      float v = unsharp_imagej ((float) in.row (z, y)[x], blurred.row (z, y)[x], weight);
      if constexpr (sizeof (Out) < 4)
        v = gaussian_imagej_rounded (v, sizeof (Out) == 1 ? 255.f : 65535.f);
      out.row (z, y)[x] = pixel_from<Out> (v);
    }
}

template <typename In, typename Out>
static cudaError_t
sharpen_imagej (const fv_call *call, const fv_array *blurred)
{
  const view<Out> out = view_of<Out> (call->outputs[0]);
  sharpen_imagej_kernel<<<grid_of_rows (out.planes, out.rows, blocks_for (out.columns, 256)), 256, 0,
                          cuda_stream (call)>>> (view_of<const In> (call->inputs[0]), view_of<const float> (blurred),
                                                 out, unsharp_weight (((const unsharp_args *) call->args)->amount));
  return cudaGetLastError ();
}

template <typename In, typename Out>
static cudaError_t
sharpen (const fv_call *call, const fv_array *blurred)
{
  using T = std::conditional_t<std::is_same_v<In, double>, double, float>;
  view<Out> out = view_of<Out> (call->outputs[0]);
  sharpen_kernel<<<grid_of_rows (out.planes, out.rows, blocks_for (out.columns, 256)), 256, 0, cuda_stream (call)>>> (
    view_of<const In> (call->inputs[0]), view_of<const T> (blurred), out, ((const unsharp_args *) call->args)->amount);
  return cudaGetLastError ();
}

fv_status
unsharp_cuda (const fv_call *call, fv_error *error)
{
  const gaussian_args blur = unsharp_blur ((const unsharp_args *) call->args);
  fv_type type = call->inputs[0]->grid->type;
  bool same = call->outputs[0]->grid->type == type;
  const blurs_term term = {blur, 1};
  scratch_image blurred;
  const bool imagej = blur.method == GAUSSIAN_IMAGEJ && (type == FV_U8 || type == FV_U16 || type == FV_F32);
  if (blur.method != GAUSSIAN_IMAGEJ && blurs_at_once<float> (call, &term, 1))
    return with_float_pixels (type, [&] (auto zero) {
      using In = decltype (zero);
      const float amount = (float) ((const unsharp_args *) call->args)->amount;
      return same ? blurs_run<In> (call, &term, unsharp_rule<In>{amount}, "unsharp", error)
                  : blurs_run<In> (call, &term, unsharp_rule<float>{amount}, "unsharp", error);
    });
  if (blurs_room (call, &blurred, error) || blurs_make (call, FV_CUDA, &blur, &blurred.array, error))
    return error->code;
  if (imagej)
    return with_float_pixels (type, [&] (auto zero) {
      using In = decltype (zero);
      return cuda_status (same ? sharpen_imagej<In, In> (call, &blurred.array)
                               : sharpen_imagej<In, float> (call, &blurred.array),
                          "unsharp", error);
    });
  return with_type (type, [&] (auto zero) {
    using In = decltype (zero);
    cudaError_t code = same ? sharpen<In, In> (call, &blurred.array) : sharpen<In, float> (call, &blurred.array);
    return cuda_status (code, "unsharp", error);
  });
}

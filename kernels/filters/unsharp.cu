/* SPDX-License-Identifier: MIT
 *
 * unsharp on the GPU: blur and result of a plane at once, or gaussian, and the kernel of rows.cuh: a pixel and its blur read, one pixel written. Nothing waits.
 */
#include "kernels/common/rows.cuh"
#include "kernels/gaussian/blurs_plane.cuh"
#include "kernels/gaussian/gaussian_imagej.h"
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

/* As ImageJ does it, of the types that it has. */
template <typename In, typename Out>
static cudaError_t
sharpen_imagej (const fv_call *call, const fv_array *made)
{
  const view<const In> in = view_of<const In> (call->inputs[0]);
  const view<const float> blurred = view_of<const float> (made);
  const view<Out> out = view_of<Out> (call->outputs[0]);
  const float weight = unsharp_weight (((const unsharp_args *) call->args)->amount);
  columns_launch (call, out, [=] __device__ (int64_t z, int64_t y, int64_t x) {
    const float v = unsharp_imagej ((float) in.row (z, y)[x], blurred.row (z, y)[x], weight);
    set_pixel (out.row (z, y)[x],
               sizeof (Out) < 4 ? gaussian_imagej_rounded (v, sizeof (Out) == 1 ? 255.f : 65535.f) : v);
  });
  return cudaGetLastError ();
}

template <typename In, typename Out>
static cudaError_t
sharpen (const fv_call *call, const fv_array *made)
{
  using T = std::conditional_t<std::is_same_v<In, double>, double, float>;
  using W = std::conditional_t<(sizeof (In) < 4 || std::is_same_v<In, float>), float, double>;
  const view<const In> in = view_of<const In> (call->inputs[0]);
  const view<const T> blurred = view_of<const T> (made);
  const view<Out> out = view_of<Out> (call->outputs[0]);
  const W amount = (W) ((const unsharp_args *) call->args)->amount;
  columns_launch (call, out, [=] __device__ (int64_t z, int64_t y, int64_t x) {
    const W v = (W) in.row (z, y)[x];
    set_pixel (out.row (z, y)[x], v + amount * (v - (W) blurred.row (z, y)[x]));
  });
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

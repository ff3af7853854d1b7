/* SPDX-License-Identifier: MIT
 *
 * anisotropic on the GPU: the kernel of stencil.cuh, once for each step.
 */
#include "kernels/common/scratch_image.h"
#include "kernels/filters/anisotropic.h"
#include "kernels/filters/stencil.cuh"

#include <type_traits>

template <typename T, bool EXPONENTIAL> struct anisotropic_pixel {
  T factor, step;

  __device__ __forceinline__ T flow (T d) const
  {
    if constexpr (sizeof (T) == 4)
      return anisotropic_flow_f32 (d, factor, EXPONENTIAL);
    else
      return anisotropic_flow_f64 (d, factor, EXPONENTIAL);
  }

  /* Between two pixels always from the one before: the compiler then computes what a thread needs for both once. */
  template <bool VOLUME> __device__ __forceinline__ T at (const T (&v)[3][3][3]) const
  {
    const T u = v[1][1][1];
    T to = u + step * (flow (v[1][1][2] - u) - flow (u - v[1][1][0]));
    to += step * (flow (v[1][2][1] - u) - flow (u - v[1][0][1]));
    if (VOLUME)
      to += step * (flow (v[2][1][1] - u) - flow (u - v[0][1][1]));
    return to;
  }
};

template <typename T, bool EXPONENTIAL, typename In, typename Out>
static fv_status
diffuse (const fv_call *call, fv_error *error)
{
  const anisotropic_args *a = (const anisotropic_args *) call->args;
  const anisotropic_pixel<T, EXPONENTIAL> pixel = {(T) (-1 / (a->contrast * a->contrast)), (T) a->step};
  view<const In> in = view_of<const In> (call->inputs[0]);
  view<Out> out = view_of<Out> (call->outputs[0]);
  scratch_image image[2];
  view<T> between[2] = {};
  for (int i = 0; i < 2 && i < a->iterations - 1; i++) {
    if (scratch_image_take (call, call->inputs[0], sizeof (T) == 4 ? FV_F32 : FV_F64, FV_IMAGE, &image[i], error))
      return error->code;
    between[i] = view_of<T> (&image[i].array);
  }
  for (int32_t i = 0; i < a->iterations; i++) {
    const view<T> &v = between[(i + 1) % 2], &to = between[i % 2];
    const view<const T> from = {v.data, v.planes, v.rows, v.columns, v.plane_stride, v.row_stride};
    const bool first = i == 0, last = i == a->iterations - 1;
    cudaError_t code = first && last ? run_stencil<T> (call, &a->around, in, out, pixel)
                       : first       ? run_stencil<T> (call, &a->around, in, to, pixel)
                       : last        ? run_stencil<T> (call, &a->around, from, out, pixel)
                                     : run_stencil<T> (call, &a->around, from, to, pixel);
    if (cuda_status (code, "anisotropic", error))
      return error->code;
    if (call->host->tick (call, i, a->iterations))
      return cancelled (error);
  }
  return FV_OK;
}

template <typename In, typename Out>
static fv_status
diffuse_in (fv_type working, const fv_call *call, fv_error *error)
{
  const bool exponential = ((const anisotropic_args *) call->args)->conductance == ANISOTROPIC_EXPONENTIAL;
  if constexpr (sizeof (In) < 4 || std::is_same_v<In, float>)
    if (working == FV_F32)
      return exponential ? diffuse<float, true, In, Out> (call, error) : diffuse<float, false, In, Out> (call, error);
  return exponential ? diffuse<double, true, In, Out> (call, error) : diffuse<double, false, In, Out> (call, error);
}

fv_status
anisotropic_cuda (const fv_call *call, fv_error *error)
{
  fv_type type = call->inputs[0]->grid->type;
  fv_type working = anisotropic_working_type ((const anisotropic_args *) call->args, type);
  bool same = call->outputs[0]->grid->type == type;
  return with_type (type, [&] (auto zero) {
    using In = decltype (zero);
    return same ? diffuse_in<In, In> (working, call, error) : diffuse_in<In, float> (working, call, error);
  });
}

/* SPDX-License-Identifier: MIT
 *
 * sobel on the GPU: the kernel of stencil.cuh.
 */
#include "kernels/filters/sobel.h"
#include "kernels/filters/stencil.cuh"

#include <float.h>

/* The square root of what is not negative, rounded as sqrt() rounds it and without a branch, which costs more than all else here. */
__device__ __forceinline__ float
sobel_root (float v)
{
  const bool small = v < 0x1p-100f; /* too small for the digits that the correction needs */
  const float s = small ? v * 0x1p64f : v, r = rsqrtf (s), root = s * r;
  const float better = fmaf (fmaf (-root, root, s), r / 2, root);
  return v > 0 && v <= FLT_MAX ? better * (small ? 0x1p-32f : 1.f) : v;
}

__device__ __forceinline__ double
sobel_root (double v)
{
  return sqrt (v);
}

enum sobel_what { SLOPE, MAGNITUDE, MAGNITUDE_DOWN };

/* V: the pixels around, T (&)[3][3][3]. */
template <typename T, sobel_what WHAT> struct sobel_pixel {
  sobel_direction direction;
  T scale;

#define AT(Z, Y, X) v[(Z) + 1][(Y) + 1][(X) + 1]
  template <bool VOLUME> __device__ __forceinline__ T slope (const T (&v)[3][3][3], sobel_direction along) const
  {
    switch (along) {
    case SOBEL_X: return VOLUME ? SOBEL_OVER (SOBEL_GX, AT) : SOBEL_GX (0, AT);
    case SOBEL_Y: return VOLUME ? SOBEL_OVER (SOBEL_GY, AT) : SOBEL_GY (0, AT);
    default: return VOLUME ? SOBEL_OVER (SOBEL_GZ, AT) : 0;
    }
  }
#undef AT

  template <bool VOLUME> __device__ __forceinline__ T at (const T (&v)[3][3][3]) const
  {
    if (WHAT == SLOPE)
      return scale * slope<VOLUME> (v, direction);
    T x = slope<VOLUME> (v, SOBEL_X), y = slope<VOLUME> (v, SOBEL_Y), squares = x * x + y * y;
    if (VOLUME) {
      T z = slope<VOLUME> (v, SOBEL_Z);
      squares += z * z;
    }
    T sum = scale * sobel_root (squares);
    return WHAT == MAGNITUDE_DOWN ? floor (sum) : sum;
  }
};

template <sobel_what WHAT, typename T, typename In, typename Out>
static cudaError_t
find_edges_as (const fv_call *call, const stencil_args *around, const sobel_rule &rule)
{
  const sobel_pixel<T, WHAT> pixel = {rule.direction, (T) rule.scale};
  return run_stencil<T> (call, around, view_of<const In> (call->inputs[0]), view_of<Out> (call->outputs[0]), pixel);
}

template <typename T, typename In, typename Out>
static cudaError_t
find_edges (const fv_call *call)
{
  const sobel_args *a = (const sobel_args *) call->args;
  const stencil_args around = sobel_around (a);
  const sobel_rule rule = sobel_make_rule (a, call->inputs[0]->grid->type);
  if (rule.direction != SOBEL_ALL)
    return find_edges_as<SLOPE, T, In, Out> (call, &around, rule);
  if constexpr (In (0.5) == 0)
    if (rule.down)
      return find_edges_as<MAGNITUDE_DOWN, T, In, Out> (call, &around, rule);
  return find_edges_as<MAGNITUDE, T, In, Out> (call, &around, rule);
}

template <typename In, typename Out>
static cudaError_t
find_edges_in (const fv_call *call, bool wide)
{
  if constexpr (sizeof (In) < 4 || (sizeof (In) == 4 && In (0.5) != 0))
    if (!wide)
      return find_edges<float, In, Out> (call);
  return find_edges<double, In, Out> (call);
}

fv_status
sobel_cuda (const fv_call *call, fv_error *error)
{
  fv_type type = call->inputs[0]->grid->type;
  bool same = call->outputs[0]->grid->type == type;
  bool wide = sobel_working_type ((const sobel_args *) call->args, type) == FV_F64;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  return with_type (type, [&] (auto zero) {
    using In = decltype (zero);
    return cuda_status (same ? find_edges_in<In, In> (call, wide) : find_edges_in<In, float> (call, wide), "sobel",
                        error);
  });
}

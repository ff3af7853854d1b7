/* SPDX-License-Identifier: MIT
 *
 * laplacian on the GPU: the kernel of stencil.cuh.
 */
#include "kernels/filters/laplacian.h"
#include "kernels/filters/stencil.cuh"

#include <type_traits>

template <typename T> struct laplacian_pixel {
#define AT(Z, Y, X) v[(Z) + 1][(Y) + 1][(X) + 1]
  template <bool VOLUME> __device__ __forceinline__ T at (const T (&v)[3][3][3]) const
  {
    return VOLUME ? LAPLACIAN_VOLUME (AT) : LAPLACIAN_PLANE (AT);
  }
#undef AT
};

template <typename In>
static cudaError_t
run_laplacian (const fv_call *call)
{
  using T = std::conditional_t<(sizeof (In) < 4 || std::is_same_v<In, float>), float, double>;
  using Out = std::conditional_t<std::is_same_v<In, double>, double, float>;
  const stencil_args *a = (const stencil_args *) call->args;
  return run_stencil<T> (call, a, view_of<const In> (call->inputs[0]), view_of<Out> (call->outputs[0]),
                         laplacian_pixel<T> ());
}

fv_status
laplacian_cuda (const fv_call *call, fv_error *error)
{
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  return with_type (call->inputs[0]->grid->type, [&] (auto zero) {
    return cuda_status (run_laplacian<decltype (zero)> (call), "laplacian", error);
  });
}

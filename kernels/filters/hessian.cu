/* SPDX-License-Identifier: MIT
 *
 * hessian on the GPU: all derivatives of a plane at once, or gaussian, and the kernel of rows.cuh: a pixel for each thread; its three derivatives, in a volume six, read and one number
 * written. Nothing waits.
 */
#include "kernels/common/rows.cuh"
#include "kernels/gaussian/blurs_plane.cuh"
#include "kernels/filters/hessian.h"

struct hessian_rule {
  using T = double;
  using Out = float;
  static constexpr int terms = 3, resident = 2;
  static constexpr bool apart = true, alike = true, takes_pixel = false;
  hessian_value which;

  __device__ __forceinline__ float operator() (float xx, float xy, float yy) const
  {
    const double d[3] = {xx, xy, yy};
    return (float) hessian_of_plane (d, which);
  }
};

template <typename T> struct eigenvalue_job {
  view<const T> derivative[HESSIAN_MOST];
  view<T> out;
  hessian_value which;
};

template <bool VOLUME, typename T>
static cudaError_t
find_eigenvalues (const fv_call *call, const scratch_image *images)
{
  eigenvalue_job<T> j = {
    {}, view_of<T> (call->outputs[0]), (hessian_value) ((const hessian_args *) call->args)->value_of};
  for (int i = 0; i < (VOLUME ? 6 : 3); i++)
    j.derivative[i] = view_of<const T> (&images[i].array);
  columns_launch (call, j.out, [j] __device__ (int64_t z, int64_t y, int64_t x) {
    double d[HESSIAN_MOST];
#pragma unroll
    for (int i = 0; i < (VOLUME ? 6 : 3); i++)
      d[i] = (double) j.derivative[i].row (z, y)[x];
    j.out.row (z, y)[x] = (T) (VOLUME ? hessian_of_volume (d, j.which) : hessian_of_plane (d, j.which));
  });
  return cudaGetLastError ();
}

fv_status
hessian_cuda (const fv_call *call, fv_error *error)
{
  const hessian_args *a = (const hessian_args *) call->args;
  blurs_term terms[HESSIAN_MOST];
  scratch_image images[HESSIAN_MOST];
  if (hessian_terms (a, terms) == hessian_rule::terms && blurs_at_once<double> (call, terms, hessian_rule::terms))
    return with_float_pixels (call->inputs[0]->grid->type, [&] (auto zero) {
      return blurs_run<decltype (zero)> (call, terms, hessian_rule{(hessian_value) a->value_of}, "hessian", error);
    });
  if (hessian_derivatives (call, FV_CUDA, images, error))
    return error->code;
  const bool wide = call->outputs[0]->grid->type == FV_F64;
  const cudaError_t code = a->blur.volume
                             ? (wide ? find_eigenvalues<true, double> : find_eigenvalues<true, float>) (call, images)
                             : (wide ? find_eigenvalues<false, double> : find_eigenvalues<false, float>) (call, images);
  return cuda_status (code, "hessian", error);
}

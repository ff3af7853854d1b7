/* SPDX-License-Identifier: MIT
 *
 * dog on the GPU: both blurs of a plane at once, or two blurs.
 */
#include "kernels/gaussian/blurs_plane.cuh"
#include "kernels/filters/dog.h"

struct dog_rule {
  using T = float;
  using Out = float;
  static constexpr int terms = 2, resident = 4;
  static constexpr bool apart = false, alike = false, takes_pixel = false;

  __device__ __forceinline__ float operator() (float sum) const
  {
    return sum;
  }
};

fv_status
dog_cuda (const fv_call *call, fv_error *error)
{
  blurs_term terms[2];
  dog_terms ((const dog_args *) call->args, terms);
  if (blurs_at_once<float> (call, terms, 2))
    return with_float_pixels (call->inputs[0]->grid->type, [&] (auto zero) {
      return blurs_run<decltype (zero)> (call, terms, dog_rule (), "dog", error);
    });
  return blurs_sum_cuda (call, terms, 2, error);
}

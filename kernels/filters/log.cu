/* SPDX-License-Identifier: MIT
 *
 * log on the GPU: both terms of a plane at once, or a blur for each axis.
 */
#include "kernels/gaussian/blurs_plane.cuh"
#include "kernels/filters/log.h"

/* Sums of derivatives nearly cancel. */
struct log_rule {
  using T = double;
  using Out = float;
  static constexpr int terms = 2, resident = 3;
  static constexpr bool apart = false, alike = true, takes_pixel = false;

  __device__ __forceinline__ float operator() (float sum) const
  {
    return sum;
  }
};

fv_status
log_cuda (const fv_call *call, fv_error *error)
{
  blurs_term terms[3];
  int n = log_terms ((const log_args *) call->args, call->inputs[0]->grid, terms);
  if (n == log_rule::terms && blurs_at_once<double> (call, terms, n))
    return with_float_pixels (call->inputs[0]->grid->type, [&] (auto zero) {
      return blurs_run<decltype (zero)> (call, terms, log_rule (), "log", error);
    });
  return blurs_sum_cuda (call, terms, n, error);
}

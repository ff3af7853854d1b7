/* SPDX-License-Identifier: MIT
 *
 * thin on the GPU: peel.cuh does the work.
 */
#include "kernels/morphology/peel.cuh"
#include "kernels/morphology/thin.h"

struct thin_rule {
  enum { sides = 2 };

  static __device__ __forceinline__ uint64_t word (const uint64_t *up, const uint64_t *own, const uint64_t *down,
                                                   int half)
  {
    return thin_word (up, own, down, half);
  }
};

fv_status
thin_cuda (const fv_call *call, fv_error *error)
{
  return peel_mask<thin_rule> (call, 2 * (int64_t) ((const thin_args *) call->args)->iterations, error);
}

/* SPDX-License-Identifier: MIT
 *
 * dog on the GPU: two blurs.
 */
#include "kernels/filters/dog.h"

fv_status
dog_cuda (const fv_call *call, fv_error *error)
{
  blurs_term terms[2];
  dog_terms ((const dog_args *) call->args, terms);
  return blurs_sum_cuda (call, terms, 2, error);
}

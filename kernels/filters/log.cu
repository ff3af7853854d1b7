/* SPDX-License-Identifier: MIT
 *
 * log on the GPU: a blur for each axis.
 */
#include "kernels/filters/log.h"

fv_status
log_cuda (const fv_call *call, fv_error *error)
{
  blurs_term terms[3];
  int n = log_terms ((const log_args *) call->args, call->inputs[0]->grid, terms);
  return blurs_sum_cuda (call, terms, n, error);
}

/* SPDX-License-Identifier: MIT
 *
 * threshold on the GPU: the kernels are in common_threshold.cu.
 */
#include "kernels/common/common.cuh"
#include "kernels/threshold/threshold.h"

fv_status
threshold_cuda (const fv_call *call, fv_error *error)
{
  return threshold_run_cuda ((const threshold_args *) call->args, call, error);
}

/* SPDX-License-Identifier: MIT
 *
 * otsu on the GPU: the kernels are in common_threshold.cu.
 */
#include "kernels/common/common.cuh"
#include "kernels/threshold/otsu.h"

fv_status
otsu_cuda (const fv_call *call, fv_error *error)
{
  const otsu_args *a = (const otsu_args *) call->args;
  threshold_args b = {THRESHOLD_OTSU, 0, 0, a->bins, true, a->volume};
  return threshold_run_cuda (&b, call, error);
}

/* SPDX-License-Identifier: MIT
 *
 * warp_affine on the GPU: see affine.cuh.
 */
#include "kernels/geometry/affine_run.cuh"
#include "kernels/geometry/warp_affine.h"

extern "C" fv_status
warp_affine_cuda (const fv_call *call, fv_error *error)
{
  const warp_affine_args *a = (const warp_affine_args *) call->args;
  return affine_run (call, affine_one{warp_affine_map (a, call->inputs[0]->grid, call->outputs[0]->grid)},
                     warp_affine_rule (a), "Mapping", error);
}

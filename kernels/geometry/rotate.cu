/* SPDX-License-Identifier: MIT
 *
 * rotate on the GPU: see affine.cuh.
 */
#include "kernels/geometry/affine_run.cuh"
#include "kernels/geometry/rotate.h"

fv_status
rotate_cuda (const fv_call *call, fv_error *error)
{
  const rotate_args *a = (const rotate_args *) call->args;
  return affine_run (call, affine_one{rotate_map_of (a, call->inputs[0]->grid, call->outputs[0]->grid)},
                     rotate_rule_of (a), "Rotating", error);
}

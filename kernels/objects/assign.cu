/* SPDX-License-Identifier: MIT
 *
 * assign on the GPU: objects of both images are found there, as regionprops does it, and their runs go to the host, which compares them; then
 * the children's runs are painted. Synchronisations: those of region_runs.cu, for either image.
 */
#include "kernels/objects/assign.h"
#include "kernels/objects/object_paint.cuh"

extern "C" fv_status
assign_cuda (const fv_call *call, fv_error *error)
{
  const bool volume = ((const assign_args *) call->args)->volume;
  region_set s[2];
  regions found[2];
  int32_t *to;
  fv_status status = FV_OK;
  for (int i = 0; i < 2 && !status; i++) {
    if (call->host->tick (call, i, 2))
      return cancelled (error);
    status = region_set_fetch (call, call->inputs[i], volume, &s[i], &found[i], error);
  }
  if (!status)
    status = assign_find (call, &found[ASSIGN_CHILDREN], &found[ASSIGN_PARENTS], &to, error);
  return status ? status : object_paint_cuda (call, &s[ASSIGN_CHILDREN], to, call->outputs[0], error);
}

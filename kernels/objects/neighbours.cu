/* SPDX-License-Identifier: MIT
 *
 * neighbours on the GPU: objects are found there, as regionprops does it, and their runs go to the host, which compares them. Synchronisations:
 * those of region_runs.cu.
 */
#include "kernels/regions/region_runs.cuh"
#include "kernels/objects/neighbours.h"

extern "C" fv_status
neighbours_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *labels = call->inputs[0];
  const bool volume = ((const neighbours_args *) call->args)->volume;
  region_set s;
  regions found;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  fv_status status = region_set_fetch (call, labels, volume, &s, &found, error);
  return status ? status : neighbours_table (call, &found, error);
}

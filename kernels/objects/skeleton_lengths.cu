/* SPDX-License-Identifier: MIT
 *
 * skeleton_lengths on the GPU: objects are found there, as regionprops does it, and their runs go to the host, which follows them. Synchronisations:
 * those of region_runs.cu.
 */
#include "kernels/regions/region_runs.cuh"
#include "kernels/objects/skeleton_lengths.h"

extern "C" fv_status
skeleton_lengths_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *labels = call->inputs[0];
  const bool volume = ((const skeleton_lengths_args *) call->args)->volume;
  region_set s;
  regions found;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  fv_status status = region_set_fetch (call, labels, volume, &s, &found, error);
  return status ? status : skeleton_lengths_table (call, &found, error);
}

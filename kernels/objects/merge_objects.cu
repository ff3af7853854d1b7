/* SPDX-License-Identifier: MIT
 *
 * merge_objects on the GPU: finds objects there, as regionprops does. The host finds their borders from their runs. Then a kernel of items.cuh
 * takes the intensities, two for a pair: it reads 8 bytes and a pixel and writes 8 bytes. Last, the joined objects
 * are painted. Synchronizations: those of region_runs.cu, and the intensities.
 */
#include "kernels/objects/merge_objects.h"

#include "kernels/common/items.cuh"
#include "kernels/objects/object_paint.cuh"

static fv_status
fetch_cuda (const fv_call *call, const border_pair *pairs, int64_t n, double *values, fv_error *error)
{
  const size_t bytes = (size_t) n * sizeof *pairs;
  const stack_view image = stack_view_of (call->inputs[MERGE_INTENSITY], 0, 1);
  border_pair *there;
  double *found;
  if (!n)
    return FV_OK;
  fv_status status = cuda_scratch (call, (size_t) n, &there, error);
  if (!status)
    status = cuda_scratch (call, (size_t) (2 * n), &found, error);
  if (!status)
    status = call->device->copy (call->device, call->stream, there, bytes, pairs, bytes, bytes, 1, FV_TO_DEVICE, error);
  if (status)
    return status;
  items_launch (call, 2 * n,
                [=] __device__ (int64_t i) { found[i] = stack_pixel (&image, 0, 0, there[i / 2].offsets[i % 2]); });
  status = cuda_status (cudaGetLastError (), "Measuring borders", error);
  return status ? status : call->host->read (call, values, found, (size_t) (2 * n) * sizeof *values, error);
}

extern "C" fv_status
merge_objects_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *labels = call->inputs[MERGE_LABELS];
  const bool volume = ((const merge_objects_args *) call->args)->volume;
  region_set s;
  regions found;
  int32_t *to;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  fv_status status = region_set_fetch (call, labels, volume, &s, &found, error);
  if (!status)
    status = merge_objects_find (call, &found, fetch_cuda, &to, error);
  return status ? status : object_paint_cuda (call, &s, to, call->outputs[0], error);
}

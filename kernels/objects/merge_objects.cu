/* SPDX-License-Identifier: MIT
 *
 * merge_objects on the GPU: finds objects there, as regionprops does. The host finds their borders from their runs. Then merge_fetch_kernel takes the
 * intensities: a grid-stride loop over the pairs in blocks of 256, which reads 24 bytes and two pixels and writes 16 bytes. Last, the joined objects
 * are painted. Synchronizations: those of region_runs.cu, and the intensities.
 */
#include "kernels/objects/merge_objects.h"
#include "kernels/objects/object_paint.cuh"

enum { THREADS = 256 };

__global__ static void
__launch_bounds__ (THREADS) merge_fetch_kernel (stack_view image, const border_pair *pairs, int64_t n, double *values)
{
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n; i += (int64_t) gridDim.x * THREADS)
    for (int side = 0; side < 2; side++)
      values[2 * i + side] = stack_pixel (&image, 0, 0, pairs[i].offsets[side]);
}

static fv_status
fetch_cuda (const fv_call *call, const border_pair *pairs, int64_t n, double *values, fv_error *error)
{
  const size_t bytes = (size_t) n * sizeof *pairs;
  const int64_t blocks = blocks_for (n, THREADS), most = 16 * (int64_t) multiprocessors ();
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
  merge_fetch_kernel<<<(unsigned) (blocks < most ? blocks : most), THREADS, 0, cuda_stream (call)>>> (
    stack_view_of (call->inputs[MERGE_INTENSITY], 0, 1), there, n, found);
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

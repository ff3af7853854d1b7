/* SPDX-License-Identifier: MIT
 *
 * profile on the GPU: one kernel, blocks of 128, a thread for a sample of a plane in turn. It finds its part by bisection, reads four pixels for each
 * of `width` values and writes one double. Synchronization: the values, 8 bytes a sample; the parts, at most 50 KB, go up before.
 */
#include "kernels/common/common.cuh"
#include "kernels/measure/profile.h"

enum { PROFILE_THREADS = 128 };

__global__ void
__launch_bounds__ (PROFILE_THREADS) profile_kernel (stack_view in, int64_t planes, int64_t rows, int64_t columns,
                                                    const profile_part *parts, int n, int64_t samples, double *values)
{
  for (int64_t i = (int64_t) blockIdx.x * PROFILE_THREADS + threadIdx.x; i < planes * samples;
       i += (int64_t) gridDim.x * PROFILE_THREADS) {
    const int64_t plane = i / samples, at = i - plane * samples;
    const profile_part *p = &parts[profile_part_at (parts, n, at)];
    values[i] = sampled_value (&in, rows, columns, &p->line, plane, at - p->corner);
  }
}

/* The parts, in the memory of the host and of the GPU. */
static fv_status
profile_upload (const fv_call *call, void **here, profile_part **parts, int *n, int64_t *samples, fv_error *error)
{
  fv_status status = call->host->host_scratch (call, PROFILE_PARTS * sizeof (profile_part), here, error);
  if (!status)
    status = cuda_scratch (call, PROFILE_PARTS, parts, error);
  if (status)
    return status;
  *n = profile_parts ((const profile_args *) call->args, call->inputs[0]->grid, (profile_part *) *here, samples);
  const size_t bytes = (size_t) *n * sizeof (profile_part);
  return call->device->copy (call->device, call->stream, *parts, bytes, *here, bytes, bytes, 1, FV_TO_DEVICE, error);
}

extern "C" fv_status
profile_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *image = call->inputs[0];
  profile_part *parts;
  double *values;
  void *own, *here;
  int64_t samples;
  int n;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  fv_status status = profile_upload (call, &own, &parts, &n, &samples, error);
  if (status)
    return status;
  const int64_t all = array_planes (image) * samples, blocks = blocks_for (all, PROFILE_THREADS),
                most = 64 * (int64_t) multiprocessors ();
  status = cuda_scratch (call, (size_t) all, &values, error);
  if (!status)
    status = call->host->host_scratch (call, (size_t) all * sizeof (double), &here, error);
  if (status)
    return status;
  profile_kernel<<<(unsigned) (blocks < most ? blocks : most), PROFILE_THREADS, 0, cuda_stream (call)>>> (
    stack_view_of (image, 0, 1), array_planes (image), array_rows (image), array_columns (image), parts, n, samples,
    values);
  status = cuda_status (cudaGetLastError (), "The profile", error);
  if (!status)
    status = call->host->read (call, here, values, (size_t) all * sizeof (double), error);
  return status ? status : profile_table (call, (const profile_part *) own, n, (const double *) here, error);
}

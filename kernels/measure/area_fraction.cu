/* SPDX-License-Identifier: MIT
 *
 * area_fraction on the GPU: a pass by pixel_sums.cuh, a problem for each plane, which reads every pixel once. area_fraction_scalar: one
 * thread, a number. Synchronization: the counts, 16 bytes a plane.
 */
#include "kernels/measure/area_fraction.h"
#include "kernels/measure/pixel_sums.cuh"

struct area_fraction_job : masked_planes {
  area_counts *counts;

  __device__ __forceinline__ void add (int64_t, const fetched_pixel &p, pixel_sums *to) const
  {
    const double v = p.a;
    if (!masked_worth (p))
      return;
    to->v[0] += v != 0;
    to->v[1] += 1;
  }
  __device__ void after (int64_t plane, const pixel_sums &s) const
  {
    counts[plane].taken = s.v[0];
    counts[plane].all = s.v[1];
  }
};

__global__ static void
area_fraction_scalar (double *scalars, double percent)
{
  scalars[0] = percent;
}

extern "C" fv_status
area_fraction_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *mask = call->inputs[AREA_MASK];
  const int64_t planes = array_planes (mask), rows = array_rows (mask);
  const size_t bytes = (size_t) planes * sizeof (area_counts);
  area_fraction_job job = {{masked_stack_of (mask, call->inputs[AREA_INSIDE]), planes, rows, array_columns (mask)},
                           NULL};
  pixel_sums *partial;
  void *counts;
  double percent;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  fv_status status = pixel_sums_room (call, job, &partial, error);
  if (!status)
    status = cuda_scratch (call, (size_t) planes, &job.counts, error);
  if (!status)
    status = call->host->host_scratch (call, bytes, &counts, error);
  if (!status)
    status = pixel_sums_run (call, job, partial, error);
  if (!status)
    status = call->host->read (call, counts, job.counts, bytes, error);
  if (!status)
    status = area_fraction_table (call, (const area_counts *) counts, &percent, error);
  if (status)
    return status;
  area_fraction_scalar<<<1, 1, 0, cuda_stream (call)>>> (call->scalars, percent);
  return cuda_status (cudaGetLastError (), "Telling the share", error);
}

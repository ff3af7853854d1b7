/* SPDX-License-Identifier: MIT
 *
 * z_profile on the GPU: two passes by pixel_sums.cuh, a problem for each plane; each reads every pixel once. Synchronization: what was
 * found, 48 bytes a plane.
 */
#include "kernels/measure/pixel_sums.cuh"
#include "kernels/measure/z_profile.h"

struct z_profile_job : masked_planes {
  bool squares; /* the second pass */
  z_profile_values *values;

  __device__ __forceinline__ void add (int64_t plane, const fetched_pixel &p, pixel_sums *to) const
  {
    const double v = p.a;
    if (!masked_worth (p))
      return;
    if (squares) {
      const double d = v - values[plane].mean;
      to->v[0] += d * d;
      return;
    }
    to->v[0] += 1;
    to->v[1] += v;
    to->low[0] = fmin (to->low[0], v);
    to->high[0] = fmax (to->high[0], v);
  }
  __device__ void after (int64_t plane, const pixel_sums &s) const
  {
    if (squares)
      values[plane].squares = s.v[0];
    else
      z_profile_begin (values + plane, &s);
  }
};

extern "C" fv_status
z_profile_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *image = call->inputs[Z_PROFILE_IMAGE];
  const int64_t planes = array_planes (image), rows = array_rows (image);
  const size_t bytes = (size_t) planes * sizeof (z_profile_values);
  z_profile_job job = {
    {masked_stack_of (image, call->inputs[Z_PROFILE_MASK]), planes, rows, array_columns (image)}, false, NULL};
  pixel_sums *partial;
  void *values;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  fv_status status = pixel_sums_room (call, job, &partial, error);
  if (!status)
    status = cuda_scratch (call, (size_t) planes, &job.values, error);
  if (!status)
    status = call->host->host_scratch (call, bytes, &values, error);
  for (int pass = 0; pass < 2 && !status; pass++) {
    job.squares = pass;
    status = pixel_sums_run (call, job, partial, error);
  }
  if (!status)
    status = call->host->read (call, values, job.values, bytes, error);
  return status ? status : z_profile_table (call, (const z_profile_values *) values, error);
}

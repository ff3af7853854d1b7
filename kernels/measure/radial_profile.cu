/* SPDX-License-Identifier: MIT
 *
 * radial_profile on the GPU: the range of each plane where it matters, by pixel_sums.cuh. Then there are two passes of radial_kernel, each followed
 * by radial_finish (a thread for each ring). The kernel has blocks of 256, a warp for each line of pixels in turn. It reads each pixel once and adds
 * to one to three integers of its ring. Blocks share some copies of the rings, so that they rarely meet. Synchronization: the rings, 24 bytes each.
 */
#include "kernels/common/common.cuh"
#include "kernels/measure/pixel_sums.cuh"
#include "kernels/measure/radial_profile.h"

enum { RADIAL_THREADS = 256, RADIAL_COPIES = 32, RADIAL_MOST = 1 << 21 /* rings of all copies */ };

struct radial_job {
  masked_stack stack;
  radial_rings rings;
  int64_t planes, rows, columns;
  bool squares;        /* the second pass */
  radial_scale *scale; /* [planes] */
  radial_ring *all;    /* [planes][rings] */
  radial_sum *copy;    /* [copies][planes][rings], cleared */
  int copies;
};

struct radial_range_job : masked_planes {
  radial_scale *scale;

  __device__ __forceinline__ void add (int64_t, const fetched_pixel &p, pixel_sums *to) const
  {
    if (!masked_worth (p))
      return;
    to->low[0] = fmin (to->low[0], p.a);
    to->high[0] = fmax (to->high[0], p.a);
  }
  __device__ void after (int64_t plane, const pixel_sums &s) const
  {
    scale[plane] = radial_scale_of (stack.pixels.type, s.low[0], s.high[0]);
  }
};

__global__ static void
radial_scale_of_type (radial_job job, double most)
{
  for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; i < job.planes;
       i += (int64_t) gridDim.x * blockDim.x)
    job.scale[i] = radial_scale_of (job.stack.pixels.type, 0, most);
}

static fv_status
radial_find_scales (const fv_call *call, const radial_job &job, fv_error *error)
{
  const radial_range_job range = {{job.stack, job.planes, job.rows, job.columns}, job.scale};
  pixel_sums *partial;
  if (radial_needs_range (job.stack.pixels.type)) {
    fv_status status = pixel_sums_room (call, range, &partial, error);
    return status ? status : pixel_sums_run (call, range, partial, error);
  }
  radial_scale_of_type<<<1, RADIAL_THREADS, 0, cuda_stream (call)>>> (job, job.stack.pixels.type == FV_U8 ? UINT8_MAX
                                                                                                          : UINT16_MAX);
  return cuda_status (cudaGetLastError (), "The radial profile", error);
}

__device__ __forceinline__ void
radial_add (int64_t *to, int64_t v)
{
  if (v)
    atomicAdd ((unsigned long long *) to, (unsigned long long) v);
}

__global__ void
__launch_bounds__ (RADIAL_THREADS) radial_kernel (radial_job job)
{
  const int64_t warps = RADIAL_THREADS / 32, lines = job.planes * job.rows;
  radial_sum *own = job.copy + (int64_t) (blockIdx.x % job.copies) * job.planes * job.rings.n;
  for (int64_t line = blockIdx.x * warps + threadIdx.x / 32; line < lines; line += gridDim.x * warps) {
    const int64_t plane = line / job.rows, y = line - plane * job.rows;
    const radial_scale scale = job.scale[plane];
    for (int64_t x = threadIdx.x % 32; x < job.columns; x += 32) {
      const int32_t k = radial_ring_at (&job.rings, y, x);
      double v;
      if (k >= job.rings.n || !masked_pixel (&job.stack, plane, y, x, &v))
        continue;
      const int64_t at = plane * job.rings.n + k;
      const radial_sum sum = radial_sum_of (&scale, &job.all[at], job.squares, v);
      if (!job.squares)
        radial_add (&own[at].n, sum.n);
      radial_add (&own[at].high, sum.high);
      radial_add (&own[at].low, sum.low);
    }
  }
}

__global__ void
__launch_bounds__ (RADIAL_THREADS) radial_finish (radial_job job)
{
  const int64_t n = job.planes * job.rings.n;
  for (int64_t i = (int64_t) blockIdx.x * RADIAL_THREADS + threadIdx.x; i < n;
       i += (int64_t) gridDim.x * RADIAL_THREADS) {
    radial_sum sum = {0, 0, 0};
    for (int c = 0; c < job.copies; c++) {
      const radial_sum part = job.copy[c * n + i];
      sum.n += part.n;
      sum.high += part.high;
      sum.low += part.low;
    }
    radial_take (&job.all[i], &sum, &job.scale[i / job.rings.n], job.squares);
  }
}

static fv_status
radial_go_over (const fv_call *call, const radial_job &job, fv_error *error)
{
  const int64_t n = job.planes * job.rings.n, most = 8 * (int64_t) multiprocessors (),
                lines = blocks_for (job.planes * job.rows, RADIAL_THREADS / 32), rings = blocks_for (n, RADIAL_THREADS);
  fv_status status = cuda_status (
    cudaMemsetAsync (job.copy, 0, (size_t) (job.copies * n) * sizeof *job.copy, cuda_stream (call)), "Clearing", error);
  if (status)
    return status;
  radial_kernel<<<(unsigned) (lines < most ? lines : most), RADIAL_THREADS, 0, cuda_stream (call)>>> (job);
  radial_finish<<<(unsigned) (rings < most ? rings : most), RADIAL_THREADS, 0, cuda_stream (call)>>> (job);
  return cuda_status (cudaGetLastError (), "The radial profile", error);
}

extern "C" fv_status
radial_profile_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *image = call->inputs[RADIAL_IMAGE];
  radial_job job = {};
  job.stack = masked_stack_of (image, call->inputs[RADIAL_MASK]);
  job.rings = radial_rings_of ((const radial_profile_args *) call->args, image->grid);
  job.planes = array_planes (image);
  job.rows = array_rows (image);
  job.columns = array_columns (image);
  const int64_t n = job.planes * job.rings.n, copies = RADIAL_MOST / n;
  job.copies = copies < 1 ? 1 : copies < RADIAL_COPIES ? (int) copies : RADIAL_COPIES;
  void *rings;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  fv_status status = cuda_scratch (call, (size_t) n, &job.all, error);
  if (!status)
    status = cuda_scratch (call, (size_t) (n * job.copies), &job.copy, error);
  if (!status)
    status = cuda_scratch (call, (size_t) job.planes, &job.scale, error);
  if (!status)
    status = call->host->host_scratch (call, (size_t) n * sizeof (radial_ring), &rings, error);
  if (!status)
    status = radial_find_scales (call, job, error);
  for (int pass = 0; pass < 2 && !status; pass++) {
    job.squares = pass;
    status = radial_go_over (call, job, error);
  }
  if (!status)
    status = call->host->read (call, rings, job.all, (size_t) n * sizeof (radial_ring), error);
  return status ? status : radial_profile_table (call, (const radial_ring *) rings, error);
}

/* SPDX-License-Identifier: MIT
 *
 * histogram on the GPU: the ends by pixel_sums.cuh, a problem for each channel; then count_values. It has parts x channels blocks of 512, a warp for
 * each line of pixels in turn, and reads each pixel once. It counts in shared memory where the bins fit, and adds these counts to those of the
 * channel. Of 8 and 16 bits the bin of each value is found beforehand. Counts are integers, and so the same however blocks come.
 * Synchronizations: ranges and counts.
 */
#include "kernels/common/row.cuh"
#include "kernels/measure/histogram.h"
#include "kernels/measure/pixel_sums.cuh"

enum { VALUES_THREADS = 512, VALUES_SHARED = 16384 /* bins */ };

struct values_job {
  masked_stack stack;
  histogram_args args;
  int64_t problems, lines, columns, rows; /* a problem is a channel */
  histogram_range *ranges;                /* [channels] */
  unsigned long long *counts;             /* [channels][bins], cleared */
  int64_t levels;                         /* of 8 and 16 bits, else 0 */
  int32_t *bins;                          /* [channels][levels]: of each value */
  int parts;

  __device__ bool skip (int64_t) const
  {
    return false;
  }
  __device__ __forceinline__ fetched_row row (int64_t channel, int64_t line) const
  {
    const int64_t z = line / rows;
    return masked_row (stack, channel * stack.depth + z, line - z * rows);
  }
  __device__ __forceinline__ void fetch (const fetched_row &row, int64_t x, int n, fetched_pixel (&to)[SUMS_DEEP]) const
  {
    masked_fetch (stack, row, x, n, to);
  }
  __device__ __forceinline__ void add (int64_t, const fetched_pixel &p, pixel_sums *to) const
  {
    const double v = p.a;
    if (!masked_worth (p))
      return;
    to->low[0] = fmin (to->low[0], v);
    to->high[0] = fmax (to->high[0], v);
  }
  __device__ void after (int64_t channel, const pixel_sums &s) const
  {
    ranges[channel] = histogram_range_of (&args, s.low[0], s.high[0]);
  }
};

__global__ void
__launch_bounds__ (VALUES_THREADS) find_bins (values_job job)
{
  for (int64_t i = (int64_t) blockIdx.x * VALUES_THREADS + threadIdx.x; i < job.problems * job.levels;
       i += (int64_t) gridDim.x * VALUES_THREADS)
    job.bins[i] = (int32_t) histogram_bin (job.ranges + i / job.levels, (double) (i % job.levels));
}

__global__ void
__launch_bounds__ (VALUES_THREADS) count_values (values_job job)
{
  extern __shared__ uint32_t values_shared[];
  const int64_t channel = blockIdx.x / job.parts, part = blockIdx.x % job.parts, warps = VALUES_THREADS / 32;
  const histogram_range r = job.ranges[channel];
  const bool shared = r.bins <= VALUES_SHARED;
  unsigned long long *counts = job.counts + channel * r.bins;
  for (int64_t k = threadIdx.x; shared && k < r.bins; k += VALUES_THREADS)
    values_shared[k] = 0;
  __syncthreads ();
  for (int64_t line = part * warps + threadIdx.x / 32; line < job.lines; line += job.parts * warps)
    each_fetched (job, job.row (channel, line), [&] (const fetched_pixel &p) {
      int64_t k = -1;
      if (masked_worth (p))
        k = job.levels ? job.bins[channel * job.levels + (int64_t) p.a] : histogram_bin (&r, p.a);
      if (k >= 0 && shared)
        atomicAdd (values_shared + k, 1u);
      else if (k >= 0)
        atomicAdd (counts + k, 1ull);
    });
  __syncthreads ();
  for (int64_t k = threadIdx.x; shared && k < r.bins; k += VALUES_THREADS)
    if (values_shared[k])
      atomicAdd (counts + k, (unsigned long long) values_shared[k]);
}

static values_job
values_job_of (const fv_array *image, const fv_array *mask, const histogram_args *args, histogram_range *ranges)
{
  values_job job = {};
  job.stack = masked_stack_of (image, mask);
  job.args = *args;
  job.problems = image->grid->channels;
  job.rows = array_rows (image);
  job.lines = job.stack.depth * job.rows;
  job.columns = array_columns (image);
  job.levels = image->grid->type == FV_U8 ? 256 : image->grid->type == FV_U16 ? 65536 : 0;
  job.ranges = ranges;
  job.parts = pixel_sums_blocks (job.problems, job.lines);
  return job;
}

static fv_status
find_ranges (const fv_call *call, const values_job &job, fv_error *error)
{
  pixel_sums *partial;
  fv_status status = pixel_sums_room (call, job, &partial, error);
  return status ? status : pixel_sums_run (call, job, partial, error);
}

extern "C" fv_status
histogram_find_ranges_cuda (const fv_call *call, const fv_array *image, const fv_array *mask,
                            const histogram_args *args, histogram_range *ranges, fv_error *error)
{
  return find_ranges (call, values_job_of (image, mask, args, ranges), error);
}

static fv_status
count_all_values (const fv_call *call, values_job job, fv_error *error)
{
  const size_t counts = (size_t) (job.problems * job.args.bins) * sizeof *job.counts;
  const int64_t shared = job.args.bins <= VALUES_SHARED ? job.args.bins * (int64_t) sizeof (uint32_t) : 0;
  fv_status status = find_ranges (call, job, error);
  if (!status)
    status = cuda_status (cudaMemsetAsync (job.counts, 0, counts, cuda_stream (call)), "Clearing the counts", error);
  if (!status)
    status = cuda_scratch (call, (size_t) (job.problems * job.levels), &job.bins, error);
  if (status)
    return status;
  if (job.levels)
    find_bins<<<(unsigned) blocks_for (job.problems * job.levels, VALUES_THREADS), VALUES_THREADS, 0,
                cuda_stream (call)>>> (job);
  return cuda_status (launch (count_values, job.problems * job.parts, VALUES_THREADS, shared, call, job),
                      "Counting values", error);
}

extern "C" fv_status
histogram_cuda (const fv_call *call, fv_error *error)
{
  const histogram_args *args = (const histogram_args *) call->args;
  values_job job = values_job_of (call->inputs[HISTOGRAM_IMAGE], call->inputs[HISTOGRAM_MASK], args, NULL);
  const size_t ranges = (size_t) job.problems * sizeof *job.ranges,
               counts = (size_t) (job.problems * args->bins) * sizeof *job.counts;
  void *host_ranges = NULL, *host_counts = NULL;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  fv_status status = cuda_scratch (call, (size_t) job.problems, &job.ranges, error);
  if (!status)
    status = cuda_scratch (call, (size_t) (job.problems * args->bins), &job.counts, error);
  if (!status)
    status = call->host->host_scratch (call, ranges, &host_ranges, error);
  if (!status)
    status = call->host->host_scratch (call, counts, &host_counts, error);
  if (!status)
    status = count_all_values (call, job, error);
  if (!status)
    status = call->host->read (call, host_ranges, job.ranges, ranges, error);
  if (!status)
    status = call->host->read (call, host_counts, job.counts, counts, error);
  return status ? status
                : histogram_table (call, (const histogram_range *) host_ranges, (const uint64_t *) host_counts, error);
}

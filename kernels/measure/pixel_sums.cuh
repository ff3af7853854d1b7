/* SPDX-License-Identifier: MIT
 *
 * Sums of pixels by two kernels. pixel_sums_kernel: parts x problems blocks of 256, a warp for each line of pixels in turn; reads each
 * pixel once and writes the sums of each block. pixel_sums_finish: a block for each problem joins them, in an order that depends on the
 * sizes alone, and its first thread says what they mean. Nothing is waited for.
 *
 * A job has: problems, lines, columns; skip (problem): nothing is to be done; add (problem, line, x, &sums); after (problem, sums).
 */
#ifndef KERNELS_MEASURE_PIXEL_SUMS_CUH
#define KERNELS_MEASURE_PIXEL_SUMS_CUH

#include "kernels/common/blocks.cuh"
#include "kernels/measure/pixel_sums.h"

enum { SUMS_THREADS = 256, SUMS_WARPS = SUMS_THREADS / 32 };

struct sums_join {
  __device__ pixel_sums operator() (const pixel_sums &a, const pixel_sums &b) const
  {
    return pixel_sums_join (a, b);
  }
};

template <typename Job>
__global__ void
__launch_bounds__ (SUMS_THREADS) pixel_sums_kernel (Job job, pixel_sums *partial)
{
  __shared__ pixel_sums shared[32];
  const int warp = (int) threadIdx.x / 32, lane = (int) threadIdx.x & 31;
  for (int64_t problem = blockIdx.y; problem < job.problems; problem += gridDim.y) {
    pixel_sums own = pixel_sums_none ();
    if (!job.skip (problem))
      for (int64_t line = (int64_t) blockIdx.x * SUMS_WARPS + warp; line < job.lines;
           line += (int64_t) gridDim.x * SUMS_WARPS)
        for (int64_t x = lane; x < job.columns; x += 32)
          job.add (problem, line, x, &own);
    own = join_block (own, shared, sums_join ());
    if (threadIdx.x == 0)
      partial[problem * gridDim.x + blockIdx.x] = own;
  }
}

template <typename Job>
__global__ void
__launch_bounds__ (SUMS_THREADS) pixel_sums_finish (Job job, const pixel_sums *partial, int parts)
{
  __shared__ pixel_sums shared[32];
  for (int64_t problem = blockIdx.x; problem < job.problems; problem += gridDim.x) {
    if (job.skip (problem))
      continue;
    pixel_sums own = pixel_sums_none ();
    for (int i = (int) threadIdx.x; i < parts; i += SUMS_THREADS)
      own = pixel_sums_join (own, partial[problem * parts + i]);
    own = join_block (own, shared, sums_join ());
    if (threadIdx.x == 0)
      job.after (problem, own);
  }
}

/* Blocks for each problem. */
static inline int
pixel_sums_parts (int64_t problems, int64_t lines)
{
  const int64_t all = 8 * (int64_t) multiprocessors (), wanted = blocks_for (lines, SUMS_WARPS),
                each = problems < all ? all / problems : 1;
  return (int) (wanted < each ? wanted : each);
}

/* partial: room for problems x parts. */
template <typename Job>
static inline fv_status
pixel_sums_run (const fv_call *call, const Job &job, pixel_sums *partial, int parts, fv_error *error)
{
  const unsigned problems = (unsigned) (job.problems < 65535 ? job.problems : 65535);
  pixel_sums_kernel<<<dim3 ((unsigned) parts, problems), SUMS_THREADS, 0, cuda_stream (call)>>> (job, partial);
  pixel_sums_finish<<<problems, SUMS_THREADS, 0, cuda_stream (call)>>> (job, partial, parts);
  return cuda_status (cudaGetLastError (), "Adding up pixels", error);
}

#endif

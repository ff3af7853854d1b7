/* SPDX-License-Identifier: MIT
 *
 * Sums of pixels by two kernels. pixel_sums_kernel: parts x problems blocks of 256, a warp for each line of pixels in turn, four pixels a thread at
 * a time; reads each pixel once and writes the sums of each block. pixel_sums_finish: a block for each problem joins them, in an order that depends on the
 * sizes alone, and its first thread says what they mean. Nothing is waited for.
 *
 * A job has: problems, lines, columns; skip (problem): nothing is to be done; row (problem, line): where that lies; fetch (row, x): a fetched_pixel;
 * add (problem, pixel, &sums); after (problem, sums).
 */
#ifndef KERNELS_MEASURE_PIXEL_SUMS_CUH
#define KERNELS_MEASURE_PIXEL_SUMS_CUH

#include "kernels/common/blocks.cuh"
#include "kernels/measure/pixel_sums.h"

enum { SUMS_THREADS = 256, SUMS_WARPS = SUMS_THREADS / 32, SUMS_DEEP = 4 };

/* ---- Pixels ---- */

/* Pixels of two images as they lie in memory: what they are worth is asked for later, so that several are on their way at a time. */
struct fetched_pixel {
  uint64_t a, b;
  uint32_t inside;
};

/* Places of the first pixels of a row in the images and the mask. */
struct fetched_row {
  int64_t a, b, mask;
};

__device__ __forceinline__ uint64_t
stack_fetch (const stack_view &s, int64_t at)
{
  switch (s.type) {
  case FV_U8: return ((const uint8_t *) s.pixels)[at];
  case FV_U16: return ((const uint16_t *) s.pixels)[at];
  case FV_F64: return ((const uint64_t *) s.pixels)[at];
  default: return ((const uint32_t *) s.pixels)[at];
  }
}

__device__ __forceinline__ uint32_t
stack_fetch_inside (const stack_view &mask, int64_t at)
{
  return mask.pixels ? ((const uint8_t *) mask.pixels)[at] : 1;
}

__device__ __forceinline__ double
stack_worth (const stack_view &s, uint64_t bits)
{
  switch (s.type) {
  case FV_I32: return (int32_t) bits;
  case FV_F32: return (double) __uint_as_float ((uint32_t) bits);
  case FV_F64: return __longlong_as_double ((int64_t) bits);
  default: return (uint32_t) bits;
  }
}

__device__ __forceinline__ fetched_row
masked_row (const masked_stack &m, int64_t plane, int64_t y)
{
  return {stack_place (&m.pixels, plane, y, 0), 0,
          m.mask.pixels ? stack_place (&m.mask, masked_plane (&m, plane), y, 0) : 0};
}

__device__ __forceinline__ fetched_pixel
masked_fetch (const masked_stack &m, const fetched_row &row, int64_t x)
{
  return {stack_fetch (m.pixels, row.a + x), 0, stack_fetch_inside (m.mask, row.mask + x)};
}

/* masked_pixel() of what has been fetched. */
__device__ __forceinline__ bool
masked_worth (const masked_stack &m, const fetched_pixel &p, double *v)
{
  *v = stack_worth (m.pixels, p.a);
  return fabs (*v) <= DBL_MAX && p.inside;
}

/* Calls f with the pixels of a row from x = lane on, every 32nd, as they are fetched. */
template <typename Job, typename Row, typename F>
__device__ __forceinline__ void
each_fetched (const Job &job, const Row &row, F f)
{
  for (int64_t x = threadIdx.x & 31; x < job.columns; x += 32 * SUMS_DEEP) {
    fetched_pixel p[SUMS_DEEP];
#pragma unroll
    for (int k = 0; k < SUMS_DEEP; k++)
      if (x + 32 * k < job.columns)
        p[k] = job.fetch (row, x + 32 * k);
#pragma unroll
    for (int k = 0; k < SUMS_DEEP; k++)
      if (x + 32 * k < job.columns)
        f (p[k]);
  }
}

/* ---- Sums ---- */

struct sums_join {
  __device__ pixel_sums operator() (const pixel_sums &a, const pixel_sums &b) const
  {
    return pixel_sums_join (a, b);
  }
};

template <typename Job>
__global__ void
__launch_bounds__ (SUMS_THREADS, 4) pixel_sums_kernel (Job job, pixel_sums *partial)
{
  __shared__ pixel_sums shared[32];
  const int warp = (int) threadIdx.x / 32;
  for (int64_t problem = blockIdx.y; problem < job.problems; problem += gridDim.y) {
    pixel_sums own = pixel_sums_none ();
    if (!job.skip (problem))
      for (int64_t line = (int64_t) blockIdx.x * SUMS_WARPS + warp; line < job.lines;
           line += (int64_t) gridDim.x * SUMS_WARPS)
        each_fetched (job, job.row (problem, line), [&] (const fetched_pixel &p) { job.add (problem, p, &own); });
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

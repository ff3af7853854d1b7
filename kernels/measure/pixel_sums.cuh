/* SPDX-License-Identifier: MIT
 *
 * Sums of pixels by two kernels, in the order of pixel_sums.h.
 * - pixel_sums_kernel: blocks of 256 x problems, a warp for each band in turn, four pixels a thread at a time. Reads each pixel once and writes the
 *   sums of each band.
 * - pixel_sums_finish: a block for each problem joins them, and its first thread says what they mean. Nothing is waited for.
 *
 * A job has:
 * - problems, lines, columns;
 * - skip (problem): nothing to do;
 * - row (problem, line): where that lies;
 * - fetch (row, x, n, pixels): n of SUMS_DEEP, every 32nd;
 * - add (problem, pixel, &sums);
 * - after (problem, sums).
 */
#ifndef KERNELS_MEASURE_PIXEL_SUMS_CUH
#define KERNELS_MEASURE_PIXEL_SUMS_CUH

#include "kernels/common/blocks.cuh"
#include "kernels/measure/pixel_sums.h"

enum { SUMS_THREADS = 256, SUMS_WARPS = SUMS_THREADS / 32, SUMS_DEEP = 4 };

/* ---- Pixels ---- */

/* What pixels of two images are worth, and what the mask has there. */
struct fetched_pixel {
  double a, b;
  uint8_t inside;
};

/* Offsets of the first pixels of a row in the images and the mask. */
struct fetched_row {
  int64_t a, b, mask;
};

/* The first n of SUMS_DEEP pixels, every 32nd; all are on their way at a time. */
template <typename T, typename To>
__device__ __forceinline__ void
fetch_every_32nd (const void *pixels, int64_t at, int n, To (&to)[SUMS_DEEP])
{
  const T *from = (const T *) pixels + at;
  T v[SUMS_DEEP];
#pragma unroll
  for (int k = 0; k < SUMS_DEEP; k++)
    v[k] = k < n ? from[32 * k] : T (0);
#pragma unroll
  for (int k = 0; k < SUMS_DEEP; k++)
    to[k] = (To) v[k];
}

__device__ __forceinline__ void
stack_fetch (const stack_view &s, int64_t at, int n, double (&to)[SUMS_DEEP])
{
  switch (s.type) {
  case FV_U8: fetch_every_32nd<uint8_t> (s.pixels, at, n, to); break;
  case FV_U16: fetch_every_32nd<uint16_t> (s.pixels, at, n, to); break;
  case FV_I32: fetch_every_32nd<int32_t> (s.pixels, at, n, to); break;
  case FV_F32: fetch_every_32nd<float> (s.pixels, at, n, to); break;
  default: fetch_every_32nd<double> (s.pixels, at, n, to);
  }
}

/* Without a mask all are inside. */
__device__ __forceinline__ void
stack_fetch_inside (const stack_view &mask, int64_t at, int n, uint8_t (&to)[SUMS_DEEP])
{
  if (mask.pixels)
    fetch_every_32nd<uint8_t> (mask.pixels, at, n, to);
  else
#pragma unroll
    for (int k = 0; k < SUMS_DEEP; k++)
      to[k] = 1;
}

__device__ __forceinline__ fetched_row
masked_row (const masked_stack &m, int64_t plane, int64_t y)
{
  return {stack_offset (&m.pixels, plane, y, 0), 0,
          m.mask.pixels ? stack_offset (&m.mask, masked_plane (&m, plane), y, 0) : 0};
}

__device__ __forceinline__ void
masked_fetch (const masked_stack &m, const fetched_row &row, int64_t x, int n, fetched_pixel (&to)[SUMS_DEEP])
{
  double a[SUMS_DEEP];
  uint8_t inside[SUMS_DEEP];
  stack_fetch_inside (m.mask, row.mask + x, n, inside);
  stack_fetch (m.pixels, row.a + x, n, a);
#pragma unroll
  for (int k = 0; k < SUMS_DEEP; k++)
    to[k] = {a[k], 0, inside[k]};
}

/* masked_pixel() of what has been fetched. */
__device__ __forceinline__ bool
masked_worth (const fetched_pixel &p)
{
  return fabs (p.a) <= DBL_MAX && p.inside;
}

/* Of a job: each problem is a plane of a stack with a mask. */
struct masked_planes {
  masked_stack stack;
  int64_t problems, lines, columns;

  __device__ bool skip (int64_t) const
  {
    return false;
  }
  __device__ __forceinline__ fetched_row row (int64_t plane, int64_t y) const
  {
    return masked_row (stack, plane, y);
  }
  __device__ __forceinline__ void fetch (const fetched_row &row, int64_t x, int n, fetched_pixel (&to)[SUMS_DEEP]) const
  {
    masked_fetch (stack, row, x, n, to);
  }
};

/* Calls f with the pixels of a row from x = lane on, every 32nd, as they are fetched. */
template <typename Job, typename Row, typename F>
__device__ __forceinline__ void
each_fetched (const Job &job, const Row &row, F f)
{
  for (int64_t x = threadIdx.x & 31; x < job.columns; x += 32 * SUMS_DEEP) {
    const int64_t left = (job.columns - x + 31) / 32;
    const int n = left < SUMS_DEEP ? (int) left : (int) SUMS_DEEP;
    fetched_pixel p[SUMS_DEEP];
    job.fetch (row, x, n, p);
#pragma unroll
    for (int k = 0; k < SUMS_DEEP; k++)
      if (k < n)
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

static_assert (SUMS_SLOTS == (int) SUMS_THREADS && LANES == 32, "a slot is a thread of a block, a lane one of a warp");

template <typename Job>
__global__ void
__launch_bounds__ (SUMS_THREADS, 4) pixel_sums_kernel (Job job, pixel_sums *partial, int bands)
{
  const int warps = (int) gridDim.x * SUMS_WARPS;
  for (int64_t problem = blockIdx.y; problem < job.problems; problem += gridDim.y) {
    if (job.skip (problem))
      continue;
    for (int band = (int) (blockIdx.x * SUMS_WARPS + threadIdx.x / 32); band < bands; band += warps) {
      pixel_sums own = pixel_sums_none ();
      for (int64_t line = job.lines * band / bands; line < job.lines * (band + 1) / bands; line++)
        each_fetched (job, job.row (problem, line), [&] (const fetched_pixel &p) { job.add (problem, p, &own); });
      own = join_lanes (own, sums_join ());
      if (threadIdx.x % 32 == 0)
        partial[problem * bands + band] = own;
    }
  }
}

template <typename Job>
__global__ void
__launch_bounds__ (SUMS_THREADS) pixel_sums_finish (Job job, const pixel_sums *partial, int bands)
{
  __shared__ pixel_sums shared[32];
  for (int64_t problem = blockIdx.x; problem < job.problems; problem += gridDim.x) {
    if (job.skip (problem))
      continue;
    pixel_sums own = pixel_sums_none ();
    for (int i = (int) threadIdx.x; i < bands; i += SUMS_THREADS)
      own = pixel_sums_join (own, partial[problem * bands + i]);
    own = join_block (own, shared, sums_join ());
    if (threadIdx.x == 0)
      job.after (problem, own);
  }
}

/* Blocks for each problem. */
static inline int
pixel_sums_blocks (int64_t problems, int64_t bands)
{
  const int64_t all = 8 * (int64_t) multiprocessors (), wanted = blocks_for (bands, SUMS_WARPS),
                each = problems < all ? all / problems : 1;
  return (int) (wanted < 1 ? 1 : wanted < each ? wanted : each);
}

/* Room for the sums of all bands of the job. */
template <typename Job>
static inline fv_status
pixel_sums_room (const fv_call *call, const Job &job, pixel_sums **partial, fv_error *error)
{
  return cuda_scratch (call, (size_t) (job.problems * pixel_bands (job.problems, job.lines)), partial, error);
}

/* partial: from pixel_sums_room(). */
template <typename Job>
static inline fv_status
pixel_sums_run (const fv_call *call, const Job &job, pixel_sums *partial, fv_error *error)
{
  const unsigned problems = (unsigned) (job.problems < 65535 ? job.problems : 65535);
  const int bands = (int) pixel_bands (job.problems, job.lines);
  const unsigned blocks = (unsigned) pixel_sums_blocks (job.problems, bands);
  pixel_sums_kernel<<<dim3 (blocks, problems), SUMS_THREADS, 0, cuda_stream (call)>>> (job, partial, bands);
  pixel_sums_finish<<<problems, SUMS_THREADS, 0, cuda_stream (call)>>> (job, partial, bands);
  return cuda_status (cudaGetLastError (), "Adding up pixels", error);
}

#endif

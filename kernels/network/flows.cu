/* SPDX-License-Identifier: MIT
 *
 * flows on the GPU: the run of flows_chain.c with its passes here. They are kernels of items.cuh, a thread an item:
 * - paths: a thread a pixel, which reads eight floats a step, mostly of one cache line or two with those of its neighbors.
 * - sums of objects are atomics of a thread a pixel; a seed grows in registers; a box of bits is swept by one thread, whose rows follow each other.
 * - heat: flows_heat_kernel has a block of 256 threads an object, whose cells lie in shared memory (48 KiB), a barrier a round. Each thread has up to 12
 *   cells, and knows which are of the object. Objects with larger boxes are done by a launch a round, a thread a pixel, which reads 9 labels and numbers.
 */
#include "kernels/network/flows.h"
#include "kernels/common/items.cuh"
#include "kernels/network/flows_chain.h"

enum {
  FLOWS_THREADS = 256,
  FLOWS_CELLS = 3072,     /* of a box with its border: twice as many doubles fit */
  FLOWS_LAUNCH = 1 << 30, /* pixels or steps of a launch */
  FLOWS_BETWEEN = 1 << 28 /* pixels of the rounds between two questions whether to stop */
};

/* ---- Passes ---- */

#define FLOWS_LAUNCH_PASS(KEY, FUNCTION)                                                                               \
  case FLOWS_##KEY:                                                                                                    \
    items_launch (call, n, [=] __device__ (int64_t i) { FUNCTION (&j, from + i, from + i + 1); });                     \
    break;

static void
flows_launch (const fv_call *call, flows_pass pass, const flows_job *job, int64_t from, int64_t n)
{
  const flows_job j = *job;
  switch (pass) {
    FLOWS_PASSES (FLOWS_LAUNCH_PASS)
  default: break;
  }
}

/* Waits, so that what is still to come can be stopped. */
static fv_status
flows_pause (const fv_call *call, const flows_share *share, int64_t done, int64_t n, fv_error *error)
{
  const fv_status status = call->device->synchronize (call->device, call->stream, error);
  return status ? status : flows_tick (call, share, done, n) ? cancelled (error) : FV_OK;
}

static fv_status
flows_each_cuda (const fv_call *call, flows_pass pass, const flows_job *job, int64_t n, int64_t work,
                 const flows_share *share, fv_error *error)
{
  const int64_t together = work < FLOWS_LAUNCH ? FLOWS_LAUNCH / work : 1;
  fv_status status = flows_tick (call, share, 0, n) ? cancelled (error) : FV_OK;
  for (int64_t from = 0; !status && from < n; from += together) {
    flows_launch (call, pass, job, from, n - from < together ? n - from : together);
    status = cuda_status (cudaGetLastError (), "flows", error);
    if (!status && n > together)
      status = flows_pause (call, share, from, n, error);
  }
  return status;
}

/* ---- Heat ---- */

__host__ __device__ static bool
flows_is_small (const flows_object &o)
{
  return (int64_t) (o.bottom - o.top + 3) * (o.right - o.left + 3) <= FLOWS_CELLS;
}

/* What the source adds before the next round. */
__device__ static double
flows_source (const flows_object &o, int32_t round, bool is_center)
{
  return is_center && round + 1 < o.rounds ? 1 : 0;
}

/* The pixel of a cell, or -1 where that is not of the object. */
__device__ static int64_t
flows_pixel_of (const flows_job &j, const flows_object &o, int32_t label, int cell, int width, int height)
{
  const int y = cell / width, x = cell - y * width;
  const int64_t i = (int64_t) (o.top + y - 1) * j.columns + o.left + x - 1;
  return y > 0 && y + 1 < height && x > 0 && x + 1 < width && j.end[i] == label ? i : -1;
}

__global__ static void
__launch_bounds__ (FLOWS_THREADS) flows_heat_kernel (flows_job j, int64_t n)
{
  __shared__ double cells[2][FLOWS_CELLS];
  for (int64_t number = blockIdx.x; number < n; number += gridDim.x) {
    const flows_object o = j.objects[number];
    if (!o.label || !flows_is_small (o))
      continue;
    const int32_t label = (int32_t) number + 1;
    const int width = o.right - o.left + 3, height = o.bottom - o.top + 3, area = width * height;
    const int center = (int) (o.center / j.columns - o.top + 1) * width + (int) (o.center % j.columns - o.left + 1);
    uint32_t mine = 0;
    for (int k = 0, cell = (int) threadIdx.x; cell < area; k++, cell += FLOWS_THREADS) {
      cells[0][cell] = cell == center ? 1 : 0;
      cells[1][cell] = 0;
      mine |= (uint32_t) (flows_pixel_of (j, o, label, cell, width, height) >= 0) << k;
    }
    __syncthreads ();
    for (int32_t round = 0; round < o.rounds; round++) {
      const double *from = cells[round & 1];
      double *to = cells[!(round & 1)];
      for (uint32_t left = mine; left; left &= left - 1) {
        const int cell = (int) threadIdx.x + (__ffs ((int) left) - 1) * FLOWS_THREADS;
#define AT(DY, DX) from[cell + (DY) *width + (DX)]
        to[cell] = 1 / 9.0 * FLOWS_SUM (AT) + flows_source (o, round, cell == center);
#undef AT
      }
      __syncthreads ();
    }
    for (uint32_t left = mine; left; left &= left - 1) {
      const int cell = (int) threadIdx.x + (__ffs ((int) left) - 1) * FLOWS_THREADS;
      j.heat[0][flows_pixel_of (j, o, label, cell, width, height)] = cells[0][cell];
    }
    __syncthreads ();
  }
}

/* The rows of large objects, and the most rounds of one. */
typedef struct flows_range {
  int64_t top, end;
  int32_t rounds;
} flows_range;

static flows_range
flows_range_of (const flows_object *objects, int64_t n)
{
  flows_range r = {INT32_MAX, 0, 0};
  for (int64_t i = 0; i < n; i++) {
    const flows_object &o = objects[i];
    if (!o.label || flows_is_small (o))
      continue;
    r.top = o.top < r.top ? o.top : r.top;
    r.end = o.bottom + 1 > r.end ? o.bottom + 1 : r.end;
    r.rounds = o.rounds > r.rounds ? o.rounds : r.rounds;
  }
  return r;
}

static void
flows_start_large (const fv_call *call, const flows_job *job, int64_t n)
{
  items_launch (call, n, [j = *job] __device__ (int64_t i) {
    if (j.objects[i].label && !flows_is_small (j.objects[i]))
      j.heat[0][j.objects[i].center] = 1;
  });
}

static void
flows_round_large (const fv_call *call, const flows_job *job, const flows_range &range, int32_t round)
{
  const int64_t first = range.top * job->columns, n = (range.end - range.top) * job->columns;
  items_launch (call, n, [=, j = *job] __device__ (int64_t k) {
    const int64_t i = first + k;
    const int32_t label = j.end[i];
    if (!label || flows_is_small (j.objects[label - 1]) || round >= j.objects[label - 1].rounds)
      return;
    const flows_object &o = j.objects[label - 1];
    j.heat[!(round & 1)][i] = flows_spread (&j, j.heat[round & 1], i) + flows_source (o, round, i == o.center);
  });
}

static fv_status
flows_heat_cuda (const fv_call *call, const flows_job *job, const flows_object *objects, int64_t n,
                 const flows_share *share, fv_error *error)
{
  const int64_t blocks = n < 65535 ? n : 65535;
  const flows_range range = flows_range_of (objects, n);
  const int64_t pixels = (range.end - range.top) * job->columns;
  const int32_t between = pixels < FLOWS_BETWEEN ? (int32_t) (FLOWS_BETWEEN / (pixels > 0 ? pixels : 1)) : 1;
  flows_heat_kernel<<<(unsigned) blocks, FLOWS_THREADS, 0, cuda_stream (call)>>> (*job, n);
  flows_start_large (call, job, n);
  fv_status status = cuda_status (cudaGetLastError (), "flows", error);
  for (int32_t round = 0; !status && round < range.rounds; round++) {
    flows_round_large (call, job, range, round);
    status = cuda_status (cudaGetLastError (), "flows", error);
    if (!status && round % between == between - 1)
      status = flows_pause (call, share, round, range.rounds, error);
  }
  return status;
}

fv_status
flows_cuda (const fv_call *call, fv_error *error)
{
  const flows_passes passes = {FV_CUDA, 0, flows_each_cuda, flows_heat_cuda};
  return flows_run (call, &passes, error);
}

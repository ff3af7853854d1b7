/* SPDX-License-Identifier: MIT
 *
 * relabel on the GPU. The host reads the highest label; then for each group of planes:
 *
 * - mark_kernel: 256 threads, a row for each block in turn; reads each label, sets a bit where one begins.
 * - before_kernel: one block of 1024, four barriers a turn; reads a word of bits for 64 labels, writes a count.
 * - renumber_kernel: as mark_kernel; reads each label, its word and its count, and writes its rank.
 */
#include "kernels/label/relabel.h"
#include "kernels/common/blocks.cuh"

/* Rows from ... to-1, counted through all planes. */
struct relabel_part {
  view<const int32_t> in;
  int64_t from, to;
};

__global__ static void __launch_bounds__ (256) relabel_highest_kernel (relabel_part p, int *highest)
{
  __shared__ int shared[32];
  int most = 0;
  for (int64_t line = p.from + blockIdx.x; line < p.to; line += gridDim.x) {
    const int32_t *row = p.in.row (line / p.in.rows, line % p.in.rows);
    for (int64_t x = threadIdx.x; x < p.in.columns; x += blockDim.x)
      most = max (most, row[x]);
  }
  most = join_block (most, shared, [] (int a, int b) { return a > b ? a : b; });
  if (threadIdx.x == 0)
    atomicMax (highest, most);
}

__global__ static void __launch_bounds__ (256) relabel_mark_kernel (relabel_part p, relabel_ranks r)
{
  unsigned *bits = (unsigned *) r.bits;
  for (int64_t line = p.from + blockIdx.x; line < p.to; line += gridDim.x) {
    const int32_t *row = p.in.row (line / p.in.rows, line % p.in.rows);
    for (int64_t x = threadIdx.x; x < p.in.columns; x += blockDim.x) {
      int32_t label = row[x];
      unsigned bit = 1u << label % 32;
      if (label && (x == 0 || row[x - 1] != label) && !(((volatile unsigned *) bits)[label / 32] & bit))
        atomicOr (bits + label / 32, bit);
    }
  }
}

/* The sum of v of this lane and those before it. */
__device__ static int
sum_to_lane (int v)
{
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync (~0u, v, d);
    v += (int) threadIdx.x % 32 >= d ? other : 0;
  }
  return v;
}

__global__ static void __launch_bounds__ (1024) relabel_before_kernel (relabel_ranks r)
{
  __shared__ int sums[32];
  int lane = (int) threadIdx.x % 32, warp = (int) threadIdx.x / 32, start = 0;
  for (int64_t base = 0; base < r.words; base += 1024) {
    int64_t i = base + threadIdx.x;
    int own = i < r.words ? relabel_count (r.bits[i]) : 0, in_warp = sum_to_lane (own);
    __syncthreads ();
    if (lane == 31)
      sums[warp] = in_warp;
    __syncthreads ();
    if (warp == 0)
      sums[lane] = sum_to_lane (sums[lane]);
    __syncthreads ();
    if (i < r.words)
      r.before[i] = start + (warp ? sums[warp - 1] : 0) + in_warp - own;
    start += sums[31];
  }
}

__global__ static void __launch_bounds__ (256)
  relabel_renumber_kernel (relabel_part p, view<int32_t> out, relabel_ranks r)
{
  for (int64_t line = p.from + blockIdx.x; line < p.to; line += gridDim.x) {
    const int32_t *from = p.in.row (line / p.in.rows, line % p.in.rows);
    int32_t *to = out.row (line / p.in.rows, line % p.in.rows);
    for (int64_t x = threadIdx.x; x < p.in.columns; x += blockDim.x)
      to[x] = relabel_rank (&r, from[x]);
  }
}

static fv_status
read_highest (const fv_call *call, const relabel_part *all, unsigned blocks, int32_t *highest, fv_error *error)
{
  int *memory;
  fv_status status = cuda_scratch (call, 1, &memory, error);
  if (status)
    return status;
  cudaMemsetAsync (memory, 0, sizeof *memory, cuda_stream (call));
  relabel_highest_kernel<<<blocks, 256, 0, cuda_stream (call)>>> (*all, memory);
  status = cuda_status (cudaGetLastError (), "Finding the highest label", error);
  return status ? status : call->host->read (call, highest, memory, sizeof *highest, error);
}

fv_status
relabel_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  int64_t lines = array_planes (in) * array_rows (in), most = 32 * (int64_t) multiprocessors ();
  int64_t each = ((const relabel_args *) call->args)->volume ? lines : array_rows (in);
  unsigned blocks = (unsigned) (each < most ? each : most);
  cudaStream_t stream = cuda_stream (call);
  relabel_part p = {view_of<const int32_t> (in), 0, lines};
  relabel_ranks r = {};
  int32_t highest = 0;
  fv_status status = read_highest (call, &p, blocks, &highest, error);
  if (status)
    return status;
  r.words = relabel_words (highest);
  status = call->host->scratch (call, relabel_bytes (r.words), (void **) &r.bits, error);
  r.before = (int32_t *) (r.bits + r.words);
  for (p.from = 0; p.from < lines && !status; p.from = p.to) {
    p.to = p.from + each;
    cudaMemsetAsync (r.bits, 0, (size_t) r.words * sizeof *r.bits, stream);
    relabel_mark_kernel<<<blocks, 256, 0, stream>>> (p, r);
    relabel_before_kernel<<<1, 1024, 0, stream>>> (r);
    relabel_renumber_kernel<<<blocks, 256, 0, stream>>> (p, view_of<int32_t> (call->outputs[0]), r);
    status = cuda_status (cudaGetLastError (), "Renumbering objects", error);
    if (!status && call->host->tick (call, p.to, lines))
      status = cancelled (error);
  }
  return status;
}

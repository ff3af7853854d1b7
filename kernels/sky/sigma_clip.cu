/* SPDX-License-Identifier: MIT
 *
 * sigma_clip on the GPU: one kernel, whose blocks are all resident and go through the passes of clip.h together, so that the host
 * waits but once, for the table. parts blocks of 1024 are a group and deal with a plane; a pass reads the type's size for each
 * pixel, counts in shared memory (64 KiB: each bin four times, so that equal neighbours do not wait for each other), and adds
 * that to the counts of the group. Three of these take turns: one is counted into, one cleared, one perhaps still read. Barriers
 * of a pass: one between the blocks of a group, and about ten of the block. Sums are the same each time.
 */
#include "kernels/sky/sigma_clip.h"
#include "kernels/common/blocks.cuh"
#include "kernels/common/lines.cuh"
#include "kernels/sky/clip.cuh"

enum { CLIP_DEEP = 4, COPIES = 4 };
enum { CLIP_SHARED = CLIP_BINS * COPIES * 4 };

template <typename T> struct clip_job {
  lines<T> pixels;
  fv_type type;
  double kappa;
  int64_t max_iterations, problems;
  int parts, groups; /* parts * groups blocks */
  count64 *counts;   /* [groups][3][CLIP_BINS], cleared */
  unsigned *arrived; /* [groups], cleared */
  clip_sums *sums;   /* [groups][2][parts] */
  double *scalars;
};

__device__ __forceinline__ clip_sums
add_sums (clip_sums a, clip_sums b)
{
  return {a.sum + b.sum, a.squares + b.squares, min (a.low, b.low), max (a.high, b.high), min (a.above, b.above)};
}

__device__ __forceinline__ clip_sums
no_sums (void)
{
  return {0, 0, UINT64_MAX, 0, UINT64_MAX};
}

/* A block's part of the pixels: counts, and with SUMS the thread's sums. */
template <bool SUMS, typename T>
__device__ clip_sums
clip_pixels (const clip_job<T> &job, int64_t problem, int part, const clip &c, uint32_t *bins)
{
  using K = decltype (clip_key (T ()));
  constexpr int size = piece_pixels<T, CLIP_DEEP>;
  const K low = (K) c.low, kept = (K) (c.high - c.low), first = (K) c.first, span = (K) (c.last - c.first);
  const int shift = c.shift;
  const bool count = !c.found;
  const double center = c.center;
  int64_t pieces = job.pixels.count * ((job.pixels.columns + size - 1) / size), warps = CLIP_THREADS / 32;
  K least = (K) -1, most = 0, above = (K) -1;
  bool any = false;
  clip_sums s = no_sums ();
  bins += threadIdx.x % COPIES;
  for (int64_t i = (int64_t) part * warps + threadIdx.x / 32; i < pieces; i += (int64_t) job.parts * warps)
    each_pixel<CLIP_DEEP> (job.pixels, problem, i, [&] (T p) {
      K key = clip_key (p), at = key - first;
      if (count && at <= span)
        atomicAdd (bins + (size_t) (at >> shift) * COPIES, 1u);
      if (!SUMS || (K) (key - low) > kept)
        return;
      double d = (double) p - center;
      s.sum += d;
      s.squares += d * d;
      any = true;
      least = key < least ? key : least;
      most = key > most ? key : most;
      above = key > (K) c.last && key < above ? key : above;
    });
  if (any)
    s.low = least, s.high = most, s.above = above;
  return s;
}

/* Adds the block's counts to those of the group, and clears them. */
__device__ void
flush_bins (uint32_t *bins, count64 *counts)
{
  __syncthreads ();
  for (int i = (int) threadIdx.x; i < CLIP_BINS; i += CLIP_THREADS) {
    uint4 *at = (uint4 *) bins + i, n = *at;
    count64 sum = (count64) n.x + n.y + n.z + n.w;
    if (sum) {
      atomicAdd (counts + i, sum);
      *at = {0, 0, 0, 0};
    }
  }
}

/* parts x groups blocks of 1024, all resident. */
template <typename T>
__global__ void
__launch_bounds__ (CLIP_THREADS, 1) sigma_clip_kernel (clip_job<T> job)
{
  extern __shared__ uint4 memory[];
  __shared__ clip c;
  __shared__ clip_sums shared[32];
  uint32_t *bins = (uint32_t *) memory;
  const int group = (int) blockIdx.x / job.parts, part = (int) blockIdx.x % job.parts;
  count64 *counts = job.counts + (int64_t) group * 3 * CLIP_BINS;
  unsigned turn = 0;
  for (int i = (int) threadIdx.x; i < CLIP_BINS; i += CLIP_THREADS)
    memory[i] = {0, 0, 0, 0};
  for (int64_t problem = group; problem < job.problems; problem += job.groups) {
    if (threadIdx.x == 0)
      clip_begin (&c, job.type, job.kappa, job.max_iterations);
    __syncthreads ();
    while (!c.done) {
      const bool sums = c.sums;
      clip_sums s =
        sums ? clip_pixels<true> (job, problem, part, c, bins) : clip_pixels<false> (job, problem, part, c, bins);
      clip_sums *partial = job.sums + ((int64_t) group * 2 + (turn & 1)) * job.parts;
      count64 *now = counts + turn % 3 * CLIP_BINS, *then = counts + (turn + 1) % 3 * CLIP_BINS;
      for (int i = part * CLIP_THREADS + (int) threadIdx.x; i < CLIP_BINS; i += job.parts * CLIP_THREADS)
        __stcg (then + i, (count64) 0);
      if (!c.found)
        flush_bins (bins, now);
      if (sums) {
        s = join_block (s, shared, add_sums);
        if (threadIdx.x == 0)
          partial[part] = s;
      }
      group_barrier (job.arrived + group, job.parts, &turn);
      clip_bin b = clip_find_bin (c, [&] (int i) { return __ldcg (now + i); });
      s = no_sums ();
      if (sums) {
        for (int i = (int) threadIdx.x; i < job.parts; i += CLIP_THREADS) {
          const double *d = &partial[i].sum;
          const count64 *k = (const count64 *) &partial[i].low;
          s = add_sums (s, {__ldcg (d), __ldcg (d + 1), __ldcg (k), __ldcg (k + 1), __ldcg (k + 2)});
        }
        s = join_block (s, shared, add_sums);
      }
      if (threadIdx.x == 0)
        clip_after (&c, &b, &s);
      __syncthreads ();
    }
    if (part == 0 && threadIdx.x == 0)
      sigma_clip_put (job.scalars + problem * SIGMA_CLIP_RESULTS, &c);
    __syncthreads ();
  }
}

template <typename T>
static fv_status
launch_sigma_clip (const fv_call *call, const fv_array *in, const sigma_clip_args *a, double *results, fv_error *error)
{
  const int64_t planes = array_planes (in), most = multiprocessors ();
  clip_job<T> job = {};
  job.pixels = lines_of<T> (in, 0, planes, 1);
  job.type = in->grid->type;
  job.kappa = a->kappa;
  job.max_iterations = a->max_iterations;
  job.problems = planes;
  job.scalars = results;
  int64_t parts = blocks_for (pieces_of<T, CLIP_DEEP> (job.pixels), CLIP_THREADS / 32);
  job.parts = (int) (parts < most ? parts : most);
  job.groups = (int) (most / job.parts < planes ? most / job.parts : planes);
  const size_t groups = (size_t) job.groups, cleared = groups * (3 * CLIP_BINS * sizeof (count64) + sizeof (unsigned));
  char *memory;
  fv_status status = cuda_scratch (call, groups * 2 * job.parts * sizeof (clip_sums) + cleared, &memory, error);
  if (status)
    return status;
  job.counts = (count64 *) memory;
  job.sums = (clip_sums *) (job.counts + groups * 3 * CLIP_BINS);
  job.arrived = (unsigned *) (job.sums + groups * 2 * job.parts);
  void *args[] = {&job};
  cudaFuncSetAttribute (sigma_clip_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, CLIP_SHARED);
  status =
    cuda_status (cudaMemsetAsync (memory, 0, groups * 2 * job.parts * sizeof (clip_sums) + cleared, cuda_stream (call)),
                 "Clearing the counts", error);
  if (status)
    return status;
  return cuda_status (cudaLaunchCooperativeKernel ((const void *) sigma_clip_kernel<T>,
                                                   dim3 ((unsigned) (job.parts * job.groups)), dim3 (CLIP_THREADS),
                                                   args, CLIP_SHARED, cuda_stream (call)),
                      "Clipping", error);
}

extern "C" fv_status
sigma_clip_measure_cuda (const fv_call *call, const fv_array *in, const sigma_clip_args *a, double *results,
                         fv_error *error)
{
  return with_type (in->grid->type,
                    [&] (auto zero) { return launch_sigma_clip<decltype (zero)> (call, in, a, results, error); });
}

extern "C" fv_status
sigma_clip_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  const size_t bytes = (size_t) array_planes (in) * SIGMA_CLIP_RESULTS * sizeof (double);
  void *scalars;
  fv_status status = sigma_clip_measure_cuda (call, in, (const sigma_clip_args *) call->args, call->scalars, error);
  if (!status)
    status = call->host->host_scratch (call, bytes, &scalars, error);
  if (!status)
    status = call->host->read (call, scalars, call->scalars, bytes, error);
  return status ? status : sigma_clip_table (call, (const double *) scalars, error);
}

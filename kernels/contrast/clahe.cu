/* SPDX-License-Identifier: MIT
 *
 * clahe on the GPU: plane by plane, or the volume, kernels in turn on the call's stream, none waited for by the host. Range (histogram.cuh), bins,
 * counts, maps, blend, write. Bytes for each pixel: range and bins read the size of the type. Of scratch, bins writes 2, counts and blend read them,
 * blend writes them, and write reads them. Maps come from the L1 and L2.
 */
#include "kernels/common/blocks.cuh"
#include "kernels/common/histogram.cuh"
#include "kernels/common/planes.cuh"
#include "kernels/common/row.cuh"
#include "kernels/contrast/clahe.h"

struct clahe_found {
  double low, width;   /* halves; infinite where there is one value, or none */
  int32_t least, most; /* levels of the result */
};

struct clahe_job {
  clahe_plan plan;
  clahe_found *found;
  uint16_t *levels; /* bins at first, without gaps between rows */
  uint32_t *counts; /* [tiles][bins + 1] */
  uint16_t *maps;   /* likewise */
  int32_t parts;    /* blocks that count a tile */
};

enum { CLAHE_THREADS = 256, CLAHE_ROWS = 16 };

/* 256 threads a block, a pixel each, over up to 16 rows and all planes; one barrier, after the range has been joined. */
template <typename T>
__global__ static void
__launch_bounds__ (CLAHE_THREADS) clahe_bins_kernel (const __grid_constant__ clahe_job job, view<const T> in,
                                                     const extent<T> *extents, int extent_parts)
{
  __shared__ extent<T> shared[32];
  double low, high;
  range_join (extents, extent_parts, shared, &low, &high);
  low *= 0.5;
  double width = high * 0.5 - low;
  if (!(width > 0))
    low = width = HUGE_VAL;
  if (blockIdx.x + blockIdx.y + blockIdx.z + threadIdx.x == 0)
    *job.found = {low, width, CLAHE_LEVELS, -1};
  const int64_t x = (int64_t) blockIdx.x * CLAHE_THREADS + threadIdx.x;
  if (x >= in.columns)
    return;
  for (int64_t z = blockIdx.z; z < in.planes; z += gridDim.z)
    for (int64_t y = blockIdx.y; y < in.rows; y += gridDim.y) {
      const T v = in.row (z, y)[x];
      job.levels[(z * in.rows + y) * in.columns + x] =
        (uint16_t) (v == v ? clahe_bin (clahe_level ((double) v, low, width), (float) job.plan.width) : job.plan.bins);
    }
}

/* tiles x parts blocks of 256, with a counter for each bin in shared memory; reads each pixel of the tile once. Two barriers. */
__global__ static void
__launch_bounds__ (CLAHE_THREADS) clahe_count_kernel (const __grid_constant__ clahe_job job)
{
  extern __shared__ uint32_t clahe_counters[];
  const clahe_plan &p = job.plan;
  const int64_t tile = blockIdx.x / job.parts, stride = p.bins + 1;
  const int64_t z0 = tile / (p.tiles[1] * p.tiles[2]) * p.size[0], y0 = tile / p.tiles[2] % p.tiles[1] * p.size[1],
                x0 = tile % p.tiles[2] * p.size[2];
  const uint32_t across = (uint32_t) p.size[2], down = (uint32_t) p.size[1], all = (uint32_t) p.tile_pixels;
  for (int i = (int) threadIdx.x; i < stride; i += CLAHE_THREADS)
    clahe_counters[i] = 0;
  __syncthreads ();
  for (uint64_t i = blockIdx.x % job.parts * CLAHE_THREADS + threadIdx.x; i < all;
       i += (uint64_t) job.parts * CLAHE_THREADS) {
    const uint32_t line = (uint32_t) i / across, plane = line / down;
    const int64_t x = border_index (x0 + ((uint32_t) i - line * across), p.shape[2], BORDER_MIRROR);
    const int64_t y = border_index (y0 + (line - plane * down), p.shape[1], BORDER_MIRROR);
    const int64_t z = border_index (z0 + plane, p.shape[0], BORDER_MIRROR);
    atomicAdd (&clahe_counters[job.levels[(z * p.shape[1] + y) * p.shape[2] + x]], 1);
  }
  __syncthreads ();
  for (int i = (int) threadIdx.x; i < stride; i += CLAHE_THREADS)
    if (clahe_counters[i])
      atomicAdd (&job.counts[tile * stride + i], clahe_counters[i]);
}

__device__ static int64_t
clahe_sum (int64_t v, int64_t *shared)
{
  return join_block (v, shared, [] (int64_t a, int64_t b) { return a + b; });
}

/* clip_counts() of clahe.c by a block: each step sees what the one before has left. */
__device__ static void
clahe_clip_counts (uint32_t *counts, int bins, int64_t clip, int64_t *shared)
{
  const int me = (int) threadIdx.x;
  int64_t cut = 0, before = -1;
  for (int i = me; i < bins; i += CLAHE_THREADS)
    if (counts[i] > clip) {
      cut += counts[i] - clip;
      counts[i] = (uint32_t) clip;
    }
  int64_t excess = clahe_sum (cut, shared), given = 0;
  const int64_t more = excess / bins;
  for (int i = me; i < bins; i += CLAHE_THREADS) {
    const int64_t room = clahe_given (counts[i], clip, more);
    counts[i] += (uint32_t) room;
    given += room;
  }
  excess -= clahe_sum (given, shared);
  while (excess > 0 && excess != before) {
    before = excess;
    for (int first = 0; first < bins && excess > 0; first++) {
      int64_t under = 0, added = 0;
      for (int i = me; i < bins; i += CLAHE_THREADS)
        under += counts[i] < clip;
      under = clahe_sum (under, shared);
      const int64_t step = under / excess > 1 ? under / excess : 1;
      for (int64_t i = first + me * step; i < bins; i += CLAHE_THREADS * step)
        if (counts[i] < clip) {
          counts[i]++;
          added++;
        }
      excess -= clahe_sum (added, shared);
    }
  }
}

/* A block of 256 for each tile, with its counters in shared memory; barriers in each sum. */
__global__ static void
__launch_bounds__ (CLAHE_THREADS) clahe_map_kernel (const __grid_constant__ clahe_job job)
{
  __shared__ uint32_t counts[CLAHE_BINS];
  __shared__ int64_t shared[32], sums[CLAHE_THREADS];
  const clahe_plan &p = job.plan;
  const int me = (int) threadIdx.x, bins = p.bins, each = (bins + CLAHE_THREADS - 1) / CLAHE_THREADS;
  const int64_t at = (int64_t) blockIdx.x * (bins + 1);
  const double scale = isinf (job.found->width) ? 0 : (CLAHE_LEVELS - 1) / (double) p.tile_pixels;
  for (int i = me; i < bins; i += CLAHE_THREADS)
    counts[i] = job.counts[at + i];
  __syncthreads ();
  clahe_clip_counts (counts, bins, p.clip, shared);
  __syncthreads ();
  int64_t sum = 0;
  for (int i = me * each; i < (me + 1) * each && i < bins; i++)
    sum += counts[i];
  sums[me] = sum;
  __syncthreads ();
  sum = 0;
  for (int i = 0; i < me; i++)
    sum += sums[i];
  for (int i = me * each; i < (me + 1) * each && i < bins; i++) {
    sum += counts[i];
    job.maps[at + i] = (uint16_t) fmin ((double) sum * scale, (double) (CLAHE_LEVELS - 1));
  }
  if (me == 0)
    job.maps[at + bins] = 0;
}

/* 256 threads a block, a pixel each, over up to 16 rows and all planes; reads 4 or 8 maps, replaces the bin by the level. The ends of all levels go to
 * the result by atomics, of those warps alone that have something new. No barrier. */
__global__ static void
__launch_bounds__ (CLAHE_THREADS) clahe_blend_kernel (const __grid_constant__ clahe_job job)
{
  const clahe_plan &p = job.plan;
  const int64_t x = (int64_t) blockIdx.x * CLAHE_THREADS + threadIdx.x, stride = p.bins + 1;
  int32_t least = CLAHE_LEVELS, most = -1;
  const clahe_position across = clahe_position_at (x < p.shape[2] ? x : 0, p.size[2], p.tiles[2]);
  for (int64_t z = blockIdx.z; z < p.shape[0]; z += gridDim.z) {
    const clahe_position deep = clahe_position_at (z, p.size[0], p.tiles[0]);
    for (int64_t y = blockIdx.y; y < p.shape[1] && x < p.shape[2]; y += gridDim.y) {
      const clahe_position down = clahe_position_at (y, p.size[1], p.tiles[1]);
      uint16_t *at = job.levels + (z * p.shape[1] + y) * p.shape[2] + x;
      const int32_t bin = *at;
      float sum = 0;
      for (int k = 0; k < p.layers; k++)
#pragma unroll
        for (int i = 0; i < 4; i++) {
          const int64_t layer = p.layers == 1 ? z : deep.tile[k];
          const int64_t tile = (layer * p.tiles[1] + down.tile[i / 2]) * p.tiles[2] + across.tile[i % 2];
          double weight = across.weight[i % 2] * down.weight[i / 2];
          if (p.layers == 2)
            weight *= deep.weight[k];
          sum += (float) (job.maps[tile * stride + bin] * weight);
        }
      const int32_t level = (int32_t) sum;
      *at = (uint16_t) (bin == p.bins ? (int32_t) CLAHE_NONE : level);
      if (bin != p.bins) {
        least = min (least, level);
        most = max (most, level);
      }
    }
  }
  least = __reduce_min_sync (~0u, least);
  most = __reduce_max_sync (~0u, most);
  if (threadIdx.x % 32)
    return;
  if (least < *(volatile int32_t *) &job.found->least)
    atomicMin (&job.found->least, least);
  if (most > *(volatile int32_t *) &job.found->most)
    atomicMax (&job.found->most, most);
}

/* 256 threads a block, a pixel each, over up to 16 rows and all planes. No barrier. */
template <typename R>
__global__ static void
__launch_bounds__ (CLAHE_THREADS) clahe_write_kernel (const __grid_constant__ clahe_job job, view<R> out, double full)
{
  const int64_t x = (int64_t) blockIdx.x * CLAHE_THREADS + threadIdx.x;
  const int32_t least = job.found->least, most = job.found->most;
  const double range = most > least ? (double) (most - least) : 1;
  if (x >= out.columns)
    return;
  for (int64_t z = blockIdx.z; z < out.planes; z += gridDim.z)
    for (int64_t y = blockIdx.y; y < out.rows; y += gridDim.y) {
      const int32_t level = job.levels[(z * out.rows + y) * out.columns + x];
      out.row (z, y)[x] = pixel_from<R> (level == CLAHE_NONE ? (double) NAN : (double) (level - least) / range * full);
    }
}

/* ---- The host's side ---- */

static dim3
clahe_grid (const clahe_plan *p)
{
  return grid_of_rows (p->shape[0], blocks_for (p->shape[1], CLAHE_ROWS), blocks_for (p->shape[2], CLAHE_THREADS));
}

template <typename T>
static fv_status
clahe_find_bins (const fv_call *call, const clahe_job *job, int64_t first, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  const lines<T> l = lines_of<T> (in, first, 1, job->plan.shape[0]);
  const int parts = range_parts (l);
  extent<T> *extents;
  if (cuda_scratch (call, (size_t) parts, &extents, error))
    return error->code;
  range_kernel<T><<<(unsigned) parts, RANGE_THREADS, 0, cuda_stream (call)>>> (l, parts, extents, NULL, 0);
  clahe_bins_kernel<T><<<clahe_grid (&job->plan), CLAHE_THREADS, 0, cuda_stream (call)>>> (
    *job, view_of_planes<const T> (in, first, job->plan.shape[0]), extents, parts);
  return cuda_status (cudaGetLastError (), "Finding bins", error);
}

static fv_status
clahe_make_maps (const fv_call *call, const clahe_job *job, fv_error *error)
{
  const int64_t tiles = clahe_tiles (&job->plan), stride = job->plan.bins + 1;
  const cudaStream_t stream = cuda_stream (call);
  cudaMemsetAsync (job->counts, 0, (size_t) (tiles * stride) * sizeof *job->counts, stream);
  clahe_count_kernel<<<(unsigned) (tiles * job->parts), CLAHE_THREADS, (size_t) stride * sizeof (uint32_t), stream>>> (
    *job);
  clahe_map_kernel<<<(unsigned) tiles, CLAHE_THREADS, 0, stream>>> (*job);
  clahe_blend_kernel<<<clahe_grid (&job->plan), CLAHE_THREADS, 0, stream>>> (*job);
  return cuda_status (cudaGetLastError (), "Equalizing tiles", error);
}

static fv_status
clahe_write (const fv_call *call, const clahe_job *job, int64_t first, fv_error *error)
{
  const fv_array *out = call->outputs[0];
  with_type (out->grid->type, [&] (auto zero) {
    using R = decltype (zero);
    clahe_write_kernel<R><<<clahe_grid (&job->plan), CLAHE_THREADS, 0, cuda_stream (call)>>> (
      *job, view_of_planes<R> (out, first, job->plan.shape[0]), full_of (out->grid->type));
  });
  return cuda_status (cudaGetLastError (), "Writing pixels", error);
}

extern "C" fv_status
clahe_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  clahe_job job = {clahe_plan_of ((const clahe_args *) call->args, in->grid), NULL, NULL, NULL, NULL, 1};
  const int64_t tiles = clahe_tiles (&job.plan), planes = array_planes (in);
  const int64_t wanted = 8 * (int64_t) multiprocessors () / tiles, useful = blocks_for (job.plan.tile_pixels, 4096);
  const size_t bins = (size_t) (tiles * (job.plan.bins + 1));
  job.parts = (int32_t) (wanted < 1 ? 1 : wanted < useful ? wanted : useful);
  if (cuda_scratch (call, 1, &job.found, error)
      || cuda_scratch (call, (size_t) clahe_pixels (&job.plan), &job.levels, error)
      || cuda_scratch (call, bins, &job.counts, error) || cuda_scratch (call, bins, &job.maps, error))
    return error->code;
  for (int64_t first = 0; first < planes; first += job.plan.shape[0]) {
    fv_status status = call->host->tick (call, first, planes) ? cancelled (error) : FV_OK;
    with_type (in->grid->type, [&] (auto zero) {
      if (!status)
        status = clahe_find_bins<decltype (zero)> (call, &job, first, error);
    });
    if (status || clahe_make_maps (call, &job, error) || clahe_write (call, &job, first, error))
      return error->code;
  }
  return FV_OK;
}

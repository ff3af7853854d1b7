/* SPDX-License-Identifier: MIT
 *
 * voronoi on the GPU: expand, and for lines voronoi_divide_kernel in blocks of 256 columns of 16 rows, a thread a column. It reads a label and its
 * two neighbors for each pixel, mostly from L1, three times that in volumes, and writes one. No synchronization.
 */
#include "kernels/label/voronoi.h"
#include "kernels/common/common.cuh"

enum { THREADS = 256, ROWS_DOWN = 16 };

/* A label as a number of which the least counts: other values are greater than all labels. */
__device__ __forceinline__ uint32_t
label_rank (int32_t label)
{
  return (uint32_t) label - 1;
}

/* The least rank of a pixel and those beside it along the row; DEEP: of those in the planes beside it, too. */
template <bool DEEP>
__device__ __forceinline__ uint32_t
least_rank (const view<const int32_t> &regions, int64_t z, int64_t y, int64_t x)
{
  constexpr int deep = DEEP ? 1 : 0;
  uint32_t least = UINT32_MAX;
  if (y < 0 || y >= regions.rows)
    return least;
  const int64_t left = max (x - 1, (int64_t) 0), right = min (x + 1, regions.columns - 1);
  for (int64_t k = max (z - deep, (int64_t) 0); k <= min (z + deep, regions.planes - 1); k++) {
    const int32_t *row = regions.row (k, y);
    least = min (least, min (label_rank (row[x]), min (label_rank (row[left]), label_rank (row[right]))));
  }
  return least;
}

template <bool DEEP>
__device__ static void
divide_down (const view<const int32_t> &regions, const view<int32_t> &out, int64_t z, int64_t top, int64_t x)
{
  const int64_t end = min (top + ROWS_DOWN, regions.rows);
  uint32_t above = least_rank<DEEP> (regions, z, top - 1, x), here = least_rank<DEEP> (regions, z, top, x);
#pragma unroll 2
  for (int64_t y = top; y < end; y++) {
    const uint32_t below = least_rank<DEEP> (regions, z, y + 1, x);
    const int32_t own = regions.row (z, y)[x];
    out.row (z, y)[x] = own > 0 && min (above, min (here, below)) < label_rank (own) ? 0 : own;
    above = here;
    here = below;
  }
}

template <bool DEEP>
__global__ static void
__launch_bounds__ (THREADS) voronoi_divide_kernel (view<const int32_t> regions, view<int32_t> out)
{
  const int64_t x = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (x >= regions.columns)
    return;
  for (int64_t z = blockIdx.z; z < regions.planes; z += gridDim.z)
    for (int64_t top = (int64_t) blockIdx.y * ROWS_DOWN; top < regions.rows; top += (int64_t) gridDim.y * ROWS_DOWN)
      divide_down<DEEP> (regions, out, z, top, x);
}

static fv_status
divide_cuda (const fv_call *call, const fv_array *regions, fv_error *error)
{
  const view<const int32_t> from = view_of<const int32_t> (regions);
  const dim3 grid = grid_of_rows (from.planes, blocks_for (from.rows, ROWS_DOWN), blocks_for (from.columns, THREADS));
  const view<int32_t> to = view_of<int32_t> (call->outputs[0]);
  if (((const voronoi_args *) call->args)->volume)
    voronoi_divide_kernel<true><<<grid, THREADS, 0, cuda_stream (call)>>> (from, to);
  else
    voronoi_divide_kernel<false><<<grid, THREADS, 0, cuda_stream (call)>>> (from, to);
  return cuda_status (cudaGetLastError (), "Dividing regions", error);
}

extern "C" fv_status
voronoi_cuda (const fv_call *call, fv_error *error)
{
  return voronoi_run (call, FV_CUDA, divide_cuda, error);
}

/* SPDX-License-Identifier: MIT
 *
 * voronoi on the GPU: expand, and for lines voronoi_divide_kernel, a grid-stride loop over the pixels of all planes in blocks of 256: reads a
 * label and those around it, mostly from the cache, and writes one. No synchronisation.
 */
#include "kernels/label/voronoi.h"
#include "kernels/common/common.cuh"

enum { THREADS = 256 };

/* deep: 1 when neighbors are in the planes beside it, too, else 0. */
__device__ static bool
voronoi_on_line (const view<const int32_t> &regions, int64_t z, int64_t y, int64_t x, int deep)
{
  const int32_t own = regions.row (z, y)[x];
  for (int64_t k = z - deep; k <= z + deep; k++)
    for (int64_t j = y - 1; j <= y + 1; j++)
      for (int64_t i = x - 1; i <= x + 1; i++) {
        if (k < 0 || k >= regions.planes || j < 0 || j >= regions.rows || i < 0 || i >= regions.columns)
          continue;
        const int32_t other = regions.row (k, j)[i];
        if (other > 0 && other < own)
          return true;
      }
  return false;
}

__global__ static void
__launch_bounds__ (THREADS) voronoi_divide_kernel (view<const int32_t> regions, view<int32_t> out, int deep)
{
  const int64_t count = regions.planes * regions.rows * regions.columns;
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < count; i += (int64_t) gridDim.x * THREADS) {
    const int64_t line = i / regions.columns, x = i - line * regions.columns;
    const int64_t z = line / regions.rows, y = line - z * regions.rows;
    out.row (z, y)[x] = voronoi_on_line (regions, z, y, x, deep) ? 0 : regions.row (z, y)[x];
  }
}

static fv_status
divide_cuda (const fv_call *call, const fv_array *regions, fv_error *error)
{
  const view<const int32_t> from = view_of<const int32_t> (regions);
  const int64_t blocks = blocks_for (from.planes * from.rows * from.columns, THREADS);
  const int64_t most = 16 * (int64_t) multiprocessors ();
  voronoi_divide_kernel<<<(unsigned) (blocks < most ? blocks : most), THREADS, 0, cuda_stream (call)>>> (
    from, view_of<int32_t> (call->outputs[0]), ((const voronoi_args *) call->args)->volume ? 1 : 0);
  return cuda_status (cudaGetLastError (), "Dividing regions", error);
}

extern "C" fv_status
voronoi_cuda (const fv_call *call, fv_error *error)
{
  return voronoi_run (call, FV_CUDA, divide_cuda, error);
}

/* SPDX-License-Identifier: MIT
 *
 * Affine maps on the GPU: affine_tiles of affine_tiles.cuh where it can, or affine_kernel. This has a block of 32 x 8 threads for tiles of that size
 * in turn, a thread for a pixel of the result. Each pixel is written once; its sources come through the caches. No synchronization.
 */
#ifndef KERNELS_GEOMETRY_AFFINE_RUN_CUH
#define KERNELS_GEOMETRY_AFFINE_RUN_CUH

#include "kernels/geometry/affine_tiles.cuh"

enum { TILE_WIDTH = 32, TILE_HEIGHT = 8 };

/* The one map of all planes, or those of a rule in the memory of the device. */
struct affine_one {
  affine_map map;

  __device__ __forceinline__ const affine_map &of (const affine_rule &, int64_t) const
  {
    return map;
  }
};

struct affine_many {
  const affine_map *maps;

  __device__ __forceinline__ const affine_map &of (const affine_rule &r, int64_t plane) const
  {
    return maps[plane / r.each % r.maps];
  }
};

template <typename T, typename Maps>
__global__ static void
__launch_bounds__ (TILE_WIDTH *TILE_HEIGHT) affine_kernel (view<const T> in, view<T> out, Maps maps, affine_rule r)
{
  const int64_t across = (out.columns + TILE_WIDTH - 1) / TILE_WIDTH, down = (out.rows + TILE_HEIGHT - 1) / TILE_HEIGHT;
  for (int64_t i = blockIdx.x; i < out.planes * down * across; i += gridDim.x) {
    int64_t plane = i / (down * across), x = i % across * TILE_WIDTH + threadIdx.x,
            y = i / across % down * TILE_HEIGHT + threadIdx.y;
    if (x >= out.columns || y >= out.rows)
      continue;
    out.row (plane, y)[x] = affine_pixel (in, plane, maps.of (r, plane), r, x, y);
  }
}

/* Makes the first output of the first input. */
template <typename Maps>
static fv_status
affine_run (const fv_call *call, const Maps &maps, const affine_rule &rule, const char *what, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  int64_t tiles = array_planes (out) * blocks_for (array_rows (out), TILE_HEIGHT)
                  * blocks_for (array_columns (out), TILE_WIDTH),
          most = 32 * (int64_t) multiprocessors ();
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  if constexpr (std::is_same_v<Maps, affine_one>) {
    affine_tiles_job job;
    int64_t bytes;
    if (affine_tiles_can (in, out, maps.map, rule, &job, &bytes))
      return cuda_status (launch (affine_tiles, job.out.planes * job.across * job.down, AFFINE_BLOCK, bytes, call, job),
                          what, error);
  }
  with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    affine_kernel<T>
      <<<(unsigned) (tiles < most ? tiles : most), dim3 (TILE_WIDTH, TILE_HEIGHT), 0, cuda_stream (call)>>> (
        view_of<const T> (in), view_of<T> (out), maps, rule);
  });
  return cuda_status (cudaGetLastError (), what, error);
}

#endif

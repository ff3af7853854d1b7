/* SPDX-License-Identifier: MIT
 *
 * nlmeans_kernel: a tile of 32 rows and 33 - s columns (32 - 2 r of the exact form) for a block of 4 warps. Each has a strip of 8 rows, whose own
 * pixels with their patches are in registers. What the tile reaches is in shared memory, in T, 64 rows of it at most: 33 KiB for float, 66 KiB for
 * double; more takes several turns. Reads each pixel of the image about six times, mostly from the L2, writes it once. Waits for the threads of a
 * block twice in all and twice a turn; warps meet wherever sums go along rows.
 */
#include "kernels/filters/nlmeans.h"
#include "kernels/filters/nlmeans_strip.cuh"
#include "kernels/filters/stencil.h"

enum { NLMEANS_WARPS = 4, NLMEANS_HEIGHT = NLMEANS_WARPS * NLMEANS_ROWS, NLMEANS_HELD = 64 };

/* A pixel of the image, mirrored at its edges. */
template <typename T>
__device__ __forceinline__ T
nlmeans_pixel (const nlmeans_job<T> &j, int64_t z, int64_t y, int64_t x)
{
  const int64_t at =
    z * j.in_plane + border_index (y, j.rows, BORDER_MIRROR) * j.in_row + border_index (x, j.columns, BORDER_MIRROR);
  if constexpr (sizeof (T) == 4)
    return j.in_type == FV_U8    ? (T) ((const uint8_t *) j.in)[at]
           : j.in_type == FV_U16 ? (T) ((const uint16_t *) j.in)[at]
                                 : ((const float *) j.in)[at];
  else
    return j.in_type == FV_I32 ? (T) ((const int32_t *) j.in)[at] : ((const double *) j.in)[at];
}

template <typename T>
__device__ __forceinline__ void
nlmeans_write (const nlmeans_job<T> &j, int64_t z, int64_t y, int64_t x, T v)
{
  const int64_t at = z * j.out_plane + y * j.out_row + x;
  switch (j.out_type) {
  case FV_U8: ((uint8_t *) j.out)[at] = pixel_from<uint8_t> (v); break;
  case FV_U16: ((uint16_t *) j.out)[at] = pixel_from<uint16_t> (v); break;
  case FV_I32: ((int32_t *) j.out)[at] = pixel_from<int32_t> (v); break;
  case FV_F32: ((float *) j.out)[at] = pixel_from<float> (v); break;
  default: ((double *) j.out)[at] = pixel_from<double> (v);
  }
}

/* Rows of the tile, the first pixel of which is that at y0, x0. Says whether one is not finite. */
template <typename T>
__device__ __forceinline__ bool
nlmeans_fill (const nlmeans_job<T> &j, int64_t z, int64_t y0, int64_t x0, int rows, T *tile)
{
  const int lane = (int) threadIdx.x % 32, wide = 32 + 2 * j.distance;
  bool odd = false;
  for (int y = (int) threadIdx.x / 32; y < rows; y += NLMEANS_WARPS)
    for (int x = lane; x < wide; x += 32) {
      const T v = nlmeans_pixel (j, z, y0 + y, x0 + x);
      odd |= !(v - v == 0);
      tile[y * NLMEANS_PITCH + x] = v;
    }
  return odd;
}

template <typename T, int REACH, bool EXACT>
__global__ static void __launch_bounds__ (32 * NLMEANS_WARPS, (sizeof (T) == 4 ? 4 : 2) + (REACH <= 3))
  nlmeans_kernel (const __grid_constant__ nlmeans_job<T> j)
{
  extern __shared__ __align__ (16) unsigned char nlmeans_memory[];
  constexpr int before = nlmeans_reach<REACH, EXACT>::before, both = nlmeans_reach<REACH, EXACT>::both;
  T *tile = (T *) nlmeans_memory;
  nlmeans_strip<T, REACH, EXACT> s = {};
  const int lane = (int) threadIdx.x % 32, first = (int) threadIdx.x / 32 * NLMEANS_ROWS;
  const int turn = j.held - NLMEANS_HEIGHT - both + 1; /* shifts along y */
  const int64_t above = blockIdx.x / j.across, z = above / j.down;
  const int64_t x0 = (blockIdx.x - above * j.across) * (32 - both) - before,
                y0 = (above - z * j.down) * NLMEANS_HEIGHT - before;
  const bool used = lane >= before && lane < 32 - REACH;
  nlmeans_fill (j, z, y0, x0 - j.distance, NLMEANS_HEIGHT + both, tile);
  __syncthreads ();
#pragma unroll
  for (int i = 0; i < s.lines; i++)
    s.here[i] = tile[(first + i) * NLMEANS_PITCH + j.distance + lane];

  for (int top = -j.distance; top <= j.distance; top += turn) {
    const int shifts = min (turn, j.distance - top + 1);
    __syncthreads ();
    const bool odd =
      __syncthreads_or (nlmeans_fill (j, z, y0 + top, x0 - j.distance, NLMEANS_HEIGHT + both + shifts - 1, tile));
    for (int ty = 0; ty < shifts && y0 + before + first < j.rows; ty++)
      for (int tx = 0; tx <= 2 * j.distance; tx++)
        s.add (j, tile + (first + ty) * NLMEANS_PITCH + lane + tx, used, odd);
  }
  __syncthreads ();
#pragma unroll
  for (int i = 0; i < NLMEANS_ROWS; i++)
    tile[(first + i) * NLMEANS_PITCH + lane] = s.here[before + i] + s.sums[i] / s.weights[i];
#pragma unroll 1
  for (int i = first; i < first + NLMEANS_ROWS && y0 + before + i < j.rows; i++)
    if (used && x0 + lane < j.columns)
      nlmeans_write (j, z, y0 + before + i, x0 + lane, tile[i * NLMEANS_PITCH + lane]);
}

template <typename T>
static nlmeans_job<T>
nlmeans_make_job (const fv_call *call, const nlmeans_rule &r)
{
  const view<const T> in = view_of<const T> (call->inputs[0]);
  const view<T> out = view_of<T> (call->outputs[0]);
  nlmeans_job<T> j = {in.data, out.data,  call->inputs[0]->grid->type, call->outputs[0]->grid->type,
                      in.rows, in.columns};
  const double slope = r.method == NLMEANS_FAST ? -r.share : -1;
  j.in_plane = in.plane_stride;
  j.in_row = in.row_stride;
  j.out_plane = out.plane_stride;
  j.out_row = out.row_stride;
  j.distance = r.distance;
  j.noise = (T) r.noise;
  j.most = (T) (r.method == NLMEANS_FAST ? 5 / r.share : 80);
  j.slope = (T) (sizeof (T) == 4 ? slope * 1.4426950408889634 : slope);
  for (int i = 0; i <= r.reach; i++) {
    j.by_x[i] = (T) (r.weights[0][i] / r.weights[0][0]);
    j.by_y[i] = (T) r.weights[i][0];
  }
  return j;
}

template <typename T, int REACH, bool EXACT>
static cudaError_t
start_nlmeans (const fv_call *call, nlmeans_job<T> j)
{
  constexpr int both = nlmeans_reach<REACH, EXACT>::both;
  const int32_t most = NLMEANS_HEIGHT + both + 2 * j.distance;
  j.across = blocks_for (j.columns, 32 - both);
  j.down = blocks_for (j.rows, NLMEANS_HEIGHT);
  j.held = most < NLMEANS_HELD ? most : NLMEANS_HELD;
  return launch (nlmeans_kernel<T, REACH, EXACT>, array_planes (call->inputs[0]) * j.down * j.across,
                 32 * NLMEANS_WARPS, (int64_t) sizeof (T) * j.held * NLMEANS_PITCH, call, j);
}

/* For patches of this reach, or of a larger one. */
template <typename T, int REACH = 1>
static cudaError_t
run_nlmeans (const fv_call *call, const nlmeans_rule &r)
{
  if constexpr (REACH < NLMEANS_PATCH_MAX / 2)
    if (REACH < r.reach)
      return run_nlmeans<T, REACH + 1> (call, r);
  const nlmeans_job<T> j = nlmeans_make_job<T> (call, r);
  return r.method == NLMEANS_FAST ? start_nlmeans<T, REACH, false> (call, j) : start_nlmeans<T, REACH, true> (call, j);
}

fv_status
nlmeans_cuda (const fv_call *call, fv_error *error)
{
  const nlmeans_rule rule = nlmeans_make_rule ((const nlmeans_args *) call->args);
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  return cuda_status (stencil_working_type (call->inputs[0]->grid->type) == FV_F32 ? run_nlmeans<float> (call, rule)
                                                                                   : run_nlmeans<double> (call, rule),
                      "nlmeans", error);
}

/* SPDX-License-Identifier: MIT
 *
 * Orders 0 and 1: no filter stands between the axes, so that all of them are interpolated at once, from tables of taps.
 */
#ifndef KERNELS_ZOOM_DIRECT_CUH
#define KERNELS_ZOOM_DIRECT_CUH

#include "zoom_samples.cuh"

enum { MAX_DIRECT = 2, ROWS = 4 }; /* taps along an axis; rows of a thread */

/* Taps of each output sample along an axis; index -1: the constant. */
template <typename W> struct axis_taps {
  int count;
  int32_t *index;
  W *weight;
};

template <typename W>
__global__ static void
__launch_bounds__ (BLOCK) make_taps (resampling r, axis_taps<W> taps)
{
  int64_t k = (int64_t) blockIdx.x * BLOCK + threadIdx.x;
  if (k >= r.line.n_out)
    return;
  double x = taps.count == 1 && r.rule.order == 1 ? (double) k : coordinate (r, k), knot = knot_of (r, x);
  double weight[SPLINE_MAX_TAPS] = {1};
  if (r.rule.order == 1 && taps.count == 2)
    spline_weights (x - knot, 1, weight);
  for (int t = 0; t < taps.count; t++) {
    taps.index[k * taps.count + t] = (int32_t) sample_at (r, (int64_t) knot + t);
    taps.weight[k * taps.count + t] = (W) weight[t];
  }
}

template <typename W> struct direct {
  pixels in, out;
  axis_taps<W> taps[3];
  W constant;
  int64_t tiles, row_groups; /* of BLOCK columns; of ROWS rows in a plane */
};

template <typename W, typename T>
__device__ __forceinline__ W
direct_sum (const direct<W> &d, int64_t z, int64_t y, const int32_t (&ix)[MAX_DIRECT], const W (&wx)[MAX_DIRECT])
{
  const T *data = (const T *) d.in.data;
  W sum = 0;
#pragma unroll
  for (int a = 0; a < MAX_DIRECT; a++)
#pragma unroll
    for (int b = 0; b < MAX_DIRECT; b++) {
      if (a >= d.taps[0].count || b >= d.taps[1].count)
        continue;
      int32_t iz = d.taps[0].index[z * d.taps[0].count + a], iy = d.taps[1].index[y * d.taps[1].count + b];
      W w = d.taps[0].weight[z * d.taps[0].count + a] * d.taps[1].weight[y * d.taps[1].count + b];
      const T *row = data + (iz < 0 ? 0 : iz) * d.in.stride[0] + (iy < 0 ? 0 : iy) * d.in.stride[1];
#pragma unroll
      for (int c = 0; c < MAX_DIRECT; c++)
        if (c < d.taps[2].count) {
          W v = (W) row[ix[c] < 0 ? 0 : ix[c]];
          sum += w * wx[c] * (iz < 0 || iy < 0 || ix[c] < 0 ? d.constant : v);
        }
    }
  return sum;
}

template <typename W>
__global__ static void
__launch_bounds__ (BLOCK) interpolate (direct<W> d)
{
  int64_t tile = blockIdx.x % d.tiles, rest = blockIdx.x / d.tiles;
  int64_t y0 = rest % d.row_groups * ROWS, z = rest / d.row_groups, x = tile * BLOCK + threadIdx.x;
  if (x >= d.out.shape[2])
    return;
  int32_t ix[MAX_DIRECT] = {0};
  W wx[MAX_DIRECT] = {0}, sum[ROWS];
  for (int c = 0; c < d.taps[2].count; c++) {
    ix[c] = d.taps[2].index[x * d.taps[2].count + c];
    wx[c] = d.taps[2].weight[x * d.taps[2].count + c];
  }
  auto rows = [&] (auto zero) {
    using T = decltype (zero);
#pragma unroll
    for (int i = 0; i < ROWS; i++)
      sum[i] = y0 + i < d.out.shape[1] ? direct_sum<W, T> (d, z, y0 + i, ix, wx) : 0;
  };
  switch (d.in.type) {
  case FV_U8: rows (uint8_t ()); break;
  case FV_U16: rows (uint16_t ()); break;
  case FV_I32: rows (int32_t ()); break;
  case FV_F32: rows (float ()); break;
  default: rows (double ());
  }
#pragma unroll
  for (int i = 0; i < ROWS; i++)
    if (y0 + i < d.out.shape[1])
      store (d.out, z * d.out.stride[0] + (y0 + i) * d.out.stride[1] + x, sum[i]);
}

#endif

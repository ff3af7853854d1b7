/* SPDX-License-Identifier: MIT
 *
 * Affine maps on the GPU: one pixel of the result, in double, as the CPU version makes it.
 */
#ifndef KERNELS_GEOMETRY_AFFINE_SAMPLE_CUH
#define KERNELS_GEOMETRY_AFFINE_SAMPLE_CUH

#include "kernels/common/common.cuh"
#include "kernels/common/row.cuh"
#include "kernels/geometry/affine.h"

template <typename T>
__device__ __forceinline__ double
affine_sample (const view<const T> &in, int64_t plane, const affine_taps &h, const affine_taps &v, border b,
               double constant)
{
  double sum = 0;
#pragma unroll
  for (int j = 0; j < 4; j++) {
    if (j >= v.count)
      break;
    int64_t y = border_index (v.first + j, in.rows, b);
    const T *row = y < 0 ? nullptr : in.row (plane, y);
    double line = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
      if (i >= h.count)
        break;
      int64_t x = border_index (h.first + i, in.columns, b);
      line += affine_times (h.weight[i], row && x >= 0 ? (double) row[x] : constant);
    }
    sum += affine_times (v.weight[j], line);
  }
  return sum;
}

template <typename T>
__device__ __forceinline__ T
affine_pixel (const view<const T> &in, int64_t plane, const affine_map &m, const affine_rule &r, int64_t x, int64_t y)
{
  affine_taps h, v;
  double from_x, from_y;
  affine_position (&m, x, y, &from_x, &from_y);
  affine_taps_at (from_x, r.count, &h);
  affine_taps_at (from_y, r.count, &v);
  return pixel_from<T> (affine_sample<T> (in, plane, h, v, r.border, r.value));
}

#endif

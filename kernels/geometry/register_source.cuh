/* SPDX-License-Identifier: MIT
 *
 * What register compares on the GPU: planes that are added up, and sums of their pixels.
 */
#ifndef KERNELS_GEOMETRY_REGISTER_SOURCE_CUH
#define KERNELS_GEOMETRY_REGISTER_SOURCE_CUH

#include "kernels/common/common.cuh"

/* From a row and a column on. */
template <typename In> struct rg_source {
  view<const In> in;
  int64_t plane, depth, start[2];

  __device__ __forceinline__ double pixel (int64_t y, int64_t x) const
  {
    const In *at = in.row (plane, start[0] + y) + start[1] + x;
    double v = (double) *at;
    for (int64_t z = 1; z < depth; z++)
      v += (double) at[z * in.plane_stride];
    return v;
  }
};

struct rg_sum {
  double count, sum, squares;
};

__device__ __forceinline__ rg_sum
rg_add (rg_sum a, rg_sum b)
{
  return {a.count + b.count, a.sum + b.sum, a.squares + b.squares};
}

#endif

/* SPDX-License-Identifier: MIT
 *
 * Some planes of an image on the GPU.
 */
#ifndef KERNELS_COMMON_PLANES_CUH
#define KERNELS_COMMON_PLANES_CUH

#include "kernels/common/common.cuh"

/* Of n planes, from that one on. */
template <typename T>
static inline view<T>
view_of_planes (const fv_array *a, int64_t first, int64_t n)
{
  view<T> v = view_of<T> (a);
  v.data = v.row (first, 0);
  v.planes = n;
  return v;
}

#endif

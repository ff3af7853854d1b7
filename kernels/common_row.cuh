/* SPDX-License-Identifier: MIT
 *
 * Pixels of any type from the float or double in which filters work: integers are rounded to nearest, ties to even, and
 * clamped; NaN gives 0. And copies from global to shared memory that need no registers.
 */
#ifndef KERNELS_COMMON_ROW_CUH
#define KERNELS_COMMON_ROW_CUH

#include "common.cuh"

#include <cuda_pipeline.h>

template <typename To>
__device__ __forceinline__ To
pixel_from (float v)
{
  if constexpr (sizeof (To) == 1)
    return v >= 255.f ? 255 : v > 0.f ? (To) __float2uint_rn (v) : 0;
  else if constexpr (sizeof (To) == 2)
    return v >= 65535.f ? 65535 : v > 0.f ? (To) __float2uint_rn (v) : 0;
  else if constexpr (To (0.5) == 0)
    return round_to_i32 (v);
  else
    return (To) v;
}

template <typename To>
__device__ __forceinline__ To
pixel_from (double v)
{
  if constexpr (sizeof (To) == 1)
    return v >= 255. ? 255 : v > 0. ? (To) __double2uint_rn (v) : 0;
  else if constexpr (sizeof (To) == 2)
    return v >= 65535. ? 65535 : v > 0. ? (To) __double2uint_rn (v) : 0;
  else if constexpr (To (0.5) == 0)
    return round_to_i32 (v);
  else
    return (To) v;
}

/* Sixteen bytes of T. */
template <typename T> struct alignas (16) sixteen {
  T v[16 / sizeof (T)];
};

/* Four pixels, read at once. */
template <typename T> struct alignas (4 * sizeof (T)) four {
  T v[4];
};

#endif

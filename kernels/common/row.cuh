/* SPDX-License-Identifier: MIT
 *
 * Pixels of any type from the float or double in which filters work: integers are rounded to nearest, ties to even, and
 * clamped; NaN gives 0. And copies from global to shared memory that need no registers.
 */
#ifndef KERNELS_COMMON_ROW_CUH
#define KERNELS_COMMON_ROW_CUH

#include "kernels/common/common.cuh"

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

/* N pixels that are read at once; two or four small integers stay together in words until each is asked for. */
template <typename T, int N> struct alignas (N * sizeof (T)) pack {
  T v[N];

  __device__ __forceinline__ T pixel (int i) const
  {
    return v[i];
  }
};

template <> struct alignas (8) pack<uint16_t, 4> {
  uint32_t word[2];

  __device__ __forceinline__ uint32_t pixel (int i) const
  {
    return i % 2 ? word[i / 2] >> 16 : word[i / 2] & 0xffff;
  }
};

template <> struct pack<uint8_t, 4> {
  uint32_t word;

  __device__ __forceinline__ uint32_t pixel (int i) const
  {
    return word >> 8 * i & 0xff;
  }
};

template <> struct pack<uint16_t, 2> {
  uint32_t word;

  __device__ __forceinline__ uint32_t pixel (int i) const
  {
    return i ? word >> 16 : word & 0xffff;
  }
};

template <> struct pack<uint8_t, 2> {
  uint16_t word;

  __device__ __forceinline__ uint32_t pixel (int i) const
  {
    return word >> 8 * i & 0xff;
  }
};

/* Lets a kernel have all the shared memory that a block can have: always as much, as another thread may be about to start it, too. */
static inline cudaError_t
allow_shared (const void *kernel)
{
  cudaFuncAttributes has;
  int device = 0, most = 0;
  cudaError_t code = cudaGetDevice (&device);
  if (!code)
    code = cudaDeviceGetAttribute (&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (!code)
    code = cudaFuncGetAttributes (&has, kernel);
  return code ? code
              : cudaFuncSetAttribute (kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      most - (int) has.sharedSizeBytes);
}

/* Starts `kernel` (job) with that much shared memory. */
template <typename Job>
static inline cudaError_t
launch (void (*kernel) (Job), int64_t blocks, int threads, int64_t shared, const fv_call *call, const Job &job)
{
  void *args[1] = {(void *) &job};
  cudaError_t code = cudaSuccess;
  if (shared > 24 << 10) /* with what it has of its own it may be more than the 48 KiB that need no asking */
    code = allow_shared ((const void *) kernel);
  return code ? code
              : cudaLaunchKernel ((const void *) kernel, dim3 ((unsigned) blocks), dim3 ((unsigned) threads), args,
                                  (size_t) shared, cuda_stream (call));
}

#endif

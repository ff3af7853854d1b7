/* SPDX-License-Identifier: MIT
 *
 * What the CUDA versions of the operations share: errors of launches, rows, types, warps.
 * Kernels run on call->stream and never wait for it; scratch comes from the host in stream order.
 */
#ifndef KERNELS_COMMON_COMMON_CUH
#define KERNELS_COMMON_COMMON_CUH

#include "kernels/common/common.h"

#include <cuda_runtime.h>

static inline cudaStream_t
cuda_stream (const fv_call *call)
{
  return (cudaStream_t) call->stream;
}

/* FV_OK, or the error of a CUDA call; also the way to see whether a launch was taken: cuda_status (cudaGetLastError (), ...). */
static inline fv_status
cuda_status (cudaError_t code, const char *what, fv_error *error)
{
  if (code == cudaSuccess)
    return FV_OK;
  return fail (error, code == cudaErrorMemoryAllocation ? FV_NO_MEMORY : FV_DEVICE_FAULT, "",
               "%s failed on the GPU: %s.", what, cudaGetErrorString (code));
}

/* Scratch for n elements of T. */
template <typename T>
static inline fv_status
cuda_scratch (const fv_call *call, size_t n, T **memory, fv_error *error)
{
  return call->host->scratch (call, (n ? n : 1) * sizeof (T), (void **) memory, error);
}

/* Pixels of an array as a kernel takes them, by value: strides in elements. */
template <typename T> struct view {
  T *data;
  int64_t planes, rows, columns, plane_stride, row_stride;

  __host__ __device__ T *row (int64_t plane, int64_t y) const
  {
    return data + plane * plane_stride + y * row_stride;
  }
};

template <typename T>
static inline view<T>
view_of (const fv_array *a)
{
  const DLTensor *t = &a->tensor;
  return {(T *) t->data, t->shape[0], t->shape[1], t->shape[2], t->strides[0], t->strides[1]};
}

/* Whether all rows start at a multiple of `bytes`, so that they can be read and written in pieces of that size. */
static inline bool
rows_aligned (const fv_array *a, size_t bytes)
{
  const DLTensor *t = &a->tensor;
  size_t pixel = t->dtype.bits / 8;
  return (uintptr_t) t->data % bytes == 0 && (size_t) t->strides[1] * pixel % bytes == 0
         && (size_t) t->strides[0] * pixel % bytes == 0;
}

/* Calls f (T ()) for the C type of a fv_type: with_type (type, [&] (auto zero) { using T = decltype (zero); ... }). */
template <typename F>
static inline auto
with_type (fv_type type, F f)
{
  switch (type) {
  case FV_U8: return f (uint8_t ());
  case FV_U16: return f (uint16_t ());
  case FV_I32: return f (int32_t ());
  case FV_F32: return f (float ());
  default: return f (double ());
  }
}

static inline int64_t
blocks_for (int64_t n, int64_t each)
{
  return (n + each - 1) / each;
}

/* Blocks for each piece of a row, each row and each plane; kernels go on by the size of the grid, as there may be more than a grid holds. */
static inline dim3
grid_of_rows (int64_t planes, int64_t rows, int64_t across)
{
  return dim3 ((unsigned) across, (unsigned) (rows < 65535 ? rows : 65535),
               (unsigned) (planes < 65535 ? planes : 65535));
}

/* How many multiprocessors the current device has; asked once a device. */
static inline int
multiprocessors (void)
{
  static int known[16];
  int device = 0;
  cudaGetDevice (&device);
  if (device < 16 && known[device])
    return known[device];
  int n = 1;
  cudaDeviceGetAttribute (&n, cudaDevAttrMultiProcessorCount, device);
  if (device < 16)
    known[device] = n;
  return n;
}

/* Bytes of shared memory that a block can have on the current device. */
static inline int
most_shared (void)
{
  int device = 0, most = 0;
  cudaGetDevice (&device);
  cudaDeviceGetAttribute (&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  return most;
}

/* a b + c with one rounding. */
__device__ __forceinline__ float
fused (float a, float b, float c)
{
  return fmaf (a, b, c);
}

__device__ __forceinline__ double
fused (double a, double b, double c)
{
  return fma (a, b, c);
}

#endif

/* SPDX-License-Identifier: MIT
 *
 * The runtime that the host calls. Streams execute immediately; memory of the GPU is host memory, filled as uninitialized.
 */
#ifndef CUDA_ON_CPU_RUNTIME_H
#define CUDA_ON_CPU_RUNTIME_H

#include "engine.h"

#include <tuple>
#include <utility>

#define CUDART_VERSION 13000

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorMemoryAllocation = 2,
  cudaErrorNotReady = 600,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInsufficientDriver = 35,
  cudaErrorCooperativeLaunchTooLarge = 720,
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaDeviceAttr {
  cudaDevAttrMultiProcessorCount,
  cudaDevAttrComputeCapabilityMajor,
  cudaDevAttrMaxSharedMemoryPerBlockOptin,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor,
};
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
enum cudaLaunchAttributeID { cudaLaunchAttributeProgrammaticStreamSerialization };
enum cudaMemPoolAttr { cudaMemPoolAttrReleaseThreshold };
enum { cudaStreamNonBlocking, cudaEventDisableTiming, cudaHostAllocPortable, cudaHostRegisterMapped };

typedef struct cuda_on_cpu_stream *cudaStream_t;
typedef struct cuda_on_cpu_event *cudaEvent_t;
typedef struct cuda_on_cpu_pool *cudaMemPool_t;

struct cudaDeviceProp {
  char name[256];
  int major, minor;
};
struct cudaPointerAttributes {
  cudaMemoryType type;
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes;
  int maxDynamicSharedSizeBytes;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  struct {
    int programmaticStreamSerializationAllowed;
  } val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned numAttrs;
};

const char *cudaGetErrorString (cudaError_t code);
cudaError_t cudaGetLastError ();

cudaError_t cudaGetDeviceCount (int *n);
cudaError_t cudaGetDevice (int *device);
cudaError_t cudaSetDevice (int device);
cudaError_t cudaGetDeviceProperties (cudaDeviceProp *about, int device);
cudaError_t cudaDeviceGetAttribute (int *value, cudaDeviceAttr what, int device);
cudaError_t cudaDeviceGetPCIBusId (char *address, int length, int device);
cudaError_t cudaDriverGetVersion (int *version);

cudaError_t cudaMemGetInfo (size_t *available, size_t *all);
cudaError_t cudaMallocAsync (void **memory, size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync (void *memory, cudaStream_t stream);
cudaError_t cudaDeviceGetDefaultMemPool (cudaMemPool_t *pool, int device);
cudaError_t cudaMemPoolTrimTo (cudaMemPool_t pool, size_t bytes);
cudaError_t cudaMemPoolSetAttribute (cudaMemPool_t pool, cudaMemPoolAttr what, void *value);

cudaError_t cudaHostAlloc (void **memory, size_t bytes, unsigned flags);
cudaError_t cudaMallocHost (void **memory, size_t bytes);
cudaError_t cudaFreeHost (void *memory);
cudaError_t cudaHostRegister (void *memory, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister (void *memory);
cudaError_t cudaHostGetDevicePointer (void **there, void *memory, unsigned flags);
cudaError_t cudaPointerGetAttributes (cudaPointerAttributes *about, const void *memory);

cudaError_t cudaMemcpyAsync (void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemcpy2DAsync (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                               size_t rows, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemsetAsync (void *at, int value, size_t bytes, cudaStream_t stream);
cudaError_t cudaMemset2DAsync (void *at, size_t pitch, int value, size_t width, size_t rows, cudaStream_t stream);

cudaError_t cudaStreamCreateWithFlags (cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy (cudaStream_t stream);
cudaError_t cudaStreamSynchronize (cudaStream_t stream);
cudaError_t cudaStreamWaitEvent (cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t cudaEventCreate (cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags (cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy (cudaEvent_t event);
cudaError_t cudaEventRecord (cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize (cudaEvent_t event);
cudaError_t cudaEventQuery (cudaEvent_t event);
cudaError_t cudaEventElapsedTime (float *ms, cudaEvent_t start, cudaEvent_t end);

/* ---- Kernels ---- */

namespace cuda_on_cpu {

/* Shared memory that kernels were allowed to ask for: by the name that a launch in angle brackets has, and by address. */
cudaError_t allow (const char *name, const void *kernel, int bytes);
size_t allowed (const char *name, const void *kernel);
/* Runs a grid and keeps its error for cudaGetLastError(). */
cudaError_t launched (const launch &l, const std::function<void ()> &kernel);

/* A kernel in angle brackets, with its arguments. */
template <typename F>
void
start (const char *name, F kernel, dim3 grid, dim3 block, size_t shared = 0, cudaStream_t = nullptr)
{
  launched ({name, grid, block, shared, allowed (name, nullptr), false}, kernel);
}

template <typename... P, size_t... I>
cudaError_t
run_with (const launch &l, void (*kernel) (P...), void **args, std::index_sequence<I...>)
{
  return launched (l, [=] { kernel (*(std::remove_reference_t<P> *) args[I]...); });
}

template <typename... P>
cudaError_t
run_by_address (void (*kernel) (P...), dim3 grid, dim3 block, void **args, size_t shared, bool cooperative)
{
  return run_with ({"a kernel", grid, block, shared, allowed (nullptr, (const void *) kernel), cooperative}, kernel,
                   args, std::index_sequence_for<P...> ());
}

}

template <typename... P>
cudaError_t
cudaLaunchKernel (void (*kernel) (P...), dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t)
{
  return cuda_on_cpu::run_by_address (kernel, grid, block, args, shared, false);
}

template <typename... P>
cudaError_t
cudaLaunchCooperativeKernel (void (*kernel) (P...), dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t)
{
  return cuda_on_cpu::run_by_address (kernel, grid, block, args, shared, true);
}

template <typename... P, typename... A>
cudaError_t
cudaLaunchKernelEx (const cudaLaunchConfig_t *c, void (*kernel) (P...), A... args)
{
  void *pointers[] = {(void *) &args...};
  return cuda_on_cpu::run_by_address (kernel, c->gridDim, c->blockDim, pointers, c->dynamicSmemBytes, false);
}

template <typename... P>
cudaError_t
cuda_on_cpu_set_attribute (const char *name, void (*kernel) (P...), cudaFuncAttribute, int bytes)
{
  return cuda_on_cpu::allow (name, (const void *) kernel, bytes);
}

static inline cudaError_t
cuda_on_cpu_set_attribute (const char *name, const void *kernel, cudaFuncAttribute, int bytes)
{
  return cuda_on_cpu::allow (name, kernel, bytes);
}

cudaError_t cudaFuncGetAttributes (cudaFuncAttributes *has, const void *kernel);

template <typename... P>
cudaError_t
cudaFuncGetAttributes (cudaFuncAttributes *has, void (*kernel) (P...))
{
  return cudaFuncGetAttributes (has, (const void *) kernel);
}

template <typename... P>
cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor (int *n, void (*) (P...), int threads, size_t shared)
{
  *n = cuda_on_cpu::blocks_resident (threads, (int64_t) shared);
  return cudaSuccess;
}

#endif

/* SPDX-License-Identifier: MIT */
#include <cuda_runtime.h>

#include <map>
#include <mutex>
#include <stdio.h>
#include <stdlib.h>
#include <string>

enum { DEVICES = 1, ALIGNMENT = 256 };
static const size_t memory_all = (size_t) 4 << 30;

static thread_local cudaError_t last;

static cudaError_t
remember (cudaError_t code)
{
  if (code)
    last = code;
  return code;
}

const char *
cudaGetErrorString (cudaError_t code)
{
  switch (code) {
  case cudaSuccess: return "no error";
  case cudaErrorInvalidValue: return "invalid argument";
  case cudaErrorMemoryAllocation: return "out of memory";
  case cudaErrorInvalidConfiguration: return "invalid configuration argument";
  case cudaErrorCooperativeLaunchTooLarge: return "too many blocks in cooperative launch";
  default: return "unknown error";
  }
}

cudaError_t
cudaGetLastError ()
{
  return std::exchange (last, cudaSuccess);
}

/* ---- The GPU ---- */

cudaError_t
cudaGetDeviceCount (int *n)
{
  *n = DEVICES;
  return cudaSuccess;
}

cudaError_t
cudaGetDevice (int *device)
{
  *device = 0;
  return cudaSuccess;
}

cudaError_t
cudaSetDevice (int device)
{
  return remember (device < DEVICES ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t
cudaGetDeviceProperties (cudaDeviceProp *about, int)
{
  *about = {"CUDA on the CPU", 9, 0};
  return cudaSuccess;
}

cudaError_t
cudaDeviceGetPCIBusId (char *address, int length, int)
{
  snprintf (address, (size_t) length, "0000:00:00.0");
  return cudaSuccess;
}

cudaError_t
cudaDeviceGetAttribute (int *value, cudaDeviceAttr what, int)
{
  switch (what) {
  case cudaDevAttrMultiProcessorCount: *value = cuda_on_cpu::MULTIPROCESSORS; break;
  case cudaDevAttrComputeCapabilityMajor: *value = 9; break;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = cuda_on_cpu::SHARED_MOST; break;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = cuda_on_cpu::SHARED_ALL; break;
  }
  return cudaSuccess;
}

cudaError_t
cudaDriverGetVersion (int *version)
{
  *version = CUDART_VERSION;
  return cudaSuccess;
}

/* ---- Memory ---- */

static struct {
  std::mutex lock;
  size_t taken;
  std::map<const char *, size_t> device, host; /* where it begins: how long it is */
} memory;

/* Whether all of it is in one piece of those. */
static bool
inside (const std::map<const char *, size_t> &pieces, const void *at, size_t bytes)
{
  std::lock_guard<std::mutex> guard (memory.lock);
  auto after = pieces.upper_bound ((const char *) at);
  if (after == pieces.begin ())
    return false;
  --after;
  return (const char *) at + bytes <= after->first + after->second;
}

static cudaError_t
take (std::map<const char *, size_t> *pieces, void **at, size_t bytes)
{
  if (posix_memalign (at, ALIGNMENT, bytes ? bytes : 1))
    return remember (cudaErrorMemoryAllocation);
  memset (*at, cuda_on_cpu::UNWRITTEN, bytes);
  std::lock_guard<std::mutex> guard (memory.lock);
  (*pieces)[(const char *) *at] = bytes;
  return cudaSuccess;
}

static cudaError_t
give (std::map<const char *, size_t> *pieces, void *at, size_t *bytes)
{
  std::lock_guard<std::mutex> guard (memory.lock);
  auto piece = pieces->find ((const char *) at);
  if (piece == pieces->end ())
    return remember (cudaErrorInvalidValue);
  *bytes = piece->second;
  pieces->erase (piece);
  return cudaSuccess;
}

cudaError_t
cudaMemGetInfo (size_t *available, size_t *all)
{
  std::lock_guard<std::mutex> guard (memory.lock);
  *available = memory_all - memory.taken;
  *all = memory_all;
  return cudaSuccess;
}

cudaError_t
cudaMallocAsync (void **at, size_t bytes, cudaStream_t)
{
  {
    std::lock_guard<std::mutex> guard (memory.lock);
    if (bytes > memory_all - memory.taken)
      return remember (cudaErrorMemoryAllocation);
    memory.taken += bytes;
  }
  return take (&memory.device, at, bytes);
}

cudaError_t
cudaFreeAsync (void *at, cudaStream_t)
{
  size_t bytes = 0;
  if (!at)
    return cudaSuccess;
  cudaError_t code = give (&memory.device, at, &bytes);
  if (code)
    return code;
  free (at);
  std::lock_guard<std::mutex> guard (memory.lock);
  memory.taken -= bytes;
  return cudaSuccess;
}

cudaError_t
cudaDeviceGetDefaultMemPool (cudaMemPool_t *pool, int)
{
  *pool = nullptr;
  return cudaSuccess;
}

cudaError_t
cudaMemPoolTrimTo (cudaMemPool_t, size_t)
{
  return cudaSuccess;
}

cudaError_t
cudaMemPoolSetAttribute (cudaMemPool_t, cudaMemPoolAttr, void *)
{
  return cudaSuccess;
}

cudaError_t
cudaHostAlloc (void **at, size_t bytes, unsigned)
{
  return take (&memory.host, at, bytes);
}

cudaError_t
cudaMallocHost (void **at, size_t bytes)
{
  return take (&memory.host, at, bytes);
}

cudaError_t
cudaFreeHost (void *at)
{
  size_t bytes;
  cudaError_t code = give (&memory.host, at, &bytes);
  if (!code)
    free (at);
  return code;
}

cudaError_t
cudaHostRegister (void *at, size_t bytes, unsigned)
{
  std::lock_guard<std::mutex> guard (memory.lock);
  memory.host[(const char *) at] = bytes;
  return cudaSuccess;
}

cudaError_t
cudaHostUnregister (void *at)
{
  size_t bytes;
  return give (&memory.host, at, &bytes);
}

cudaError_t
cudaHostGetDevicePointer (void **there, void *at, unsigned)
{
  *there = at;
  return cudaSuccess;
}

cudaError_t
cudaPointerGetAttributes (cudaPointerAttributes *about, const void *at)
{
  about->type = inside (memory.device, at, 1) ? cudaMemoryTypeDevice
                : inside (memory.host, at, 1) ? cudaMemoryTypeHost
                                              : cudaMemoryTypeUnregistered;
  return cudaSuccess;
}

/* ---- Copies ---- */

cudaError_t
cudaMemcpy2DAsync (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t rows,
                   cudaMemcpyKind kind, cudaStream_t)
{
  if (!width || !rows)
    return cudaSuccess;
  if (to_pitch < width || from_pitch < width
      || (kind != cudaMemcpyHostToDevice && !inside (memory.device, from, (rows - 1) * from_pitch + width))
      || (kind != cudaMemcpyDeviceToHost && !inside (memory.device, to, (rows - 1) * to_pitch + width)))
    return remember (cudaErrorInvalidValue);
  for (size_t i = 0; i < rows; i++)
    memmove ((char *) to + i * to_pitch, (const char *) from + i * from_pitch, width);
  return cudaSuccess;
}

cudaError_t
cudaMemcpyAsync (void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)
{
  return cudaMemcpy2DAsync (to, bytes, from, bytes, bytes, 1, kind, stream);
}

cudaError_t
cudaMemset2DAsync (void *at, size_t pitch, int value, size_t width, size_t rows, cudaStream_t)
{
  if (!width || !rows)
    return cudaSuccess;
  if (pitch < width || !inside (memory.device, at, (rows - 1) * pitch + width))
    return remember (cudaErrorInvalidValue);
  for (size_t i = 0; i < rows; i++)
    memset ((char *) at + i * pitch, value, width);
  return cudaSuccess;
}

cudaError_t
cudaMemsetAsync (void *at, int value, size_t bytes, cudaStream_t stream)
{
  return cudaMemset2DAsync (at, bytes, value, bytes, 1, stream);
}

/* ---- Streams and events: what they are told is done when it has been said ---- */

cudaError_t
cudaStreamCreateWithFlags (cudaStream_t *stream, unsigned)
{
  *stream = (cudaStream_t) malloc (1);
  return cudaSuccess;
}

cudaError_t
cudaStreamDestroy (cudaStream_t stream)
{
  free (stream);
  return cudaSuccess;
}

cudaError_t
cudaStreamSynchronize (cudaStream_t)
{
  return cudaSuccess;
}

cudaError_t
cudaStreamWaitEvent (cudaStream_t, cudaEvent_t, unsigned)
{
  return cudaSuccess;
}

struct cuda_on_cpu_event {
  timespec time;
};

cudaError_t
cudaEventCreate (cudaEvent_t *event)
{
  *event = new cuda_on_cpu_event ();
  return cudaSuccess;
}

cudaError_t
cudaEventCreateWithFlags (cudaEvent_t *event, unsigned)
{
  return cudaEventCreate (event);
}

cudaError_t
cudaEventDestroy (cudaEvent_t event)
{
  delete event;
  return cudaSuccess;
}

cudaError_t
cudaEventRecord (cudaEvent_t event, cudaStream_t)
{
  clock_gettime (CLOCK_MONOTONIC, &event->time);
  return cudaSuccess;
}

cudaError_t
cudaEventSynchronize (cudaEvent_t)
{
  return cudaSuccess;
}

cudaError_t
cudaEventQuery (cudaEvent_t)
{
  return cudaSuccess;
}

cudaError_t
cudaEventElapsedTime (float *ms, cudaEvent_t start, cudaEvent_t end)
{
  *ms =
    (float) (end->time.tv_sec - start->time.tv_sec) * 1e3f + (float) (end->time.tv_nsec - start->time.tv_nsec) / 1e6f;
  return cudaSuccess;
}

/* ---- Kernels ---- */

namespace cuda_on_cpu {

static struct {
  std::mutex lock;
  std::map<std::string, size_t> by_name;
  std::map<const void *, size_t> by_address;
} kernels;

cudaError_t
allow (const char *name, const void *kernel, int bytes)
{
  if (bytes < 0 || bytes > SHARED_MOST)
    return remember (cudaErrorInvalidValue);
  std::lock_guard<std::mutex> guard (kernels.lock);
  kernels.by_name[name] = kernels.by_address[kernel] = (size_t) bytes;
  return cudaSuccess;
}

size_t
allowed (const char *name, const void *kernel)
{
  std::lock_guard<std::mutex> guard (kernels.lock);
  return name ? kernels.by_name[name] : kernels.by_address[kernel];
}

cudaError_t
launched (const launch &l, const std::function<void ()> &kernel)
{
  return remember ((cudaError_t) run (l, kernel));
}

}

cudaError_t
cudaFuncGetAttributes (cudaFuncAttributes *has, const void *kernel)
{
  has->sharedSizeBytes = 0; /* known only when it has run */
  has->maxDynamicSharedSizeBytes =
    (int) std::max<size_t> (cuda_on_cpu::allowed (nullptr, kernel), cuda_on_cpu::SHARED_UNASKED);
  return cudaSuccess;
}

/* SPDX-License-Identifier: MIT
 *
 * NVIDIA GPUs as devices: stream-ordered memory from CUDA's pool, copies of pageable memory through pinned staging buffers that
 * are filled by several threads while the one before is on its way, events. The runtime is linked in; the driver is found when
 * the program runs, and without one the machine simply has no such device.
 */
#include "plugin/nvml.h"
#include "plugin/nvrtc.h"
#include "plugin/devices.h"
#include "plugin/pool.h"
#include "plugin/visible.h"

#include <atomic>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <mutex>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_DEVICES = 16, STAGES = 3 };
static const size_t stage_bytes = (size_t) 8 << 20;
/* Copies up to this size go as they are: the driver's own path is as fast. */
static const size_t small_copy = (size_t) 256 << 10;
/* To the host, up to this size, the multiprocessors bring it: the copy engine may be busy with a whole image. */
static const size_t small_download = (size_t) 1 << 20;

struct cuda_device {
  fv_device fv;
  char key[16], name[256], detail[128], fault[400];
  std::mutex lock; /* of the staging buffers */
  char *stage[STAGES];
  cudaEvent_t stage_free[STAGES]; /* what was copied last with it is done; on any stream */
  int next;                       /* of the buffers, in turn */
  std::atomic<bool> given_up;
};

static cuda_device devices[MAX_DEVICES];
static const fv_device *list[MAX_DEVICES + 2];

static cuda_device *
of (const fv_device *device)
{
  return &devices[device->dl.device_id];
}

/* Adds who has the memory of a GPU, also where CUDA cannot say that, because others have left it no room to begin. */
static void
say_memory (fv_error *error, int number)
{
  char pci[32] = "";
  int64_t available, all;
  size_t at = strlen (error->text);
  if (!cudaDeviceGetPCIBusId (pci, sizeof pci, number) && nvml_memory (pci, &available, &all))
    snprintf (error->text + at, sizeof error->text - at,
              " %.0f of the %.0f MiB of cuda:%d are free, and other programs hold what this one does not ('nvidia-smi' "
              "lists them).",
              (double) available / 1048576, (double) all / 1048576, number);
  else
    snprintf (error->text + at, sizeof error->text - at,
              " Other programs may hold the memory of cuda:%d ('nvidia-smi' lists them).", number);
  cudaGetLastError ();
}

static fv_status
fault (fv_error *error, cudaError_t code, const char *what)
{
  int number;
  error->code = code == cudaErrorMemoryAllocation ? FV_NO_MEMORY : FV_DEVICE_FAULT;
  error->field[0] = 0;
  snprintf (error->text, sizeof error->text, "%s failed: %s.", what, cudaGetErrorString (code));
  cudaGetLastError (); /* an error that is not sticky ends here */
  if (error->code == FV_NO_MEMORY && !cudaGetDevice (&number))
    say_memory (error, number);
  return error->code;
}

/* ---- A GPU on which something never ends ---- */

static bool
is_given_up (const fv_device *device)
{
  return of (device)->given_up.load (std::memory_order_relaxed);
}

static void
end_at_once (int status, void *unused)
{
  (void) unused;
  fflush (nullptr);
  _exit (status);
}

extern "C" void
device_cuda_give_up (const fv_device *device)
{
  static std::atomic<bool> registered;
  of (device)->given_up = true;
  if (!registered.exchange (true))
    on_exit (end_at_once, nullptr); /* comes before what CUDA does at the end, which would wait */
}

/* CUDA cannot begin on a GPU whose memory others hold. */
static fv_status
no_context (const fv_device *device, fv_error *error)
{
  cudaGetLastError ();
  error->code = FV_NO_MEMORY;
  error->field[0] = 0;
  snprintf (error->text, sizeof error->text, "CUDA cannot begin on %s, which takes some hundred MiB.", device->key);
  say_memory (error, device->dl.device_id);
  strncat (error->text, " The device cpu works without it.", sizeof error->text - strlen (error->text) - 1);
  return FV_NO_MEMORY;
}

static fv_status
use (const fv_device *device, fv_error *error)
{
  if (is_given_up (device)) {
    error->code = FV_DEVICE_FAULT;
    error->field[0] = 0;
    snprintf (error->text, sizeof error->text, "A kernel that never ends runs on %s.", device->key);
    return error->code;
  }
  cudaError_t code = cudaSetDevice (device->dl.device_id);
  if (code == cudaErrorMemoryAllocation)
    return no_context (device, error);
  return code == cudaSuccess ? FV_OK : fault (error, code, "Choosing the device");
}

/* ---- Memory ---- */

static fv_status
cuda_memory (const fv_device *device, int64_t *free_bytes, int64_t *total, fv_error *error)
{
  size_t available, all;
  cudaError_t code;
  if (use (device, error))
    return error->code;
  if ((code = cudaMemGetInfo (&available, &all)))
    return fault (error, code, "Asking for memory figures");
  *free_bytes = (int64_t) available;
  *total = (int64_t) all;
  return FV_OK;
}

/* Gives back what the GPU's pool keeps of blocks that were freed, of sizes that may never be asked for again. */
static void
trim_pool (const fv_device *device, cudaStream_t stream)
{
  cudaMemPool_t pool;
  if (!cudaStreamSynchronize (stream) && !cudaDeviceGetDefaultMemPool (&pool, device->dl.device_id))
    cudaMemPoolTrimTo (pool, 0);
}

static fv_status
cuda_alloc (const fv_device *device, void *stream, size_t bytes, void **memory, fv_error *error)
{
  cudaError_t code;
  size_t available = 0, all = 0;
  if (use (device, error))
    return error->code;
  code = cudaMallocAsync (memory, bytes, (cudaStream_t) stream);
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError ();
    trim_pool (device, (cudaStream_t) stream);
    code = cudaMallocAsync (memory, bytes, (cudaStream_t) stream);
  }
  if (!code)
    return FV_OK;
  if (code != cudaErrorMemoryAllocation)
    return fault (error, code, "Allocating memory");
  cudaGetLastError ();
  cudaMemGetInfo (&available, &all);
  error->code = FV_NO_MEMORY;
  error->field[0] = 0;
  snprintf (error->text, sizeof error->text,
            "Not enough memory on %s: %.1f MiB more were needed, and %.1f of its %.1f MiB are free.", device->key,
            (double) bytes / 1048576, (double) available / 1048576, (double) all / 1048576);
  return FV_NO_MEMORY;
}

static void
cuda_free (const fv_device *device, void *stream, void *memory)
{
  if (is_given_up (device))
    return;
  cudaSetDevice (device->dl.device_id);
  cudaFreeAsync (memory, (cudaStream_t) stream);
}

static void *
make_pinned (size_t bytes)
{
  void *memory;
  cudaError_t code = cudaHostAlloc (&memory, bytes, cudaHostAllocPortable);
  cudaGetLastError ();
  return code ? nullptr : memory;
}

static void
drop_pinned (void *memory)
{
  cudaFreeHost (memory);
}

/* Pinning takes longer than the copy that it is for. */
static pool pinned = {make_pinned, drop_pinned, (size_t) 64 << 10, (size_t) 2 << 30, POOL_LOCK, {}, 0, 0};

static fv_status
cuda_host_alloc (const fv_device *device, size_t bytes, void **memory, fv_error *error)
{
  if (use (device, error))
    return error->code;
  if ((*memory = pool_take (&pinned, bytes < pinned.min ? pinned.min : bytes))) /* small ones are kept, too */
    return FV_OK;
  error->code = FV_NO_MEMORY;
  error->field[0] = 0;
  snprintf (error->text, sizeof error->text, "Not enough memory: %.1f MiB more that the GPU can reach were needed.",
            (double) bytes / 1048576);
  return FV_NO_MEMORY;
}

static void
cuda_host_free (const fv_device *device, void *memory)
{
  if (is_given_up (device))
    return; /* a copy to it may still come */
  cudaSetDevice (device->dl.device_id);
  pool_give (&pinned, memory);
}

/* ---- Streams and events ---- */

static fv_status
cuda_stream_new (const fv_device *device, void **stream, fv_error *error)
{
  cudaMemPool_t pool;
  cudaError_t code;
  uint64_t keep_all = UINT64_MAX;
  if (use (device, error))
    return error->code;
  if ((code = cudaStreamCreateWithFlags ((cudaStream_t *) stream, cudaStreamNonBlocking)))
    return fault (error, code, "Making a stream");
  /* What the pool has it keeps: allocation is then free of charge. */
  if ((code = cudaDeviceGetDefaultMemPool (&pool, device->dl.device_id))
      || (code = cudaMemPoolSetAttribute (pool, cudaMemPoolAttrReleaseThreshold, &keep_all)))
    return fault (error, code, "Setting up the memory pool");
  return FV_OK;
}

static void
cuda_stream_free (const fv_device *device, void *stream)
{
  if (is_given_up (device))
    return;
  cudaSetDevice (device->dl.device_id);
  cudaStreamSynchronize ((cudaStream_t) stream);
  cudaStreamDestroy ((cudaStream_t) stream);
}

static fv_status
cuda_synchronize (const fv_device *device, void *stream, fv_error *error)
{
  cudaError_t code;
  if (use (device, error))
    return error->code;
  return (code = cudaStreamSynchronize ((cudaStream_t) stream)) ? fault (error, code, "The work on the device") : FV_OK;
}

static fv_status
cuda_event_new (const fv_device *device, void **event, fv_error *error)
{
  cudaError_t code;
  if (use (device, error))
    return error->code;
  return (code = cudaEventCreate ((cudaEvent_t *) event)) ? fault (error, code, "Making an event") : FV_OK;
}

static void
cuda_event_free (const fv_device *device, void *event)
{
  if (is_given_up (device))
    return;
  cudaSetDevice (device->dl.device_id);
  cudaEventDestroy ((cudaEvent_t) event);
}

static fv_status
cuda_event_record (const fv_device *device, void *stream, void *event, fv_error *error)
{
  cudaError_t code;
  if (use (device, error))
    return error->code;
  return (code = cudaEventRecord ((cudaEvent_t) event, (cudaStream_t) stream))
           ? fault (error, code, "Recording an event")
           : FV_OK;
}

static fv_status
cuda_event_elapsed (const fv_device *device, void *start, void *end, double *ms, fv_error *error)
{
  cudaError_t code;
  float elapsed;
  if (use (device, error))
    return error->code;
  if ((code = cudaEventSynchronize ((cudaEvent_t) end))
      || (code = cudaEventElapsedTime (&elapsed, (cudaEvent_t) start, (cudaEvent_t) end)))
    return fault (error, code, "The work on the device");
  *ms = elapsed;
  return FV_OK;
}

static fv_status
cuda_stream_wait (const fv_device *device, void *stream, void *event, fv_error *error)
{
  cudaError_t code;
  if (use (device, error))
    return error->code;
  return (code = cudaStreamWaitEvent ((cudaStream_t) stream, (cudaEvent_t) event, 0))
           ? fault (error, code, "Waiting for an event")
           : FV_OK;
}

/* ---- Copies ---- */

static cudaMemcpyKind
kind_of (fv_copy direction)
{
  return direction == FV_TO_DEVICE ? cudaMemcpyHostToDevice
         : direction == FV_TO_HOST ? cudaMemcpyDeviceToHost
                                   : cudaMemcpyDeviceToDevice;
}

static bool
is_pinned (const void *host)
{
  cudaPointerAttributes about;
  bool pinned = !cudaPointerGetAttributes (&about, host) && about.type == cudaMemoryTypeHost;
  cudaGetLastError ();
  return pinned;
}

/* Any number of blocks of 256; reads and writes each byte once, 16 at a time, and those beyond one by one. */
static __global__ void
carry (char *to, const char *from, size_t bytes)
{
  size_t at = (size_t) blockIdx.x * blockDim.x + threadIdx.x, all = (size_t) gridDim.x * blockDim.x;
  bool aligned = ((uintptr_t) to | (uintptr_t) from) % 16 == 0;
  size_t lines = aligned ? bytes / 16 : 0;
  for (size_t i = at; i < lines; i += all)
    ((uint4 *) to)[i] = ((const uint4 *) from)[i];
  for (size_t i = lines * 16 + at; i < bytes; i += all)
    to[i] = from[i];
}

/* to: pinned. */
static cudaError_t
small_to_host (void *to, const void *from, size_t bytes, cudaStream_t stream)
{
  void *there;
  cudaError_t code = cudaHostGetDevicePointer (&there, to, 0);
  if (code)
    return code;
  carry<<<(unsigned) (bytes / (16 * 256) + 1), 256, 0, stream>>> ((char *) there, (const char *) from, bytes);
  return cudaGetLastError ();
}

static cudaError_t
make_stages (cuda_device *d)
{
  cudaError_t code = cudaSuccess;
  for (int i = 0; i < STAGES && !d->stage[i] && !code; i++)
    if (!(code = cudaMallocHost ((void **) &d->stage[i], stage_bytes)))
      code = cudaEventCreateWithFlags (&d->stage_free[i], cudaEventDisableTiming);
  return code;
}

/* memcpy by all threads: one core cannot keep up with the bus. Each has the same part of a buffer every time, in its own cache. */
static void
parallel_memcpy (char *to, const char *from, size_t bytes)
{
  const size_t piece = (size_t) 128 << 10;
#pragma omp parallel for schedule(static)
  for (size_t at = 0; at < bytes; at += piece)
    memcpy (to + at, from + at, bytes - at < piece ? bytes - at : piece);
}

/* Dense pageable memory to the device, on which it may still be under way when this returns; the source may change then. */
static cudaError_t
staged_upload (cuda_device *d, char *to, const char *from, size_t bytes, cudaStream_t stream)
{
  cudaError_t code = cudaSuccess;
  for (size_t at = 0; at < bytes && !code; at += stage_bytes) {
    size_t n = bytes - at < stage_bytes ? bytes - at : stage_bytes;
    int stage = d->next;
    d->next = (stage + 1) % STAGES;
    if ((code = cudaEventSynchronize (d->stage_free[stage])))
      break;
    parallel_memcpy (d->stage[stage], from + at, n);
    code = cudaMemcpyAsync (to + at, d->stage[stage], n, cudaMemcpyHostToDevice, stream);
    if (!code)
      code = cudaEventRecord (d->stage_free[stage], stream);
  }
  return code;
}

/* The device to dense pageable memory, complete when this returns. */
static cudaError_t
staged_download (cuda_device *d, char *to, const char *from, size_t bytes, cudaStream_t stream)
{
  cudaError_t code = cudaSuccess;
  size_t asked = 0, got = 0;
  for (size_t i = 0; got < bytes && !code; i++) {
    /* Ask for the next piece before taking one that has come. */
    while (asked < bytes && asked - got < (STAGES - 1) * stage_bytes && !code) {
      int stage = (int) (((size_t) d->next + asked / stage_bytes) % STAGES);
      size_t n = bytes - asked < stage_bytes ? bytes - asked : stage_bytes;
      if (!(code = cudaEventSynchronize (d->stage_free[stage]))) /* an upload may still read it */
        code = cudaMemcpyAsync (d->stage[stage], from + asked, n, cudaMemcpyDeviceToHost, stream);
      if (!code)
        code = cudaEventRecord (d->stage_free[stage], stream);
      asked += n;
    }
    int stage = (int) (((size_t) d->next + i) % STAGES);
    size_t n = bytes - got < stage_bytes ? bytes - got : stage_bytes;
    if (!code && !(code = cudaEventSynchronize (d->stage_free[stage])))
      parallel_memcpy (to + got, d->stage[stage], n);
    got += n;
  }
  return code;
}

static fv_status
cuda_copy (const fv_device *device, void *stream, void *to, size_t to_pitch, const void *from, size_t from_pitch,
           size_t row_bytes, size_t rows, fv_copy direction, fv_error *error)
{
  cuda_device *d = of (device);
  bool dense = (to_pitch == row_bytes && from_pitch == row_bytes) || rows == 1;
  size_t bytes = row_bytes * rows;
  cudaError_t code;
  if (use (device, error))
    return error->code;
  bool pinned = direction != FV_ON_DEVICE && is_pinned (direction == FV_TO_HOST ? to : from);
  if (dense && pinned && direction == FV_TO_HOST && bytes <= small_download)
    code = small_to_host (to, from, bytes, (cudaStream_t) stream);
  else if (!dense || pinned || bytes <= small_copy || direction == FV_ON_DEVICE)
    code = cudaMemcpy2DAsync (to, dense ? bytes : to_pitch, from, dense ? bytes : from_pitch, dense ? bytes : row_bytes,
                              dense ? 1 : rows, kind_of (direction), (cudaStream_t) stream);
  else {
    std::lock_guard<std::mutex> guard (d->lock);
    code = make_stages (d);
    if (!code)
      code = direction == FV_TO_DEVICE
               ? staged_upload (d, (char *) to, (const char *) from, bytes, (cudaStream_t) stream)
               : staged_download (d, (char *) to, (const char *) from, bytes, (cudaStream_t) stream);
  }
  return code ? fault (error, code, "Copying") : FV_OK;
}

/* ---- Host memory where it lies ---- */

static fv_status
cuda_map (const fv_device *device, void *host, size_t bytes, void **address, fv_error *error)
{
  cudaError_t code = cudaSuccess;
  if (use (device, error))
    return error->code;
  if (!is_pinned (host)) /* from the start, or because it is used twice */
    code = cudaHostRegister (host, bytes, cudaHostRegisterMapped);
  if (!code)
    code = cudaHostGetDevicePointer (address, host, 0);
  return code ? fault (error, code, "Making host memory visible") : FV_OK;
}

static void
cuda_unmap (const fv_device *device, void *host)
{
  if (is_given_up (device))
    return;
  cudaSetDevice (device->dl.device_id);
  cudaHostUnregister (host); /* refused for memory that was pinned from the start */
  cudaGetLastError ();
}

/* Pinned host memory; what the GPU's own pool keeps is the device's. */
static void
cuda_trim (const fv_device *device)
{
  if (is_given_up (device))
    return;
  cudaSetDevice (device->dl.device_id);
  pool_clear (&pinned);
}

/* ---- Finding the GPUs ---- */

static const fv_device functions = {
  sizeof (fv_device),
  FV_CUDA,
  nullptr,
  nullptr,
  nullptr,
  nullptr,
  {kDLCUDA, 0},
  cuda_memory,
  cuda_stream_new,
  cuda_stream_free,
  cuda_synchronize,
  cuda_alloc,
  cuda_free,
  cuda_host_alloc,
  cuda_host_free,
  cuda_copy,
  cuda_event_new,
  cuda_event_free,
  cuda_event_record,
  cuda_event_elapsed,
  cuda_map,
  cuda_unmap,
  cuda_trim,
  cuda_stream_wait,
  nvrtc_find,
};

/* Why CUDA finds no GPU, in words that help. */
static void
explain (char *text, size_t size, cudaError_t code)
{
  static const char library[] = "libcuda.so.1";
  void *driver = dlopen (library, RTLD_LAZY | RTLD_LOCAL);
  const char *why = driver ? "" : dlerror ();
  int version = 0;
  if (!driver && strncmp (why, library, strlen (library)))
    snprintf (text, size, "the NVIDIA driver cannot be loaded: %s.", why);
  else if (!driver)
    snprintf (text, size, "no NVIDIA driver is installed.");
  else if (code == cudaErrorInsufficientDriver && !cudaDriverGetVersion (&version) && version > 0)
    snprintf (text, size, "the NVIDIA driver supports CUDA %d.%d, this program needs %d.%d: install a newer driver.",
              version / 1000, version % 1000 / 10, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
  else if ((code != cudaErrorNoDevice && code != cudaErrorInvalidDevice)
           || !visible_explain (getenv ("CUDA_VISIBLE_DEVICES"), text, size))
    snprintf (text, size, "the NVIDIA driver answers: %s.", cudaGetErrorString (code));
  if (driver)
    dlclose (driver);
  cudaGetLastError ();
}

static void
describe (cuda_device *d, int index)
{
  cudaDeviceProp about;
  int driver = 0;
  snprintf (d->key, sizeof d->key, "cuda:%d", index);
  d->fv = functions;
  d->fv.key = d->key;
  d->fv.name = d->name;
  d->fv.detail = d->detail;
  d->fv.dl.device_id = index;
  if (cudaGetDeviceProperties (&about, index)) {
    explain (d->fault, sizeof d->fault, cudaGetLastError ());
    d->fv.fault = d->fault;
    return;
  }
  cudaDriverGetVersion (&driver);
  snprintf (d->name, sizeof d->name, "%s", about.name);
  snprintf (d->detail, sizeof d->detail, "compute capability %d.%d, driver for CUDA %d.%d, runtime %d.%d", about.major,
            about.minor, driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
  if (about.major * 10 + about.minor < FOVEA_OLDEST_GPU) {
    snprintf (d->fault, sizeof d->fault, "%s has compute capability %d.%d, this build needs %d.%d or newer.",
              about.name, about.major, about.minor, FOVEA_OLDEST_GPU / 10, FOVEA_OLDEST_GPU % 10);
    d->fv.fault = d->fault;
  }
}

const fv_device *const *
device_cuda_list (void)
{
  int n = 0, filled = 0;
  cudaError_t code = cudaGetDeviceCount (&n);
  if (code || n == 0) {
    devices[0].fv = functions;
    devices[0].fv.key = "cuda";
    devices[0].fv.name = "NVIDIA GPU";
    devices[0].fv.detail = "";
    if (code)
      explain (devices[0].fault, sizeof devices[0].fault, code);
    else if (!visible_explain (getenv ("CUDA_VISIBLE_DEVICES"), devices[0].fault, sizeof devices[0].fault))
      snprintf (devices[0].fault, sizeof devices[0].fault, "the NVIDIA driver sees no GPU.");
    devices[0].fv.fault = devices[0].fault;
    list[filled++] = &devices[0].fv;
  }
  for (int i = 0; i < n && i < MAX_DEVICES && !code; i++) {
    describe (&devices[i], i);
    list[filled++] = &devices[i].fv;
  }
  list[filled] = nullptr;
  return list;
}

void
device_cuda_close (void)
{
  for (const cuda_device &d : devices)
    if (d.given_up)
      return;
  pool_clear (&pinned);
  for (cuda_device &d : devices)
    for (int i = 0; i < STAGES; i++)
      if (d.stage[i]) {
        cudaFreeHost (d.stage[i]);
        cudaEventDestroy (d.stage_free[i]);
        d.stage[i] = nullptr;
      }
}

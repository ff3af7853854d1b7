/* SPDX-License-Identifier: MIT
 *
 * shift on a GPU: a block of 256 for each 256 pixels of a row; 4 bytes read and written a pixel, nothing waits. It also tests what the header
 * promises about the context of a call. A call ends with the first broken promise. So does the program where a state is released, which cannot fail
 * in any other way.
 */
#include "shift.h"

#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <dlfcn.h>

/* ---- What is promised ---- */

/* A function of the driver, which the process has loaded for its devices. */
static void *
driver (const char *name)
{
  static void *library = dlopen ("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  return library ? dlsym (library, name) : nullptr;
}

static CUcontext
primary_context (int gpu)
{
  auto retain = (decltype (&cuDevicePrimaryCtxRetain)) driver ("cuDevicePrimaryCtxRetain");
  auto release = (decltype (&cuDevicePrimaryCtxRelease)) driver ("cuDevicePrimaryCtxRelease_v2");
  CUcontext context = nullptr;
  if (retain && release && retain (&context, gpu) == CUDA_SUCCESS)
    release (gpu);
  return context;
}

/* Of the calling thread; NULL: all of it holds. */
static const char *
broken_of_thread (const fv_device *device)
{
  auto current = (decltype (&cuCtxGetCurrent)) driver ("cuCtxGetCurrent");
  CUcontext now = nullptr;
  int gpu = -1;
  if (!current || current (&now) != CUDA_SUCCESS || !now)
    return "No context is current.";
  if (now != primary_context (device->dl.device_id))
    return "The context that is current is not the primary one of the device.";
  if (cudaGetDevice (&gpu) != cudaSuccess || gpu != device->dl.device_id)
    return "The runtime is at another device.";
  return nullptr;
}

static const char *
broken_of_call (const fv_call *call)
{
  auto context_of = (decltype (&cuStreamGetCtx)) driver ("cuStreamGetCtx");
  const DLDevice own = call->device->dl, in = call->inputs[0]->tensor.device, out = call->outputs[0]->tensor.device;
  CUcontext context = nullptr;
  const char *broken = broken_of_thread (call->device);
  if (broken)
    return broken;
  if (!call->stream)
    return "The stream is NULL.";
  if (!context_of || context_of ((CUstream) call->stream, &context) != CUDA_SUCCESS
      || context != primary_context (own.device_id))
    return "The stream is not one of the device's primary context.";
  if (own.device_type != kDLCUDA || in.device_type != kDLCUDA || out.device_type != kDLCUDA
      || in.device_id != own.device_id || out.device_id != own.device_id)
    return "The tensors are not on the device.";
  return nullptr;
}

static fv_status
fault (fv_error *error, const char *what, const char *why)
{
  error->code = FV_DEVICE_FAULT;
  snprintf (error->text, sizeof error->text, "%s%s", what, why);
  return error->code;
}

/* ---- State: an event, which works in the context alone in which it was made ---- */

static void
release (const fv_device *device, void *state)
{
  const char *broken = broken_of_thread (device);
  if (!broken && cudaEventDestroy ((cudaEvent_t) state) != cudaSuccess)
    broken = "The event is not the device's.";
  if (!broken)
    return;
  fprintf (stderr, "shift: a state is released: %s\n", broken);
  abort ();
}

/* Marks what the call has put on the stream. */
static cudaError_t
mark (const fv_call *call)
{
  void *state = call->host->take_state (call, "mark");
  cudaError_t code = cudaSuccess;
  if (!state && (code = cudaEventCreate ((cudaEvent_t *) &state)) != cudaSuccess)
    return code;
  code = cudaEventRecord ((cudaEvent_t) state, (cudaStream_t) call->stream);
  call->host->leave_state (call, "mark", state, release);
  return code;
}

/* ---- The operation ---- */

__global__ void
shift_kernel (const float *from, int64_t from_row, float *to, int64_t to_row, int64_t columns, float amount)
{
  int64_t x = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  if (x < columns)
    to[blockIdx.y * to_row + x] = from[blockIdx.y * from_row + x] + amount;
}

fv_status
shift_cuda (const fv_call *call, fv_error *error)
{
  const DLTensor &from = call->inputs[0]->tensor, &to = call->outputs[0]->tensor;
  float amount = (float) static_cast<const shift_args *> (call->args)->amount;
  int64_t columns = to.shape[2];
  const int64_t max = 65535; /* rows of blocks */
  const char *broken = broken_of_call (call);
  if (broken)
    return fault (error, broken, "");
  for (int64_t z = 0; z < to.shape[0]; z++)
    for (int64_t y = 0; y < to.shape[1]; y += max) {
      dim3 blocks ((unsigned) ((columns + 255) / 256), (unsigned) (to.shape[1] - y < max ? to.shape[1] - y : max));
      shift_kernel<<<blocks, 256, 0, (cudaStream_t) call->stream>>> (
        (const float *) from.data + z * from.strides[0] + y * from.strides[1], from.strides[1],
        (float *) to.data + z * to.strides[0] + y * to.strides[1], to.strides[1], columns, amount);
    }
  cudaError_t code = cudaGetLastError ();
  if (code == cudaSuccess)
    code = mark (call);
  if (code != cudaSuccess)
    return fault (error, "The kernel failed: ", cudaGetErrorString (code));
  return call->host->tick (call, 1, 1) ? FV_CANCELLED : FV_OK;
}

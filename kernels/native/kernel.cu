/* SPDX-License-Identifier: MIT
 *
 * kernel on the GPU: the source of kernels/native/source.h, compiled by NVRTC; one launch of a grid-stride loop over the elements, which
 * reads and writes what the user's body does. The host waits for the kernel, and asks it to stop by a number in the host's own memory, which its loops
 * look at (loops.c). A kernel that takes no notice, such as an endless recursion, ends with the process alone: when it is over its time it is left
 * behind, and with it the GPU.
 */
#include "kernels/native/kernel.h"
#include "kernels/common/common.cuh"
#include "kernels/native/complaint.h"
#include "kernels/native/fault.h"
#include "kernels/native/source.h"
#include "plugin/nvrtc.h"
#include "plugin/devices.h"

#include <cstdlib>
#include <ctime>

enum { LOG_BYTES = 16384 };
static const double at_once = 0.001; /* s: so long a wait does not sleep */
static const double to_end = 2;      /* s: so long a kernel takes at most to notice that it is to stop */

/* What a raw output, or one that is not made, begins with. */
static fv_status
clear (const fv_call *call, const fv_array *a, fv_error *error)
{
  const DLTensor *t = &a->tensor;
  size_t pixel = t->dtype.bits / 8u;
  for (int64_t plane = 0; plane < t->shape[0]; plane++) {
    cudaError_t code = cudaMemset2DAsync (array_row (a, plane, 0), (size_t) t->strides[1] * pixel, 0,
                                          (size_t) t->shape[2] * pixel, (size_t) t->shape[1], cuda_stream (call));
    if (code != cudaSuccess)
      return cuda_status (code, "Clearing the result of a kernel", error);
  }
  return FV_OK;
}

static fv_status
launch_source (const fv_call *call, const char *text, kernel_task *task, fv_error *error)
{
  static const char *const options[] = {"-default-device", nullptr};
  const nvrtc_source source = {text, "fovea", KERNEL_FUNCTION, options};
  int64_t blocks = blocks_for (task->shape[0] * task->shape[1] * task->shape[2], KERNEL_THREADS),
          most = 32 * (int64_t) multiprocessors ();
  void *arguments[] = {task};
  const nvrtc_grid grid = {(unsigned) (blocks < most ? blocks : most), KERNEL_THREADS, arguments};
  char *log = (char *) malloc (LOG_BYTES);
  if (!log)
    return fail (error, FV_NO_MEMORY, "", "Not enough memory for the messages of a compiler.");
  fv_status status = nvrtc_launch (call, &source, &grid, log, LOG_BYTES, error);
  if (status && *log)
    status = kernel_complaint (log, error);
  free (log);
  return status;
}

/* With checks in its loops and a result for every integer, without the checks or as it is where that does not compile. */
static fv_status
launch_either (const fv_call *call, const kernel_settings *settings, const kernel_plan *plan, kernel_task *task,
               fv_error *error)
{
  fv_status status = FV_BAD_ARGUMENT;
  for (int how = KERNEL_CHECKED; how >= KERNEL_PLAIN && status == FV_BAD_ARGUMENT; how--) {
    char *text = kernel_source (&settings->code, plan, task, KERNEL_CUDA, (kernel_text) how, error);
    if (!text)
      return error->code;
    status = launch_source (call, text, task, error);
    free (text);
  }
  return status;
}

/* ---- Waiting ---- */

static double
seconds (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

/* Waits for an event for so many seconds, 0: for as long as it takes. cudaErrorNotReady: they are over. When the host wants to stop, *stop is set. */
static cudaError_t
wait_for (const fv_call *call, cudaEvent_t event, double limit, volatile int *stop)
{
  const double begin = seconds ();
  cudaError_t code;
  while ((code = cudaEventQuery (event)) == cudaErrorNotReady) {
    const double passed = seconds () - begin;
    const struct timespec moment = {0, passed < 16 * at_once ? 100000 : 1000000};
    cudaGetLastError ();
    if (limit > 0 && passed > limit)
      return code;
    if (passed < at_once)
      continue;
    if (call->host->tick (call, 0, 1))
      *stop = 1;
    nanosleep (&moment, nullptr);
  }
  return code;
}

/* The work that is between the two events on the stream, which ends soon after *stop is set. */
static fv_status
wait_between (const fv_call *call, const kernel_settings *settings, const cudaEvent_t events[2], volatile int *stop,
              fv_error *error)
{
  cudaError_t code = wait_for (call, events[0], 0, stop);
  if (!code)
    code = wait_for (call, events[1], settings->code.time_limit, stop);
  const bool stopped = *stop, late = code == cudaErrorNotReady;
  if (late) {
    *stop = 1;
    code = wait_for (call, events[1], to_end, stop);
  }
  if (code == cudaErrorNotReady) {
    device_cuda_give_up (call->device);
    return kernel_late_on_gpu (settings, error);
  }
  if (code)
    return cuda_status (code, "The kernel", error);
  return stopped ? cancelled (error) : late ? kernel_late (settings, error) : FV_OK;
}

static fv_status
launch_and_wait (const fv_call *call, const kernel_settings *settings, const kernel_plan *plan, kernel_task *task,
                 fv_error *error)
{
  cudaEvent_t events[2] = {nullptr, nullptr};
  void *pinned = nullptr; /* a GPU reads such memory at the same address */
  fv_status status = call->host->host_scratch (call, sizeof (int), &pinned, error);
  volatile int *stop = (volatile int *) pinned;
  if (!status)
    *stop = 0;
  task->stop = stop;
  for (int i = 0; i < 2 && !status; i++)
    status = cuda_status (cudaEventCreateWithFlags (&events[i], cudaEventDisableTiming), "Making an event", error);
  if (!status)
    status = cuda_status (cudaEventRecord (events[0], cuda_stream (call)), "Recording an event", error);
  if (!status)
    status = launch_either (call, settings, plan, task, error);
  if (!status)
    status = cuda_status (cudaEventRecord (events[1], cuda_stream (call)), "Recording an event", error);
  if (!status)
    status = wait_between (call, settings, events, stop, error);
  for (int i = 0; i < 2; i++)
    if (events[i])
      cudaEventDestroy (events[i]);
  return status;
}

/* ---- The run ---- */

static fv_status
read_fault (const fv_call *call, const kernel_plan *plan, const kernel_task *task, fv_error *error)
{
  int64_t fault[FAULT_VALUES];
  fv_status status = call->host->read (call, fault, task->fault, sizeof fault, error);
  return status ? status : kernel_fault (plan, task, fault, error);
}

static fv_status
run_kernel (const fv_call *call, const kernel_settings *settings, const kernel_plan *plan, kernel_task *task,
            fv_error *error)
{
  fv_status status = cuda_scratch (call, FAULT_VALUES, &task->fault, error);
  if (!status)
    status = cuda_status (cudaMemsetAsync (task->fault, 0, FAULT_VALUES * sizeof *task->fault, cuda_stream (call)),
                          "Starting a kernel", error);
  for (int k = 0; k < settings->n_results && !status; k++)
    if (k >= plan->out.n || plan->out.at[k].raw)
      status = clear (call, call->outputs[k], error);
  if (!status)
    status = launch_and_wait (call, settings, plan, task, error);
  return !status && settings->code.check ? read_fault (call, plan, task, error) : status;
}

static fv_status
run_settings (const fv_call *call, const kernel_settings *settings, fv_error *error)
{
  kernel_plan plan;
  kernel_task task;
  if (kernel_prepare (call, settings, &plan, &task, error))
    return error->code;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  return run_kernel (call, settings, &plan, &task, error);
}

extern "C" fv_status
kernel_cuda (const fv_call *call, fv_error *error)
{
  kernel_settings settings;
  kernel_read (call->op, call->args, &settings);
  return kernel_blame (call->op, run_settings (call, &settings, error), error);
}

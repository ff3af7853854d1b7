/* SPDX-License-Identifier: MIT
 *
 * Kernels that are made while the program runs: CUDA C++ text, compiled by NVIDIA's run-time compiler, loaded and started by the driver. Both
 * libraries are opened when the first kernel is asked for. What was compiled is kept in memory and in the user's cache folder
 * (plugin/code_cache.h), by its text, options, compiler and architecture.
 */
#ifndef PLUGIN_NVRTC_H
#define PLUGIN_NVRTC_H

#include "fovea-plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nvrtc_source {
  const char *text;           /* it includes no files: there may be none */
  const char *file;           /* what messages of the compiler call it */
  const char *kernel;         /* an extern "C" __global__ function */
  const char *const *options; /* beside those of language, architecture and rounding; ends with NULL, or NULL */
} nvrtc_source;

/* One dimension of blocks, and of threads in them. */
typedef struct nvrtc_grid {
  unsigned blocks, threads;
  void **args; /* addresses of the kernel's arguments */
} nvrtc_grid;

/* Whether the compiler is there: fv_device.can_compile() of every GPU. */
fv_status nvrtc_find (const fv_device *device, fv_error *error);

/* Puts the kernel on the call's stream; any thread on which the GPU's context is current, as it is in run(). When
 * the compiler rejects the source, the status is FV_BAD_ARGUMENT and the log has its message, truncated to the
 * buffer; otherwise the log is "". Without the compiler FV_UNSUPPORTED. */
fv_status nvrtc_launch (const fv_call *call, const nvrtc_source *source, const nvrtc_grid *grid, char *log,
                        size_t log_bytes, fv_error *error);

/* Lets go of what is kept in memory; no call is under way. */
void nvrtc_close (void);

#ifdef __cplusplus
}
#endif
#endif

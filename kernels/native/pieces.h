/* SPDX-License-Identifier: MIT
 *
 * A compiled kernel on the CPU: its images go piece by piece through the slots of a worker, raw arrays as a whole.
 */
#ifndef KERNELS_NATIVE_PIECES_H
#define KERNELS_NATIVE_PIECES_H

#include "kernels/native/compiler.h"

/* What is run, and on what. */
typedef struct kernel_job {
  const fv_call *call;
  const kernel_settings *settings;
  const kernel_plan *plan;
  const compiler *compiler;
  const kernel_task *task;    /* pixels as the call has them */
  const char *source, *plain; /* see kernel_library_open() */
} kernel_job;

/* Sets the strides that the raw arrays of a task have in a worker: their elements lie one behind the other. The source is made for these. */
void kernel_pack (const kernel_plan *plan, kernel_task *task);
/* Runs all elements in a worker. A crash is an error that names the first element that crashes, where it does so again. */
fv_status kernel_run_pieces (const kernel_job *job, fv_error *error);

#endif

/* SPDX-License-Identifier: MIT
 *
 * The program fovea-model as its owner sees it: see model_file.h. A process computes one network and belongs to one call at a time. A process that was forked
 * from the owner has no part in it.
 */
#ifndef KERNELS_NETWORK_MODEL_PROCESS_H
#define KERNELS_NETWORK_MODEL_PROCESS_H

#include "kernels/common/common.h"

typedef struct model_process model_process;

/* Makes a folder of a package or an ONNX file. FV_BAD_ARGUMENT with *error: what is wrong with it. */
fv_status model_process_read (const char *file, const char *folder, fv_error *error);

/* Starts one on such a folder, and waits until the network is loaded. gpu: number of the GPU that is to compute it, if ONNX Runtime can use that one; -1:
 * none. NULL with *error, perhaps FV_CANCELLED. */
model_process *model_process_start (const fv_call *call, const char *folder, int threads, int gpu, fv_error *error);
/* Says what computes the network, and where. */
const char *model_process_says (const model_process *p);
bool model_process_is_on_gpu (const model_process *p);
/* Ends the process and frees what the owner has. */
void model_process_free (model_process *p);
/* Whether this process may use it for so many threads. */
bool model_process_is_usable (const model_process *p, int threads);
/* Memory that both have, of at least so many floats; what was in it is lost when it grows. NULL with *error. */
float *model_process_memory (model_process *p, int64_t floats, fv_error *error);
/* Makes of the input in that memory, of channels of rows, the output behind it. After an error the process has ended. */
fv_status model_process_run (const fv_call *call, model_process *p, int64_t rows, int64_t columns, fv_error *error);

#endif

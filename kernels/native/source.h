/* SPDX-License-Identifier: MIT
 *
 * The source of a kernel for a compiler: the same for both devices, and in C without a compiler of C++. It is made for the types of its
 * images and for how they lie, and not for their sizes and numbers.
 */
#ifndef KERNELS_NATIVE_SOURCE_H
#define KERNELS_NATIVE_SOURCE_H

#include "kernels/native/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Its one function, extern "C". On the CPU it is
 *   void fovea_kernel (const kernel_task *, int64_t plane, int64_t row, int64_t begin, int64_t end)
 * for the elements of a piece of a row. On a GPU it is a __global__ function of a kernel_task, a loop over the grid. */
#define KERNEL_FUNCTION "fovea_kernel"

typedef enum kernel_language { KERNEL_CPP, KERNEL_C, KERNEL_CUDA } kernel_language;

/* What becomes of the user's text. Plain: nothing, so that columns are the user's own. Guarded: a result for every division and shift of
 * integers, see guard.c, but not in C. Checked: also a check in every loop, see loops.c, only in CUDA. */
typedef enum kernel_text { KERNEL_PLAIN, KERNEL_GUARDED, KERNEL_CHECKED } kernel_text;

enum { KERNEL_THREADS = 256 }; /* of a block on a GPU */

/* The plan of the call, and the task but for `fault`. */
fv_status kernel_prepare (const fv_call *call, const kernel_settings *settings, kernel_plan *plan, kernel_task *task,
                          fv_error *error);
/* The whole text, to be freed with free(). NULL with *error. */
char *kernel_source (const kernel_code *code, const kernel_plan *plan, const kernel_task *task,
                     kernel_language language, kernel_text how, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * What goes wrong while a kernel runs, as an error: an index outside its array, the time limit.
 */
#ifndef KERNELS_NATIVE_FAULT_H
#define KERNELS_NATIVE_FAULT_H

#include "kernels/native/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* FV_OK when none was found. fault: in host memory. */
fv_status kernel_fault (const kernel_plan *plan, const kernel_task *task, const int64_t fault[FAULT_VALUES],
                        fv_error *error);
/* The kernel has run longer than it may. It was ended, or on a GPU still runs. */
fv_status kernel_late (const kernel_settings *settings, fv_error *error);
fv_status kernel_late_on_gpu (const kernel_settings *settings, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

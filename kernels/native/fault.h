/* SPDX-License-Identifier: MIT
 *
 * An index outside its array, as an error.
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

#ifdef __cplusplus
}
#endif

#endif

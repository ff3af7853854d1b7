/* SPDX-License-Identifier: MIT
 *
 * The commands of edit, on any device.
 */
#ifndef KERNELS_EDIT_EDIT_COMMANDS_H
#define KERNELS_EDIT_EDIT_COMMANDS_H

#include "kernels/edit/edit_job.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The number that a pixel of this one is to have. */
int32_t edit_now (const edit_job *job, int32_t label);
/* Carries out all commands. */
fv_status edit_run (const fv_call *call, const edit_passes *passes, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

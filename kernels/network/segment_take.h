/* SPDX-License-Identifier: MIT
 *
 * Models of segment on a device, ready to run and kept from call to call.
 */
#ifndef KERNELS_NETWORK_SEGMENT_TAKE_H
#define KERNELS_NETWORK_SEGMENT_TAKE_H

#include "kernels/network/segment_model.h"

/* With weights: of the device's state, or new. The call gives it back by segment_model_leave(). */
fv_status segment_model_take (const fv_call *call, const char *name, segment_model **model, fv_error *error);
/* Runs the test of a model on the CPU, also again. report: as segment_model_test() has it. Of the call only the host's tick() is used. */
fv_status segment_model_check (const fv_call *call, const char *name, char *report, size_t n, fv_error *error);
void segment_model_leave (const fv_call *call, const char *name, segment_model *model);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Runs one operation on images of any kind: what it wants as labels or as a mask becomes such first.
 */
#ifndef CORE_CALL_OP_H
#define CORE_CALL_OP_H

#include "core/call/call.h"

/* The tolerance of a call with these arguments, for inputs whose grids are `in`; 0: it gives the same bits on every device. */
double call_op_tolerance (const Op *op, gconstpointer args, Image *const *inputs, const fv_grid *in);
/* call_start() on what the inputs become. */
gboolean call_op_start (const Op *op, gconstpointer args, const CallInputs *inputs, Device *device,
                        const CallTarget *target, Progress *progress, CallResult *result, GError **error);
/* The same with images alone, settled. On success *result is the caller's, to be cleared. */
gboolean call_op (const Op *op, gconstpointer args, Image *const *inputs, Device *device, Progress *progress,
                  CallResult *result, GError **error);

#endif

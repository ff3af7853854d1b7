/* SPDX-License-Identifier: MIT
 *
 * Runs one operation on images. It infers, transfers the inputs to the device, makes the outputs there, calls the plugin for each group of planes
 * that the operation's grain requires, and times it on the device's own clock. What does not fit on the device stays on the host and goes through it.
 */
#ifndef CORE_CALL_CALL_H
#define CORE_CALL_CALL_H

#include "core/ops/module.h"
#include "core/call/target.h"
#include "core/call/result.h"

/* What a call takes: for each declared input its image or its table, or NULL. */
typedef struct CallInputs {
  Image *const *images;
  Table *const *tables; /* NULL: there are none */
} CallInputs;

/* inputs: as the operation requires (see call_op.h). device: one on which it can run. target may be NULL. On success
 * *result is the caller's, to be cleared. The work may still be running then: call_settle() waits for it. */
gboolean call_start (const Op *op, gconstpointer args, const CallInputs *inputs, Device *device,
                     const CallTarget *target, Progress *progress, CallResult *result, GError **error);
/* Waits for the work, and takes its time and its scalars. On FALSE the result is cleared. */
gboolean call_settle (const Op *op, CallResult *result, GError **error);

#endif

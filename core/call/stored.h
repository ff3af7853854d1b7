/* SPDX-License-Identifier: MIT
 *
 * Columns that are found in stored values when an operation was given calibrated ones, as in ImageJ. The mode and the median there are found in
 * stored values and then calibrated. The raw integrated density is the sum of stored values.
 */
#ifndef CORE_CALL_STORED_H
#define CORE_CALL_STORED_H

#include "core/call/call.h"

/* Runs the operation once more, on stored values, when its table has such columns, and puts them there. taken: as the first run took the
 * inputs. FALSE with *error. */
gboolean stored_columns (const Op *op, gconstpointer args, const CallInputs *inputs, Image *const *taken,
                         Device *device, const CallTarget *target, Progress *progress, CallResult *result,
                         GError **error);

#endif

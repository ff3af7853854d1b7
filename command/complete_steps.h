/* SPDX-License-Identifier: MIT
 *
 * What can follow in the text of steps, or of a figure.
 */
#ifndef COMMAND_COMPLETE_STEPS_H
#define COMMAND_COMPLETE_STEPS_H

#include "library/fovea.h"

#include <glib.h>

/* Where a candidate goes. The text before it stays; end: what is added behind it, such as " " or "=". */
typedef void (*CompleteAdd) (gpointer data, const char *before, const char *candidate, const char *end,
                             const char *help);

/* Of steps that end at the cursor: operations, their parameters and inputs, choices, models, and names of results. */
void complete_steps (fovea_context *context, const char *steps, CompleteAdd add, gpointer data);
/* Of one NAME=VALUE of this operation. results: names that its inputs can have, ends with NULL. */
void complete_value (fovea_context *context, const fovea_operation *operation, const char *before, const char *word,
                     const char *const *results, CompleteAdd add, gpointer data);

#endif

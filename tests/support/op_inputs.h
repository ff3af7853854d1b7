/* SPDX-License-Identifier: MIT
 *
 * Images that fit the inputs of any operation, from its declaration alone.
 */
#ifndef TESTS_SUPPORT_OP_INPUTS_H
#define TESTS_SUPPORT_OP_INPUTS_H

#include "core/data/image.h"
#include "core/ops/module.h"

enum { OP_INPUTS = 16 }; /* at most */

typedef struct {
  gint64 channels, depth, rows, columns;
} Size;

/* How many channels the first input has in a test that wants one: one, or 3 or 33 where the operation refuses that with its defaults. */
gint64 op_channels (const Op *op);
/* Inputs of a size: the first of the given type, the others of a type that they take. One channel is op_channels(). */
void op_inputs_make (const Op *op, fv_type type, Size size, guint32 seed, Image **inputs);
void op_inputs_free (const Op *op, Image **inputs);
/* Whether the outputs would be too large for a test, or for the operation itself. */
gboolean op_output_is_huge (const Op *op, gconstpointer args, Image *const *inputs);
/* Whether it says that it computes too much on these for a test that goes through all operations. */
gboolean op_is_long (const Op *op, gconstpointer args, Image *const *inputs);

#endif

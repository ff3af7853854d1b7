/* SPDX-License-Identifier: MIT
 *
 * The text of a user's operation, made from a formula or a kernel.
 */
#ifndef CORE_OPS_OPERATION_TEXT_H
#define CORE_OPS_OPERATION_TEXT_H

#include "core/ops/op.h"

/* A number of the formula or the kernel, and what becomes of it. */
typedef struct {
  const char *was;   /* its parameter */
  const char *label; /* of the slider, whose key is made of it */
  double def, min, max;
} OperationNumber;

/* Whether the operation computes by a formula or a kernel that its user writes. */
gboolean operation_text_can (const Op *op);
/* What the formula, or the code of the kernel, calls a number: "p", or k of a kernel with float32 k=p. NULL: it does not use it. Free with
 * g_free(). */
char *operation_text_number (const Op *op, gconstpointer args, const char *number);
/* A label as a key: "Flat Field..." is flat_field; "" when it has neither letters nor digits. Free with g_free(). */
char *operation_text_key (const char *label);
/* The text of an operation with that label that does what `op`, one of those, does with the arguments. Free with g_free(). */
char *operation_text (const Op *op, gconstpointer args, const char *label, const OperationNumber *numbers, guint n);

#endif

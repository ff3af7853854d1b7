/* SPDX-License-Identifier: MIT
 *
 * The text of an operation of one's own, made of a formula that is there.
 */
#ifndef CORE_OPS_OPERATION_TEXT_H
#define CORE_OPS_OPERATION_TEXT_H

#include "core/ops/op.h"

/* A number of the formula, and what becomes of it. */
typedef struct {
  const char *was;   /* its name in the formula */
  const char *label; /* of the slider, whose key is made of it */
  double def, min, max;
} OperationNumber;

/* The text parameter that is a formula, or NULL: then the operation is none of formulas. */
const fv_param *operation_text_formula (const Op *op);
/* Whether a formula uses a name. */
gboolean operation_text_uses (const char *formula, const char *name);
/* A label as a key: "Flat Field..." is flat_field; "" when it has neither letters nor digits. Free with g_free(). */
char *operation_text_key (const char *label);
/* The text of an operation with that label that does what `op`, one of formulas, does with the arguments. Free with g_free(). */
char *operation_text (const Op *op, gconstpointer args, const char *label, const OperationNumber *numbers, guint n);

#endif

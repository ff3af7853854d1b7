/* SPDX-License-Identifier: MIT
 *
 * Operations of the user: a formula or a kernel, with named images and parameters, declared by lines KEY=VALUE in sections [operation],
 * [input NAME] and [parameter NAME]. Errors name the line.
 */
#ifndef KERNELS_OWN_DECLARATION_H
#define KERNELS_OWN_DECLARATION_H

#include "kernels/expression/expression_settings.h"
#include "kernels/native/declare.h"
#include "kernels/native/settings.h"

/* An operation and all that it points to; the texts lie in `text`. */
typedef struct own_operation {
  fv_op op; /* the first member */
  expression_names names;
  int input_lines[EXPRESSION_INPUTS], param_lines[EXPRESSION_PARAMS];
  fv_input inputs[EXPRESSION_INPUTS + 1];
  fv_output outputs[KERNEL_RESULTS + 1];
  fv_param params[EXPRESSION_PARAMS + 1];
  char *text;
  char help[256];
  expression_formula formula; /* text NULL: none */
  kernel_own kernel;          /* code.operation NULL: none */
  char labels[KERNEL_IMAGES + KERNEL_RESULTS][KERNEL_NAME];
  int formula_line, in_line, out_line; /* of expression=, in_params= and out_params= */
  int formula_only, kernel_only;       /* of the last key that only the one or the other has; 0: there is none */
} own_operation;

_Static_assert((int) EXPRESSION_INPUTS == KERNEL_IMAGES && (int) EXPRESSION_PARAMS == KERNEL_NUMBERS, "");

/* What an operation does that is made of a formula, of a kernel. */
extern const fv_op fv_op_expression, fv_op_kernel;

/* "Line 3: ..."; the status. */
__attribute__ ((format (printf, 3, 4))) fv_status own_wrong (int line, fv_error *error, const char *format, ...);

#endif

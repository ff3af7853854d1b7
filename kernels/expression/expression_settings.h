/* SPDX-License-Identifier: MIT
 *
 * What an operation asks of a formula: expression by its arguments, others by a formula that they were made of.
 */
#ifndef KERNELS_EXPRESSION_EXPRESSION_SETTINGS_H
#define KERNELS_EXPRESSION_EXPRESSION_SETTINGS_H

#include "kernels/expression/expression_program.h"

enum { EXPRESSION_SLIDERS = 4 };

typedef struct expression_args {
  char expression[EXPRESSION_TEXT];
  double p, q, r, s;
  int32_t border;
  double value; /* outside, with BORDER_CONSTANT */
  int32_t output;
} expression_args;

typedef enum expression_output {
  OUTPUT_AUTO,
  OUTPUT_SAME,
  OUTPUT_U8,
  OUTPUT_U16,
  OUTPUT_I32,
  OUTPUT_F32,
  OUTPUT_F64
} expression_output;

typedef struct expression_settings {
  const char *text;
  const expression_names *names;
  double params[EXPRESSION_PARAMS];
  border border;
  double value;
  expression_output output;
} expression_settings;

/* What an operation that was made of a formula has as its `user`; its parameters are those of `names`, unless it reads its arguments
 * itself, which may choose the formula. */
typedef struct expression_formula {
  const char *text;
  expression_names names;
  int32_t border, output; /* as choices */
  double value;
  /* NULL, or in place of all of these; image: the first one, NULL where only the formula matters. */
  void (*read) (const void *args, const fv_grid *image, expression_settings *settings);
} expression_formula;

#ifdef __cplusplus
extern "C" {
#endif

/* Their keys, in the order of the enums. */
extern const fv_choice expression_borders[], expression_outputs[];

/* image: the first one, or NULL where only the formula matters. */
void expression_read (const fv_op *op, const void *args, const fv_grid *image, expression_settings *settings);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * expression: out(c, z, y, x) = the value of a formula of the inputs' pixels there, or some columns and rows away, of parameters, and of where
 * the pixel is. Computed in float, or in double when an input or the output has 64 bits or is i32, as NumPy does with arrays of that type;
 * truth values are 1 and 0, or 255 and 0 in a mask. Inputs of one plane or one channel stand for all. Border: as the argument says. NaN: as IEEE 754
 * and NumPy have it; 0 in integers.
 */
#ifndef KERNELS_EXPRESSION_EXPRESSION_H
#define KERNELS_EXPRESSION_EXPRESSION_H

#include "kernels/expression/expression_program.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* What an operation asks for: expression itself, or one made of a formula. */
typedef struct expression_settings {
  const char *text;
  const expression_names *names;
  double params[EXPRESSION_PARAMS];
  border border;
  double value;
  expression_output output;
} expression_settings;

/* Their keys, in the order of the enums. */
extern const fv_choice expression_borders[], expression_outputs[];

/* The parameter of the type, and all that an operation of a formula does; ARGS: its argument struct, INFER: expression_infer(), or what calls
 * it. */
#define EXPRESSION_OUTPUT(ARGS)                                                                                        \
  {                                                                                                                    \
    FV_FIELD (ARGS, output), .label = "Output", .choices = expression_outputs, .help = "Type of the result."           \
  }
#define EXPRESSION_RUNS EXPRESSION_RUNS_AFTER (expression_infer)
#define EXPRESSION_RUNS_AFTER(INFER)                                                                                   \
  .grain = expression_grain, .halo = expression_halo, .infer = INFER, .arithmetic = expression_arithmetic,             \
  .reproducible = 1e-6, .exact = expression_exact,                                                                     \
  .run = {[FV_CPU] = expression_cpu, [FV_CUDA] = FV_CUDA_FN (expression_cuda)}, .compiles = 1u << FV_CUDA

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

void expression_read (const fv_op *op, const void *args, const fv_grid *image, expression_settings *settings);

/* An array as a formula walks over it: strides in pixels, 0 along what it has but one of. */
typedef struct expression_array {
  char *data; /* NULL: not used */
  fv_type type;
  int64_t channel, plane, row;
} expression_array;

/* All that a call needs, alike on every device. */
typedef struct expression_job {
  expression_program program;
  expression_settings settings;
  double uniforms[EXPRESSION_VALUES];
  fv_type working; /* FV_F32 or FV_F64 */
  bool mask;       /* the result is written as 255 and 0 */
  bool flat;       /* dense, and nothing asks where a pixel is: all is one row */
  int64_t channels, depth, rows, columns;
  expression_array inputs[EXPRESSION_INPUTS], out;
} expression_job;

fv_status expression_begin (const fv_call *call, expression_job *job, fv_error *error);

fv_grain expression_grain (const fv_op *op, const void *args);
void expression_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3]);
fv_status expression_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out,
                            fv_error *error);
double expression_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in);
bool expression_exact (const fv_op *op, const void *args, const fv_grid *const *in);
fv_status expression_cpu (const fv_call *call, fv_error *error);
fv_status expression_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

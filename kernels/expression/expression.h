/* SPDX-License-Identifier: MIT
 *
 * expression: out(c, z, y, x) = the value of a formula of the inputs' pixels there, or some columns and rows away, of parameters, and of where the
 * pixel is. Computed in float, or in double when an input or the output has 64 bits or is i32, as NumPy does with arrays of that type. Truth values
 * are 1 and 0, or 255 and 0 in a mask. Inputs of one plane or one channel count for all. Border: as the argument says. NaN: as IEEE 754 and NumPy
 * have it; 0 in integers.
 */
#ifndef KERNELS_EXPRESSION_EXPRESSION_H
#define KERNELS_EXPRESSION_EXPRESSION_H

#include "kernels/expression/expression_job.h"

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

/* Of a list of formulas, FUNCTION (key, label, help, formula): the choices of a parameter, and the texts in the same order. */
#define EXPRESSION_CHOICE(KEY, LABEL, HELP, FORMULA) {#KEY, LABEL, HELP},
#define EXPRESSION_TEXT_OF(KEY, LABEL, HELP, FORMULA) FORMULA,

#endif

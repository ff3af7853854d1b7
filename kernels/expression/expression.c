/* SPDX-License-Identifier: MIT
 *
 * expression: the declaration.
 */
#include "kernels/expression/expression.h"

#define SLIDER .def = 1, .min = -INFINITY, .max = INFINITY, .soft_max = 10

const fv_op fv_op_expression = {
  FV_OP (expression_args),
  .key = "expression",
  .menu = "Process",
  .label = "Math Expression...",
  .search = "math formula function calculator per pixel numexpr image calculator",
  .help = "Computes each pixel by a formula, such as sqrt(a**2 + b**2) or where(a > p, a, 0).",
  .kind = FV_LOCAL,
  .inputs = (const fv_input[]){{"a", "Image a", "The image called a in the expression.", FV_ANY_TYPE, false},
                               {"b", "Image b", "The image called b in the expression.", FV_ANY_TYPE, true},
                               {"c", "Image c", "The image called c in the expression.", FV_ANY_TYPE, true},
                               {"d", "Image d", "The image called d in the expression.", FV_ANY_TYPE, true},
                               {0}},
  .outputs = (const fv_output[]){{"image", "Result"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (expression_args, expression), .label = "Expression", .def_text = "a",
       .help = "A formula of images a to d, numbers p to s, the position x, y, z, ch, t and the size width, height, "
               "depth, channels, frames. It has Python's operators and NumPy's functions; a[dx,dy] is a neighbor."},
      {FV_FIELD (expression_args, p), .label = "Number p", SLIDER, .help = "The value of p in the expression."},
      {FV_FIELD (expression_args, q), .label = "Number q", SLIDER, .help = "The value of q in the expression."},
      {FV_FIELD (expression_args, r), .label = "Number r", SLIDER, .help = "The value of r in the expression."},
      {FV_FIELD (expression_args, s), .label = "Number s", SLIDER, .help = "The value of s in the expression."},
      {FV_FIELD (expression_args, border), .label = "Border", .advanced = true, .choices = expression_borders,
       .help = "Values of neighbors outside the image."},
      {FV_FIELD (expression_args, value), .label = "Value outside", .advanced = true, .enabled = "border=constant",
       .help = "The constant outside the image."},
      EXPRESSION_OUTPUT (expression_args),
      {0}},
  EXPRESSION_RUNS,
};

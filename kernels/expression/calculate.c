/* SPDX-License-Identifier: MIT
 *
 * calculate: out = one of some functions of two images, computed, rounded and typed as formulas are. NaN: as IEEE 754 and NumPy have it; 0
 * in integers.
 */
#include "kernels/expression/expression.h"

typedef struct calculate_args {
  int32_t function; /* of `functions` */
  int32_t output;   /* expression_output */
} calculate_args;

static const fv_choice functions[] = {{"add", "Add", "a + b."},
                                      {"subtract", "Subtract", "a - b."},
                                      {"multiply", "Multiply", "a x b."},
                                      {"divide", "Divide", "a / b."},
                                      {"average", "Average", "(a + b) / 2."},
                                      {"difference", "Difference", "a - b without its sign."},
                                      {"minimum", "Min", "The smaller of both."},
                                      {"maximum", "Max", "The larger of both."},
                                      {"and", "And", "A mask of where both are not 0."},
                                      {"or", "Or", "A mask of where one is not 0."},
                                      {"xor", "Xor", "A mask of where one is not 0 and the other is."},
                                      {"transparent_zero", "Transparent-zero", "b, and a where b is 0."},
                                      {0}};

static const char *const formulas[] = {"a + b",
                                       "a - b",
                                       "a * b",
                                       "a / b",
                                       "(a + b) / 2",
                                       "abs(a - b)",
                                       "minimum(a, b)",
                                       "maximum(a, b)",
                                       "(a != 0) & (b != 0)",
                                       "(a != 0) | (b != 0)",
                                       "(a != 0) ^ (b != 0)",
                                       "where(b == 0, a, b)"};

static void
read_calculate (const void *args, const fv_grid *image, expression_settings *s)
{
  (void) image;
  static const expression_names names = {2, 0, {"a", "b"}, {NULL}};
  const calculate_args *a = args;
  *s = (expression_settings){formulas[a->function], &names, {0}, BORDER_NEAREST, 0, (expression_output) a->output};
}

static expression_formula formula = {.read = read_calculate};

const fv_op fv_op_calculate = {
  FV_OP (calculate_args),
  .key = "calculate",
  .menu = "Process",
  .label = "Image Calculator...",
  .search = "image calculator add subtract multiply divide difference ratio and or xor two images combine",
  .help =
    "Adds two images, subtracts, multiplies or compares them, pixel by pixel; nothing is limited unless the output "
    "is.",
  .user = &formula,
  .kind = FV_LOCAL,
  .inputs =
    (const fv_input[]){{"a", "Image a", "The first image.", FV_ANY_TYPE, false},
                       {"b", "Image b", "The second; one slice or one channel stands for all.", FV_ANY_TYPE, false},
                       {0}},
  .outputs = (const fv_output[]){{"image", "Result"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (calculate_args, function), .label = "Operation", .choices = functions,
                                .help = "What is computed."},
                               EXPRESSION_OUTPUT (calculate_args),
                               {0}},
  EXPRESSION_RUNS,
};

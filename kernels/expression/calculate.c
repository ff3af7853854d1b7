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

/* FUNCTION (key, label, help, formula) */
#define LIST(FUNCTION)                                                                                                 \
  FUNCTION (add, "Add", "a + b.", "a + b")                                                                             \
  FUNCTION (subtract, "Subtract", "a - b.", "a - b")                                                                   \
  FUNCTION (multiply, "Multiply", "a x b.", "a * b")                                                                   \
  FUNCTION (divide, "Divide", "a / b.", "a / b")                                                                       \
  FUNCTION (average, "Average", "(a + b) / 2.", "(a + b) / 2")                                                         \
  FUNCTION (difference, "Difference", "a - b without its sign.", "abs(a - b)")                                         \
  FUNCTION (minimum, "Min", "The smaller of both.", "minimum(a, b)")                                                   \
  FUNCTION (maximum, "Max", "The larger of both.", "maximum(a, b)")                                                    \
  FUNCTION (and, "And", "A mask of where both are not 0.", "(a != 0) & (b != 0)")                                      \
  FUNCTION (or, "Or", "A mask of where one is not 0.", "(a != 0) | (b != 0)")                                          \
  FUNCTION (xor, "Xor", "A mask of where one is not 0 and the other is.", "(a != 0) ^ (b != 0)")                       \
  FUNCTION (transparent_zero, "Transparent-zero", "b, and a where b is 0.", "where(b == 0, a, b)")

static const fv_choice functions[] = {LIST (EXPRESSION_CHOICE){0}};
static const char *const formulas[] = {LIST (EXPRESSION_TEXT_OF)};

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
  .inputs = (const fv_input[]){{"a", "Image a", "The first image.", FV_ANY_TYPE, false},
                               {"b", "Image b", "The second image. A single slice or channel is used for all.",
                                FV_ANY_TYPE, false},
                               {0}},
  .outputs = (const fv_output[]){{"image", "Result"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (calculate_args, function), .label = "Operation", .choices = functions,
                                .help = "What is computed."},
                               EXPRESSION_OUTPUT (calculate_args),
                               {0}},
  EXPRESSION_RUNS,
};

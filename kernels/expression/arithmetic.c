/* SPDX-License-Identifier: MIT
 *
 * arithmetic: out = one of some functions of the pixel and a value, computed, rounded and typed as formulas are. Bits are not combined. NaN: as
 * IEEE 754 and NumPy have it; 0 in integers.
 */
#include "kernels/expression/expression.h"

typedef struct arithmetic_args {
  int32_t function; /* of `functions` */
  double value;
  int32_t output; /* expression_output */
} arithmetic_args;

static const fv_choice functions[] = {{"add", "Add", "Pixel + value."},
                                      {"subtract", "Subtract", "Pixel - value."},
                                      {"multiply", "Multiply", "Pixel x value."},
                                      {"divide", "Divide", "Pixel / value."},
                                      {"invert", "Invert", "Value - pixel: 255 inverts 8-bit."},
                                      {"minimum", "Minimum", "The smaller of both: nothing is above the value."},
                                      {"maximum", "Maximum", "The larger of both: nothing is below the value."},
                                      {"power", "Power", "Pixel to the power of the value, as a gamma."},
                                      {"square", "Square", "Pixel x pixel."},
                                      {"sqrt", "Square Root", "NaN of what is negative."},
                                      {"exp", "Exp", "e to the power of the pixel."},
                                      {"log", "Log", "The natural logarithm."},
                                      {"reciprocal", "Reciprocal", "1 / pixel."},
                                      {"abs", "Abs", "Without its sign."},
                                      {"nan_background", "NaN Background", "NaN where the pixel is below the value."},
                                      {0}};

static const char *const formulas[] = {"a + p",         "a - p",         "a * p",  "a / p",  "p - a",
                                       "minimum(a, p)", "maximum(a, p)", "a ** p", "a * a",  "sqrt(a)",
                                       "exp(a)",        "log(a)",        "1 / a",  "abs(a)", "where(a < p, nan, a)"};

static void
read_arithmetic (const void *args, expression_settings *s)
{
  static const expression_names names = {1, 1, {"a"}, {"p"}};
  const arithmetic_args *a = args;
  *s =
    (expression_settings){formulas[a->function], &names, {a->value}, BORDER_NEAREST, 0, (expression_output) a->output};
}

static expression_formula formula = {.read = read_arithmetic};

const fv_op fv_op_arithmetic = {
  FV_OP (arithmetic_args),
  .key = "arithmetic",
  .menu = "Process",
  .label = "Math...",
  .help =
    "Adds a value to each pixel, multiplies by it, or computes another function of both; nothing is limited unless "
    "the output is.",
  .user = &formula,
  .kind = FV_LOCAL,
  .inputs = (const fv_input[]){{"a", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Result"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (arithmetic_args, function), .label = "Function", .choices = functions, .help = "What is computed."},
      {FV_FIELD (arithmetic_args, value), .label = "Value", .def = 1, .min = -INFINITY, .max = INFINITY,
       .soft_max = 255, .enabled = "function=add|subtract|multiply|divide|invert|minimum|maximum|power|nan_background",
       .help = "The second number."},
      EXPRESSION_OUTPUT (arithmetic_args),
      {0}},
  EXPRESSION_RUNS,
};

/* SPDX-License-Identifier: MIT
 *
 * arithmetic: out = one of some functions of the pixel and a value, computed, rounded and typed as formulas are. Bits are those of integers, in
 * the image's type unless another is asked for. Gamma: top (pixel / top)^value with the greatest number of the type, 1 for floats. NaN: as
 * IEEE 754 and NumPy have it; 0 in integers.
 */
#include "kernels/expression/expression.h"

typedef struct arithmetic_args {
  int32_t function; /* of `functions` */
  double value;
  int32_t output; /* expression_output */
} arithmetic_args;

/* FUNCTION (key, label, help, formula) */
#define LIST(FUNCTION)                                                                                                 \
  FUNCTION (add, "Add", "Pixel + value.", "a + p")                                                                     \
  FUNCTION (subtract, "Subtract", "Pixel - value.", "a - p")                                                           \
  FUNCTION (multiply, "Multiply", "Pixel x value.", "a * p")                                                           \
  FUNCTION (divide, "Divide", "Pixel / value.", "a / p")                                                               \
  FUNCTION (invert, "Invert", "Value - pixel: 255 inverts 8-bit.", "p - a")                                            \
  FUNCTION (minimum, "Minimum", "The smaller of both: nothing is above the value.", "minimum(a, p)")                   \
  FUNCTION (maximum, "Maximum", "The larger of both: nothing is below the value.", "maximum(a, p)")                    \
  FUNCTION (power, "Power", "Pixel to the power of the value, as a gamma.", "a ** p")                                  \
  FUNCTION (square, "Square", "Pixel x pixel.", "a * a")                                                               \
  FUNCTION (sqrt, "Square Root", "NaN of what is negative.", "sqrt(a)")                                                \
  FUNCTION (exp, "Exp", "e to the power of the pixel.", "exp(a)")                                                      \
  FUNCTION (log, "Log", "The natural logarithm.", "log(a)")                                                            \
  FUNCTION (reciprocal, "Reciprocal", "1 / pixel.", "1 / a")                                                           \
  FUNCTION (abs, "Abs", "Without its sign.", "abs(a)")                                                                 \
  FUNCTION (nan_background, "NaN Background", "NaN where the pixel is below the value.", "where(a < p, nan, a)")       \
  FUNCTION (and, "And", "Bits that are set in both, of integers.", "bitwise_and(a, p)")                                \
  FUNCTION (or, "Or", "Bits that are set in one or both.", "bitwise_or(a, p)")                                         \
  FUNCTION (xor, "Xor", "Bits that are set in one and not in the other.", "bitwise_xor(a, p)")                         \
  FUNCTION (gamma, "Gamma",                                                                                            \
            "Of 8-bit 255 x (pixel / 255) to the power of the value, of 16-bit with 65535, "                           \
            "of 32-bit integers with 2147483647; of floats the plain power.",                                          \
            "top * (a / top) ** p")

#define NUMBER(KEY, LABEL, HELP, FORMULA) ARITHMETIC_##KEY,

enum { LIST (NUMBER) };
static const fv_choice functions[] = {LIST (EXPRESSION_CHOICE){0}};
static const char *const formulas[] = {LIST (EXPRESSION_TEXT_OF)};

static bool
is_of_bits (const arithmetic_args *a)
{
  return a->function == ARITHMETIC_and || a->function == ARITHMETIC_or || a->function == ARITHMETIC_xor;
}

/* The greatest number of a type, 1 for floats. */
static double
top_of (fv_type type)
{
  return type == FV_U8 ? UINT8_MAX : type == FV_U16 ? UINT16_MAX : type == FV_I32 ? INT32_MAX : 1;
}

static void
read_arithmetic (const void *args, const fv_grid *image, expression_settings *s)
{
  static const expression_names names = {1, 2, {"a"}, {"p", "top"}};
  const arithmetic_args *a = args;
  const expression_output output = (expression_output) a->output;
  *s = (expression_settings){
    formulas[a->function], &names, {a->value, image ? top_of (image->type) : 1},
    BORDER_NEAREST,        0,      is_of_bits (a) && output == OUTPUT_AUTO ? OUTPUT_SAME : output};
}

static fv_status
arithmetic_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const arithmetic_args *a = args;
  const double top = top_of (in[0]->type), low = in[0]->type == FV_I32 ? INT32_MIN : 0;
  if (!is_of_bits (a))
    return expression_infer (op, args, in, out, error);
  if (in[0]->type & FV_FLOATS)
    return fail (error, FV_BAD_ARGUMENT, "function",
                 "and, or and xor combine the bits of integers, and the image has floats: convert it first, as with "
                 "convert type=u16.");
  if (!(a->value >= low && a->value <= top && a->value == rint (a->value)))
    return fail (error, FV_BAD_ARGUMENT, "value", "The value must be an integer from %.0f to %.0f here, not %g.", low,
                 top, a->value);
  return expression_infer (op, args, in, out, error);
}

static expression_formula formula = {.read = read_arithmetic};

const fv_op fv_op_arithmetic = {
  FV_OP (arithmetic_args),
  .key = "arithmetic",
  .menu = "Process",
  .label = "Math...",
  .search =
    "math add subtract multiply divide invert and or xor bits bitwise gamma log square root absolute nan background",
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
       .soft_max = 255,
       .enabled = "function=add|subtract|multiply|divide|invert|minimum|maximum|power|nan_background|and|or|xor|gamma",
       .help = "The second number."},
      EXPRESSION_OUTPUT (arithmetic_args),
      {0}},
  EXPRESSION_RUNS_AFTER (arithmetic_infer),
};

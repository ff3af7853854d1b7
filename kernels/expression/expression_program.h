/* SPDX-License-Identifier: MIT
 *
 * An expression as a program: values in an order in which each one needs only earlier ones. Equal values are one; what does not depend
 * on anything is computed by the parser, what depends on parameters alone once for each call.
 */
#ifndef KERNELS_EXPRESSION_EXPRESSION_PROGRAM_H
#define KERNELS_EXPRESSION_EXPRESSION_PROGRAM_H

#include "kernels/common/common.h"

enum {
  EXPRESSION_VALUES = 512,
  EXPRESSION_DEPTH = 64, /* of brackets and of other nesting */
  EXPRESSION_INPUTS = 8,
  EXPRESSION_PARAMS = 16,
  EXPRESSION_TEXT = 2048,
  EXPRESSION_REACH = 1024, /* of neighbors */
};

typedef enum expression_function {
#define FUNCTION(NAME, ARGUMENTS, TRUTH, ...) FN_##NAME,
#include "kernels/expression/expression_functions.h"
#undef FUNCTION
  FUNCTIONS
} expression_function;

/* Where a pixel is, from 0. */
typedef enum expression_coordinate {
  COORDINATE_X,
  COORDINATE_Y,
  COORDINATE_Z,
  COORDINATE_CHANNEL,
  COORDINATES
} expression_coordinate;

/* How large the image is, along the same axes and in time; and which time point this is, from 0. */
typedef enum expression_extent {
  EXTENT_WIDTH,
  EXTENT_HEIGHT,
  EXTENT_DEPTH,
  EXTENT_CHANNELS,
  EXTENT_FRAMES,
  EXTENT_T,
  EXTENTS
} expression_extent;

typedef enum value_kind {
  VALUE_CONSTANT,
  VALUE_PARAM,
  VALUE_SIZE,
  VALUE_INPUT,
  VALUE_COORDINATE,
  VALUE_FUNCTION
} value_kind;

typedef struct expression_value {
  value_kind kind;
  int32_t which; /* param, size, input, coordinate or function */
  bool truth;    /* 0 or 1 */
  bool uniform;  /* the same for all pixels */
  int32_t dx, dy;
  int32_t args[3]; /* of a function: values, -1 for none */
  double constant;
} expression_value;

/* Names of inputs and parameters. */
typedef struct expression_names {
  int32_t n_inputs, n_params;
  const char *inputs[EXPRESSION_INPUTS], *params[EXPRESSION_PARAMS];
} expression_names;

typedef struct expression_program {
  expression_value values[EXPRESSION_VALUES];
  int32_t n, result;
  bool used[EXPRESSION_VALUES]; /* the result needs it */
  bool inputs[EXPRESSION_INPUTS];
  bool coordinates[COORDINATES]; /* the formula uses the coordinate, or the size along its axis */
  bool time;                     /* frames or t is */
  int32_t reach_x, reach_y;
} expression_program;

/* Reads the text; an error names the column, and is one of the parameter `field`. */
fv_status expression_parse (const char *text, const expression_names *names, const char *field,
                            expression_program *program, fv_error *error);

/* Whether a word means something in every formula, and so cannot name an input or a parameter. */
bool expression_is_known (const char *word);

/* Computes the uniform values, into values[i] for value i. sizes: EXTENT_*. */
void expression_uniforms (const expression_program *p, const double *params, const double *sizes, double *values);

/* How many values a function takes, and whether it gives a truth value; its name. */
int expression_arguments (int function);
bool expression_is_truth (int function);
const char *expression_name (int function);
/* Computes one value. */
double expression_scalar (int function, double a, double b, double c);

#endif

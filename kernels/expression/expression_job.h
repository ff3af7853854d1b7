/* SPDX-License-Identifier: MIT
 *
 * A formula on the images of a call: what it asks of them and makes of them, and the strides by which it is computed.
 */
#ifndef KERNELS_EXPRESSION_EXPRESSION_JOB_H
#define KERNELS_EXPRESSION_EXPRESSION_JOB_H

#include "kernels/expression/expression_settings.h"

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

#ifdef __cplusplus
extern "C" {
#endif

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

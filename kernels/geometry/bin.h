/* SPDX-License-Identifier: MIT
 *
 * bin: each pixel is the mean, sum, largest or smallest of a block of factor z * y * x pixels, or of all along a shorter axis. Rows, columns and
 * slices that do not fill a block are dropped. Sums are made in double, down the columns of a block and then across. NaN spreads.
 */
#ifndef KERNELS_GEOMETRY_BIN_H
#define KERNELS_GEOMETRY_BIN_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bin_method { BIN_MEAN, BIN_SUM, BIN_MAX, BIN_MIN } bin_method;
typedef enum bin_output { BIN_FLOAT, BIN_SAME } bin_output;

typedef struct bin_args {
  int32_t x, y, z;
  int32_t method, output; /* bin_method, bin_output */
} bin_args;

/* NaN is taken, and stays: no comparison with it is true. */
INLINE double
bin_join (double a, double b, int32_t method)
{
  switch (method) {
  case BIN_MAX: return ((b > a) | (b != b)) ? b : a;
  case BIN_MIN: return ((b < a) | (b != b)) ? b : a;
  default: return a + b;
  }
}

/* With blocks that fit in. */
bin_args bin_args_of (const bin_args *args, const fv_grid *in);
fv_status bin_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * Rows of a table that are of a channel and a slice: columns that name these come first, where the image has several.
 */
#ifndef KERNELS_MEASURE_PLACED_ROWS_H
#define KERNELS_MEASURE_PLACED_ROWS_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PLACED_MAX = 16 }; /* columns, beside those of the position */

typedef struct placed_rows {
  double *channel, *z; /* [rows]; NULL: the image has one */
  double *measured;    /* [n][rows] */
  int64_t rows;
  uint32_t n;
} placed_rows;

/* The call's table, to be filled: columns of the position in the image, and the n that are measured, at most PLACED_MAX. */
fv_status placed_rows_new (const fv_call *call, const fv_grid *image, const fv_column *measured, uint32_t n,
                           int64_t rows, placed_rows *to, fv_error *error);

/* Fills a row; channel and slice are counted from 0 here. */
void placed_rows_put (const placed_rows *to, int64_t row, int64_t channel, int64_t z, const double *measured);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * The table of maxima.
 */
#ifndef KERNELS_MAXIMA_MAXIMA_TABLE_H
#define KERNELS_MAXIMA_MAXIMA_TABLE_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes n rows of the table, and fills in one of them: a pixel, counted through all planes, its value, and the number of the object. */
fv_status maxima_new_rows (const fv_call *call, int64_t n, double **values, fv_error *error);
void maxima_put_row (const fv_call *call, double *values, int64_t n, int64_t row, int64_t at, double value,
                     int64_t number);

#ifdef __cplusplus
}
#endif

#endif

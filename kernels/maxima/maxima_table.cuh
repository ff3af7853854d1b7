/* SPDX-License-Identifier: MIT
 *
 * The table of maxima, from points that the GPU found.
 */
#ifndef KERNELS_MAXIMA_MAXIMA_TABLE_CUH
#define KERNELS_MAXIMA_MAXIMA_TABLE_CUH

#include "kernels/common/common.cuh"

/* A point at a pixel, counted through all planes; number 0: not a maximum. */
struct maxima_row {
  int64_t at, number;
  double value;
};

/* The rows whose number is not 0 make the table, and their count the scalar; `rows` are in host memory. */
fv_status maxima_table_cuda (const fv_call *call, const maxima_row *rows, int64_t n, fv_error *error);

#endif

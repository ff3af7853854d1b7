/* SPDX-License-Identifier: MIT
 *
 * The loops of operations that make row after row: over planes and rows on the CPU. Operations whose result at a pixel depends on that
 * pixel alone also have the loop over pixels, in double. rows.cuh has the same loops for CUDA.
 */
#ifndef KERNELS_COMMON_ROWS_H
#define KERNELS_COMMON_ROWS_H

#include "kernels/common/common.h"

/* One row. rule: what the loop was given. */
typedef void (*row_pass) (const fv_call *call, const void *rule, int64_t plane, int64_t y);

/* Runs the pass on each row of the planes, on all threads, until `p` is stopped. Each row is a step of `p`; NULL: no progress. */
void rows_each (const fv_call *call, int64_t planes, int64_t rows, row_pass pass, const void *rule, progress *p);
/* For each row of that array. */
fv_status rows_of (const fv_call *call, const fv_array *over, row_pass pass, const void *rule, fv_error *error);
/* For each row of the first output. */
fv_status rows_cpu (const fv_call *call, row_pass pass, const void *rule, fv_error *error);

/* Replaces n values. rule: what the loop was given. */
typedef void (*point_map) (double *values, int64_t n, const void *rule);

/* A row of one image from the same row of another. map NULL: values stay. */
void point_row (const fv_array *out, const fv_array *in, int64_t plane, int64_t y, point_map map, const void *rule);
/* Planes of the first output from the first input, from that plane on. */
void point_planes (const fv_call *call, int64_t first, int64_t planes, point_map map, const void *rule, progress *p);
/* All of them. */
fv_status point_cpu (const fv_call *call, point_map map, const void *rule, fv_error *error);

/* The point_map of VALUE (double, const RULE *). */
#define DEFINE_POINT_MAP(NAME, RULE, VALUE)                                                                            \
  VECTORISED static void NAME (double *v, int64_t n, const void *rule)                                                 \
  {                                                                                                                    \
    const RULE r = *(const RULE *) rule;                                                                               \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      v[i] = VALUE (v[i], &r);                                                                                         \
  }

#endif

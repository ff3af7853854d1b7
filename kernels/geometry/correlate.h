/* SPDX-License-Identifier: MIT
 *
 * The shift between two planes on the CPU, as register.h defines it, in double.
 */
#ifndef KERNELS_GEOMETRY_CORRELATE_H
#define KERNELS_GEOMETRY_CORRELATE_H

#include "kernels/common/fft.h"
#include "kernels/geometry/register_plan.h"

/* Memory for one pair after the other. Lines of n numbers are frequencies in the order of the transform: number frequency[k] is at
 * index[frequency[k]] = k. */
typedef struct correlation {
  const fv_call *call;
  const register_plan *plan;
  const fft *fft;
  int64_t pitch, chunks;
  double *re, *im; /* [length[0]][pitch] */
  double *product; /* rows of frequencies 0 ... length[0] / 2 - 1 in order: real parts, then imaginary ones */
  double *waves[2], *window[2]; /* of each axis */
  double *turns[2];             /* of each axis, [points][length]: cosines, then sines */
  double *sums;                 /* [chunks][points x points] */
  double *blocks;               /* for each thread: lanes rows side by side, real parts, then imaginary ones */
  int32_t *index[2];            /* of frequencies, of each axis */
  progress progress;
} correlation;

int64_t correlation_bytes (const register_plan *plan);
/* pairs: how many there will be. */
fv_status correlation_make (const fv_call *call, const register_plan *plan, int64_t pairs, correlation *c,
                            fv_error *error);
/* How far the second has to be moved to lie on the first. */
fv_status correlate (correlation *c, const register_view pair[2], double shift[2], fv_error *error);

#endif

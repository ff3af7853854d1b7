/* SPDX-License-Identifier: MIT
 *
 * z_profile: number, mean, standard deviation sqrt (sum (v - mean)^2 / n), ends and sum of the pixels of each plane that count: those
 * that are finite, inside the mask. What it finds for one slice or frame after the other is a profile along z or t.
 */
#ifndef KERNELS_MEASURE_Z_PROFILE_H
#define KERNELS_MEASURE_Z_PROFILE_H

#include "kernels/measure/pixel_sums.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { Z_PROFILE_IMAGE, Z_PROFILE_MASK }; /* inputs */

/* Of a plane. */
typedef struct z_profile_values {
  double n, sum, mean, low, high, squares; /* squares: about the mean */
} z_profile_values;

/* After the first pass: v has n and sum. The mean is not let out of the range by rounding. */
INLINE void
z_profile_begin (z_profile_values *p, const pixel_sums *s)
{
  p->n = s->v[0];
  p->sum = s->v[1];
  p->low = s->low[0];
  p->high = s->high[0];
  p->mean = p->sum / p->n;
  p->mean = p->mean < p->low ? p->low : p->mean > p->high ? p->high : p->mean;
}

/* The table, from what was found of all planes. */
fv_status z_profile_table (const fv_call *call, const z_profile_values *planes, fv_error *error);

fv_status z_profile_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

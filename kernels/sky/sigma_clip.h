/* SPDX-License-Identifier: MIT
 *
 * sigma_clip: mean, median, sigma, ends and number of the pixels of each plane that are left when those with |v - median| >=
 * kappa sigma are clipped until none is. NaN and infinities are left out from the start. Where sigma is 0 nothing is clipped. Mean and
 * sigma are those of spread.h, the median is exact.
 */
#ifndef KERNELS_SKY_SIGMA_CLIP_H
#define KERNELS_SKY_SIGMA_CLIP_H

#include "kernels/sky/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sigma_clip_args {
  double kappa;
  int32_t max_iterations; /* 0: no limit */
} sigma_clip_args;

/* In the order of the declaration. */
enum { SIGMA_CLIP_SIGMA = 2, SIGMA_CLIP_RESULTS = 7 };
INLINE void
sigma_clip_put (double *to, const clip *c)
{
  const double values[SIGMA_CLIP_RESULTS] = {
    c->mean, c->median, c->sigma, c->minimum, c->maximum, (double) c->kept, (double) c->iterations};
  memcpy (to, values, sizeof values);
}

/* Writes [planes][SIGMA_CLIP_RESULTS] to memory of the device. */
fv_status sigma_clip_measure (const fv_call *call, const fv_array *in, const sigma_clip_args *a, double *results,
                              fv_error *error);
fv_status sigma_clip_measure_cuda (const fv_call *call, const fv_array *in, const sigma_clip_args *a, double *results,
                                   fv_error *error);

/* The table, from the scalars of each plane in host memory. */
fv_status sigma_clip_table (const fv_call *call, const double *scalars, fv_error *error);

fv_status sigma_clip_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * log: the Laplacian of a Gaussian, the sum over the axes of the second derivatives of the image blurred with a Gaussian. Along that axis the image
 * is convolved with the second derivative of the Gaussian, sampled, and its sum is not corrected to 0. With `normalize` times sigma squared, axis by
 * axis.
 * Border: as the argument says. NaN: every window that contains one gives NaN.
 * Reference: scipy.ndimage.gaussian_laplace.
 */
#ifndef KERNELS_FILTERS_LOG_H
#define KERNELS_FILTERS_LOG_H

#include "kernels/gaussian/blurs.h"

typedef struct log_args {
  gaussian_args blur; /* first: the parameters of blurs find theirs */
  bool normalize;
} log_args;

#ifdef __cplusplus
extern "C" {
#endif

/* How many there are. */
int log_terms (const log_args *a, const fv_grid *in, blurs_term terms[3]);
fv_status log_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

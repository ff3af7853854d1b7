/* SPDX-License-Identifier: MIT
 *
 * dog: the Gaussian blur with sigma less that with a larger sigma, 1.6 times as large when none is given.
 * Border: as the argument says. NaN: every window that contains one gives NaN.
 * Reference: skimage.filters.difference_of_gaussians.
 */
#ifndef KERNELS_FILTERS_DOG_H
#define KERNELS_FILTERS_DOG_H

#include "kernels/gaussian/blurs.h"

typedef struct dog_args {
  gaussian_args blur; /* first: the parameters of blurs find theirs */
  fv_axes high_sigma;
} dog_args;

#ifdef __cplusplus
extern "C" {
#endif

void dog_terms (const dog_args *a, blurs_term terms[2]);
fv_status dog_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * The answer of Wiener's filter to a single pixel, on a grid that goes round: g = the inverse Fourier transform of conj (H) / (|H|^2 + balance
 * |L|^2), with H that of a point spread function, whose middle, size / 2 rounded down, is the first pixel. L is that of the Laplacian: the sum over
 * the axes of 2 - 2 cos (2 pi k / n). Nothing where both are 0. Reference: skimage.restoration.wiener with its own reg, of an image of one pixel.
 */
#ifndef KERNELS_CONVOLVE_WIENER_H
#define KERNELS_CONVOLVE_WIENER_H

#include "kernels/common/common.h"

typedef struct wiener_job {
  int64_t n[3]; /* of the grid */
  int64_t m[3]; /* of the function */
  const double *psf;
  double balance;
} wiener_job;

/* In host memory of wiener_numbers() doubles, at the first of which the answer begins. */
int64_t wiener_numbers (const int64_t n[3]);
void wiener_answer (const wiener_job *job, double *memory);

#endif

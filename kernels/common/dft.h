/* SPDX-License-Identifier: MIT
 *
 * The Fourier transform of planes and volumes of any size, in double, with frequencies in their order: sums of x(k) exp (-2 pi i j k / n) along each axis. With
 * real and imaginary parts exchanged it goes the other way, without the division by the number of all.
 */
#ifndef KERNELS_COMMON_DFT_H
#define KERNELS_COMMON_DFT_H

#include "kernels/common/common.h"

/* In place, by so many threads at most; memory: dft_numbers() doubles. */
int64_t dft_numbers (const int64_t n[3], int64_t threads);
void dft (const int64_t n[3], int64_t threads, double *re, double *im, double *memory);

#endif

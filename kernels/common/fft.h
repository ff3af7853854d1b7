/* SPDX-License-Identifier: MIT
 *
 * Fourier transforms of many lines at a time, one in each lane of a vector, in place. Lengths are powers of two from 4 on. Frequencies have
 * an order of their own, which forward() makes and inverse() expects. Multiply them only by others in the same order. So inverse (forward (x))
 * is the length times x.
 */
#ifndef KERNELS_COMMON_FFT_H
#define KERNELS_COMMON_FFT_H

#include "kernels/common/common.h"

enum { FFT_VECTOR = 64 }; /* bytes of the lanes together */

/* For float or double: memory is of that type. */
typedef struct fft {
  /* Lanes are at re[k * stride], im[k * stride] for k = 0 ... n - 1. waves: fft_waves(). */
  void (*forward) (void *re, void *im, int64_t stride, int64_t n, const void *waves);
  void (*inverse) (void *re, void *im, int64_t stride, int64_t n, const void *waves);
  /* Row x, column y of `to` is row y, column x of `from`; rows and columns of `from` are multiples of 4. */
  void (*transpose) (void *to, int64_t to_pitch, const void *from, int64_t from_pitch, int64_t rows, int64_t columns);
  /* to = a b, or to += a b, of n complex numbers: n real parts, then n imaginary ones. */
  void (*multiply) (void *to, const void *a, const void *b, int64_t n, bool add);
} fft;

/* The one for FV_F32 or FV_F64, with vectors as this processor has them. */
const fft *fft_of (fv_type type);
/* That with vectors of at most so many bytes: 16, 32 or 64. */
const fft *fft_with (fv_type type, int most);

/* Fills waves[2 n] of the type: cosines, then sines, of 2 pi k / n. */
void fft_waves (void *waves, fv_type type, int64_t n);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Tiles of pixels and their Fourier transforms. Two tiles are transformed at once, one as the real and one as the imaginary part of
 * complex numbers: the kernel is real, so that each comes back as what it was.
 */
#ifndef KERNELS_CONVOLVE_CONVOLVE_SPECTRA_H
#define KERNELS_CONVOLVE_CONVOLVE_SPECTRA_H

#include "kernels/common/fft.h"

typedef struct spectra {
  const fft *fft;
  fv_type type;
  int64_t bytes, lanes;         /* of a number; in a vector */
  int64_t rows, columns, pitch; /* of a tile: powers of two, multiples of `lanes` */
  void *row_waves, *column_waves;
  void *kernel; /* [depth][spectra_size()] */
} spectra;

/* Numbers in the transform of a pair of tiles, or of a plane of the kernel; a block is that of `lanes` rows of them. */
int64_t spectra_size (const spectra *s);
int64_t spectra_block (const spectra *s);

/* Down the columns, in place. */
void spectra_down (const spectra *s, void *re, void *im);
void spectra_up (const spectra *s, void *re, void *im);
/* Along the rows, from rows block * lanes ... of the tiles to a block, and back; the block is lost then. */
void spectra_in (const spectra *s, void *to, const void *re, const void *im, int64_t block);
void spectra_out (const spectra *s, void *re, void *im, void *from, int64_t block);

/* The transform of a plane of a kernel as convolve_kernel has it; in tiles re and im. */
void spectra_of_kernel (const spectra *s, void *to, const double *w, int64_t m, int64_t n, void *re, void *im);

#endif

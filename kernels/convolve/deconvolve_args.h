/* SPDX-License-Identifier: MIT
 *
 * The arguments of deconvolve, and the point spread function that they mean.
 */
#ifndef KERNELS_CONVOLVE_DECONVOLVE_ARGS_H
#define KERNELS_CONVOLVE_DECONVOLVE_ARGS_H

#include "kernels/convolve/convolve_args.h"

typedef enum deconvolve_method { DECONVOLVE_RICHARDSON_LUCY, DECONVOLVE_WIENER } deconvolve_method;

/* The first are those of convolve. */
typedef enum deconvolve_shape {
  DECONVOLVE_MATRIX = CONVOLVE_MATRIX,
  DECONVOLVE_IMAGE = CONVOLVE_IMAGE,
  DECONVOLVE_GAUSSIAN = CONVOLVE_GAUSSIAN,
  DECONVOLVE_AIRY
} deconvolve_shape;

typedef struct deconvolve_args {
  int32_t method; /* deconvolve_method */
  int32_t shape;  /* deconvolve_shape */
  fv_matrix matrix;
  double sigma;
  double na, wavelength; /* of DECONVOLVE_AIRY, in nm */
  double balance;
  int32_t iterations, boundary, output; /* convolve_boundary, convolve_output */
  bool volume;
} deconvolve_args;

#ifdef __cplusplus
extern "C" {
#endif

/* The point spread function as an argument of convolve, or with all its values turned; image: says how large pixels are. */
convolve_args deconvolve_psf (const deconvolve_args *args, const fv_grid *image, bool turned);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * The arguments of convolve, and what both devices derive from them.
 */
#ifndef KERNELS_CONVOLVE_CONVOLVE_ARGS_H
#define KERNELS_CONVOLVE_CONVOLVE_ARGS_H

#include "kernels/convolve/airy.h"

typedef enum convolve_shape {
  CONVOLVE_MATRIX,
  CONVOLVE_IMAGE,
  CONVOLVE_GAUSSIAN,
  CONVOLVE_MEAN,
  CONVOLVE_LAPLACIAN,
  CONVOLVE_SOBEL_X,
  CONVOLVE_SOBEL_Y,
  CONVOLVE_EMBOSS,
  CONVOLVE_AIRY, /* no choice of convolve, but what deconvolve asks it for */
} convolve_shape;
typedef enum convolve_mode { CONVOLVE_SAME, CONVOLVE_FULL, CONVOLVE_VALID } convolve_mode;
typedef enum convolve_boundary { CONVOLVE_NEAREST, CONVOLVE_FILL, CONVOLVE_WRAP, CONVOLVE_SYMM } convolve_boundary;
typedef enum convolve_output { CONVOLVE_FLOAT, CONVOLVE_LIKE } convolve_output;

enum { CONVOLVE_CHUNK = 16, CONVOLVE_MOST_IN_SPECTRUM = 1 << 24 /* pixels */ };

typedef enum convolve_way {
  CONVOLVE_DIRECT,  /* each value of the kernel with each pixel */
  CONVOLVE_BY_AXES, /* one axis after another: separable kernels */
  CONVOLVE_BY_FFT,
} convolve_way;

typedef struct convolve_args {
  int32_t shape;
  fv_matrix matrix;
  double sigma;
  int32_t size;
  bool normalize;
  int32_t mode;
  int32_t boundary;
  double value; /* outside, with CONVOLVE_FILL */
  int32_t output;
  bool volume;
  airy_disk airy; /* with CONVOLVE_AIRY */
} convolve_args;

/* Float, or double where float would lose digits of the input. */
static inline fv_type
convolve_working_type (const fv_grid *in)
{
  return in->type == FV_I32 || in->type == FV_F64 ? FV_F64 : FV_F32;
}

static inline border
convolve_border (const convolve_args *a)
{
  static const border borders[] = {BORDER_NEAREST, BORDER_CONSTANT, BORDER_WRAP, BORDER_REFLECT};
  return borders[a->boundary];
}

/* Output pixel i is the sum over k of w(k) in(i + start + k): where this is along an axis with a kernel of n values. */
static inline int64_t
convolve_start (const convolve_args *a, int64_t n)
{
  return a->mode == CONVOLVE_FULL ? 1 - n : a->mode == CONVOLVE_SAME ? -(n / 2) : 0;
}

#endif

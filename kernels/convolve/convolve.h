/* SPDX-License-Identifier: MIT
 *
 * convolve: out(i) = sum over k of kernel(k) in(i - k) along both axes, or all three. The kernel begins at 0; with mode full the
 * result has all i where kernel and image meet, N + M - 1 of them for N pixels and M values of the kernel, with valid those N - M + 1
 * where the kernel lies inside, with same the N from (M - 1) / 2 of full on.
 * Which way it goes, directly, axis after axis or by Fourier transforms, depends on the kernel alone: see
 * convolve_way_of(). But for Fourier transforms, which round as their tiles lie, a pixel has the same bits wherever it is computed: a sum
 * goes plane by plane through the kernel, in each through chunks of CONVOLVE_CHUNK x CONVOLVE_CHUNK values, row by row of these, and in a
 * chunk column by column, with fma. In float the sum of a chunk is made by itself and then added, so that rounding does not add up.
 * Border: as the argument says. NaN and infinities reach as far as the kernel, its zeros too, in whichever way it is computed.
 * Reference: scipy.signal.convolve2d; for volumes scipy.signal.convolve.
 */
#ifndef KERNELS_CONVOLVE_CONVOLVE_H
#define KERNELS_CONVOLVE_CONVOLVE_H

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

/* ---- The kernel ---- */

typedef struct convolve_kernel {
  int64_t n[3];
  double *w;      /* [n[0]][n[1]][n[2]], mirrored: see convolve_start() */
  bool separable; /* w(z, y, x) = lines[0](z) lines[1](y) lines[2](x), within the rounding of the working type */
  double *lines[3];
} convolve_kernel;

#ifdef __cplusplus
extern "C" {
#endif

/* Its size along each axis. `image`: what the kernel image is, or NULL. */
void convolve_kernel_size (const convolve_args *a, const fv_grid *image, int64_t n[3]);

/* The way for a kernel of n values: the same for any image, part of an image and device. */
convolve_way convolve_way_of (const int64_t n[3], bool separable);

/* In scratch `memory` of convolve_kernel_values() doubles. pixels: those of the kernel image in host memory, laid out as it says,
 * or NULL. Fails when a value is not finite. */
int64_t convolve_kernel_values (const int64_t n[3]);
fv_status convolve_kernel_make (convolve_kernel *kernel, const convolve_args *a, const fv_array *image,
                                const void *pixels, fv_type working, double *memory, fv_error *error);

fv_status convolve_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * sobel: g(x) = d(x) s(y), with the difference d = in(x + 1) - in(x - 1) and s = (1 2 1) along the other axes; likewise g(y) and, in a volume, g(z).
 * - skimage: g / 4 for each other axis, the magnitude is sqrt (the mean of g squared).
 * - scipy: g as it is, sqrt (the sum of g squared).
 * - imagej: scipy's magnitude in the type of the input, integers rounded down and clamped, with the edge pixel repeated outside, plane by plane.
 *   Border: as the argument says. NaN: every neighborhood that contains one gives NaN.
 * Reference: skimage.filters.sobel; scipy.ndimage.sobel and generic_gradient_magnitude; ImageJ's Find Edges.
 */
#ifndef KERNELS_FILTERS_SOBEL_H
#define KERNELS_FILTERS_SOBEL_H

#include "kernels/filters/stencil.h"

typedef enum sobel_direction { SOBEL_ALL, SOBEL_X, SOBEL_Y, SOBEL_Z } sobel_direction;
typedef enum sobel_method { SOBEL_SKIMAGE, SOBEL_SCIPY, SOBEL_IMAGEJ } sobel_method;
typedef enum sobel_output { SOBEL_FLOAT, SOBEL_SAME } sobel_output;

typedef struct sobel_args {
  stencil_args around; /* first: the parameters of stencils find theirs */
  int32_t direction, method, output;
} sobel_args;

typedef struct sobel_rule {
  sobel_direction direction;
  bool volume;
  double scale;
  bool down; /* rounded down */
} sobel_rule;

/* What ImageJ's has no choice about. */
INLINE stencil_args
sobel_around (const sobel_args *a)
{
  stencil_args nearest = {BORDER_NEAREST, 0, false};
  return a->method == SOBEL_IMAGEJ ? nearest : a->around;
}

INLINE sobel_rule
sobel_make_rule (const sobel_args *a, fv_type type)
{
  bool volume = sobel_around (a).volume;
  sobel_rule r = {a->method == SOBEL_IMAGEJ ? SOBEL_ALL : (sobel_direction) a->direction, volume, 1, false};
  r.down = a->method == SOBEL_IMAGEJ && (type & FV_INTEGERS);
  if (a->method == SOBEL_SKIMAGE)
    r.scale = (volume ? 1 / 16. : 1 / 4.) / (r.direction == SOBEL_ALL ? sqrt (volume ? 3. : 2.) : 1);
  return r;
}

/* Doubles, too, where a square that floats round could be rounded down. */
INLINE fv_type
sobel_working_type (const sobel_args *a, fv_type type)
{
  return a->method == SOBEL_IMAGEJ && type == FV_U16 ? FV_F64 : stencil_working_type (type);
}

/* V (z, y, x): the pixel at that offset, each -1 ... 1. D (a, b): a difference there. */
#define SOBEL_SMOOTH(D, ...) (D (-1, __VA_ARGS__) + 2 * D (0, __VA_ARGS__) + D (1, __VA_ARGS__))
#define SOBEL_DX(Y, Z, V) (V (Z, Y, 1) - V (Z, Y, -1))
#define SOBEL_DY(X, Z, V) (V (Z, 1, X) - V (Z, -1, X))
#define SOBEL_DZ(X, Y, V) (V (1, Y, X) - V (-1, Y, X))
#define SOBEL_GX(Z, V) SOBEL_SMOOTH (SOBEL_DX, Z, V)
#define SOBEL_GY(Z, V) SOBEL_SMOOTH (SOBEL_DY, Z, V)
#define SOBEL_GZ(Y, V) SOBEL_SMOOTH (SOBEL_DZ, Y, V)
#define SOBEL_OVER(G, V) (G (-1, V) + 2 * G (0, V) + G (1, V))

#ifdef __cplusplus
extern "C" {
#endif

fv_status sobel_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

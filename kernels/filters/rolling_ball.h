/* SPDX-License-Identifier: MIT
 *
 * rolling_ball: the background is what a ball reaches that rolls under the image taken as a landscape; it is subtracted. With `exact` the
 * height of the ball's top over each pixel, min over o of in (p + o) + r - sqrt (r r - o o), as skimage.restoration.rolling_ball; with
 * `imagej` the surface of all balls, from an image shrunk by minima and a ball without its rim, as ImageJ's Subtract Background; `paraboloid`
 * is in paraboloid.h. `light`: the same with the image and the background negated. Integers are rounded to nearest and clamped; a light background then becomes the
 * greatest number of its type (8 and 16 bits). What lies outside does not count, nor does NaN; where a pixel is NaN the result is.
 * Reference: S. Sternberg, Biomedical image processing, IEEE Computer 16 (1983) 22.
 */
#ifndef KERNELS_FILTERS_ROLLING_BALL_H
#define KERNELS_FILTERS_ROLLING_BALL_H

#include "kernels/common/common.h"

typedef enum rolling_ball_method {
  ROLLING_BALL_IMAGEJ,
  ROLLING_BALL_EXACT,
  ROLLING_BALL_PARABOLOID
} rolling_ball_method;

typedef struct rolling_ball_args {
  double radius;
  bool light;
  int32_t method; /* rolling_ball_method */
  bool smooth;
} rolling_ball_args;

/* What is done to a plane. */
typedef struct rolling_ball_plan {
  bool light, smooth, whole; /* whole: the surface of the balls, not their tops */
  int32_t shrink,
    reach; /* pixels of the image to one of the shrunk one, along each axis; of that to the edge of the ball */
  int64_t rows, columns; /* of the shrunk image */
} rolling_ball_plan;

/* Rows of the shrunk image have 2 reach numbers before and behind them, and what lies under it reaches around it: places of pixel (0, 0). */
INLINE int64_t
rolling_ball_pitch (const rolling_ball_plan *p)
{
  return p->columns + 4 * (int64_t) p->reach;
}

INLINE int64_t
rolling_ball_under_pitch (const rolling_ball_plan *p)
{
  return p->columns + 2 * (int64_t) p->reach;
}

/* Between which two of n numbers, i and i + 1 where there are two, position x of the image lies, and how far from the first. */
INLINE int64_t
rolling_ball_between (int64_t x, int32_t shrink, int64_t n, double *part)
{
  int64_t i = (x > shrink / 2 ? x - shrink / 2 : 0) / shrink;
  i = i < n - 1 ? i : n - 2;
  i = i > 0 ? i : 0;
  *part = n > 1 ? ((double) x + 0.5) / shrink - ((double) i + 0.5) : 0;
  return i;
}

/* What is added to a light image whose background is subtracted. */
INLINE double
rolling_ball_white (bool light, fv_type type)
{
  return !light ? 0 : type == FV_U8 ? 255 : type == FV_U16 ? 65535 : 0;
}

#ifdef __cplusplus
extern "C" {
#endif

rolling_ball_plan rolling_ball_make (const rolling_ball_args *a, int64_t rows, int64_t columns);

/* (2 reach + 1)^2 heights; -infinity: not of the ball. */
void rolling_ball_heights (const rolling_ball_args *a, const rolling_ball_plan *p, double *heights);

fv_status rolling_ball_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * The arguments of rolling_ball, and what both devices derive from them.
 */
#ifndef KERNELS_FILTERS_ROLLING_BALL_ARGS_H
#define KERNELS_FILTERS_ROLLING_BALL_ARGS_H

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
  bool light, smooth, whole; /* whole: the surface of the balls, not their tops; */
  bool single;               /* as ImageJ, in float: doubles hold such numbers */
  int32_t shrink,
    reach; /* pixels of the image to one of the shrunk one, along each axis; of that to the edge of the ball */
  int64_t rows, columns; /* of the shrunk image */
} rolling_ball_plan;

/* Rows of the shrunk image have 2 reach numbers before and behind them, and what lies under it reaches around it: offsets of pixel (0, 0). */
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

/* The number, or what a float holds of it. A minimum of sums is rounded as the sums are. */
INLINE double
rolling_ball_rounded (bool single, double v)
{
  return single ? (double) (float) v : v;
}

/* The mean of three numbers of a line. */
INLINE float
rolling_ball_third (double a, double b, double c)
{
  return ((float) a + (float) b + (float) c) * 0.33333333f;
}

/* Between numbers i and i + 1 of the shrunk image at position x of the image, where there are two; n: of the shrunk image. */
INLINE float
rolling_ball_mix (double a, double b, int64_t x, int64_t i, int32_t shrink, int64_t n)
{
  const float weight = n > 1 ? 1.f - (((float) x + 0.5f) / (float) shrink - ((float) i + 0.5f)) : 1.f;
  return (float) a * weight + (float) b * (1.f - weight);
}

/* What is left of a pixel, in float; of 8 and 16 bits an integer. */
INLINE double
rolling_ball_left (double pixel, double background, bool light, fv_type type)
{
  const float left = (float) pixel - (float) background, most = type == FV_U8 ? 255 : 65535;
  if (type & FV_FLOATS)
    return left;
  const float rounded = left + (light ? most + 0.5f : 0.5f);
  return rounded > most ? most : rounded < 0 ? 0 : floorf (rounded);
}

/* What is added to a light image whose background is subtracted. */
INLINE double
rolling_ball_white (bool light, fv_type type)
{
  return !light ? 0 : type == FV_U8 ? 255 : type == FV_U16 ? 65535 : 0;
}

#endif

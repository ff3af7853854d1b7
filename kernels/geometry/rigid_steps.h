/* SPDX-License-Identifier: MIT
 *
 * What is done at each pixel to refine how an image is turned and moved: for the CPU and the GPU alike, with levels of the pyramid in float and
 * everything else in double. Positions count from the middle of the image, in its own pixels at any level.
 */
#ifndef KERNELS_GEOMETRY_RIGID_STEPS_H
#define KERNELS_GEOMETRY_RIGID_STEPS_H

#include "kernels/common/common.h"

enum {
  RIGID_UNKNOWNS = 5, /* angle, x, y, a, b */
  RIGID_PRODUCTS = RIGID_UNKNOWNS * (RIGID_UNKNOWNS + 1) / 2 + RIGID_UNKNOWNS,
  RIGID_SUMS = RIGID_PRODUCTS + 2, /* and those of weights and of what is left */
};

/* angle: in radians. */
typedef struct rigid_pose {
  double angle, x, y;
} rigid_pose;

typedef struct rigid_level {
  int64_t rows, columns, start; /* start: its first number, of an image's pyramid */
  double scale, middle[2];      /* pixels of the image in one; the middle of the image, x and y */
} rigid_level;

/* Where a pose takes a level, and how what is found there is compared. */
typedef struct rigid_step {
  rigid_level level;
  double c, s, x, y, a, b;
  double per_scale, per_spread; /* inverted */
} rigid_step;

/* spread: what differs by far more, such as what came in at an edge, has next to no weight. */
static inline rigid_step
rigid_step_of (const rigid_level *l, rigid_pose pose, double a, double b, double spread)
{
  rigid_step s = {*l, cos (pose.angle), sin (pose.angle), pose.x, pose.y, a, b, 1 / l->scale, 1 / spread};
  return s;
}

/* ---- Pixels ---- */

/* A pixel becomes (v - mean) scale; scale is 0 when there is nothing to see. */
typedef struct rigid_light {
  double mean, scale;
} rigid_light;

/* squares: of what differs from the mean. */
INLINE rigid_light
rigid_light_of (double count, double mean, double squares)
{
  const double deviation = count > 0 ? sqrt (squares / count) : 0;
  const rigid_light light = {mean, deviation > 1e-7 * fabs (mean) && deviation < 1e300 ? 1 / deviation : 0};
  return light;
}

/* 0 without a pixel. */
INLINE float
rigid_pixel (double v, rigid_light light)
{
  return isfinite (v) ? (float) ((v - light.mean) * light.scale) : 0;
}

/* A pixel of half the size; `columns` of the larger one. */
INLINE float
rigid_half (const float *from, int64_t columns, int64_t x, int64_t y)
{
  const float *a = from + 2 * y * columns + 2 * x, *b = a + columns;
  return 0.25f * ((a[0] + a[1]) + (b[0] + b[1]));
}

/* ---- Between pixels ---- */

/* Weights of four pixels for a position t behind the second one, and their slopes. */
INLINE void
rigid_spline (double t, double weight[4], double slope[4])
{
  weight[0] = t * (-0.5 + t * (1 - 0.5 * t));
  weight[1] = 1 + t * t * (-2.5 + 1.5 * t);
  weight[2] = t * (0.5 + t * (2 - 1.5 * t));
  weight[3] = t * t * (-0.5 + 0.5 * t);
  slope[0] = -0.5 + t * (2 - 1.5 * t);
  slope[1] = t * (-5 + 4.5 * t);
  slope[2] = 0.5 + t * (4 - 4.5 * t);
  slope[3] = t * (-1 + 1.5 * t);
}

typedef struct rigid_sample {
  double value, dx, dy;
} rigid_sample;

/* False: not all pixels that it takes are there. */
INLINE bool
rigid_sample_at (const float *image, int64_t rows, int64_t columns, double x, double y, rigid_sample *s)
{
  const double fx = floor (x), fy = floor (y);
  double wx[4], wy[4], sx[4], sy[4];
  if (!(fx >= 1 && fy >= 1 && fx < (double) (columns - 2) && fy < (double) (rows - 2)))
    return false;
  const float *at = image + ((int64_t) fy - 1) * columns + (int64_t) fx - 1;
  rigid_spline (x - fx, wx, sx);
  rigid_spline (y - fy, wy, sy);
  s->value = s->dx = s->dy = 0;
  for (int j = 0; j < 4; j++, at += columns) {
    const double p[4] = {(double) at[0], (double) at[1], (double) at[2], (double) at[3]},
                 value = wx[0] * p[0] + wx[1] * p[1] + wx[2] * p[2] + wx[3] * p[3];
    s->value += wy[j] * value;
    s->dy += sy[j] * value;
    s->dx += wy[j] * (sx[0] * p[0] + sx[1] * p[1] + sx[2] * p[2] + sx[3] * p[3]);
  }
  return true;
}

/* Where pixel x, y of the fixed image is in the moving one, both of the level; from_middle: that position, from the middle of the image. */
INLINE void
rigid_position (const rigid_step *t, int64_t x, int64_t y, double from_middle[2], double position[2])
{
  const rigid_level *l = &t->level;
  const double across = ((double) x - l->middle[0]) * l->scale - t->x,
               down = ((double) y - l->middle[1]) * l->scale - t->y;
  from_middle[0] = t->c * across + t->s * down;
  from_middle[1] = t->c * down - t->s * across;
  position[0] = from_middle[0] * t->per_scale + l->middle[0];
  position[1] = from_middle[1] * t->per_scale + l->middle[1];
}

/* ---- A step of Gauss and Newton ---- */

/* What pixel x, y adds to the sums: for each unknown its products with those from itself on and with what is left; at last weights and squares. */
INLINE void
rigid_add (const rigid_step *t, const float *fixed, const float *moving, int64_t x, int64_t y, double sums[RIGID_SUMS])
{
  double q[2], position[2];
  rigid_sample m;
  rigid_position (t, x, y, q, position);
  if (!rigid_sample_at (moving, t->level.rows, t->level.columns, position[0], position[1], &m))
    return;
  const double gx = t->a * m.dx * t->per_scale, gy = t->a * m.dy * t->per_scale,
               by[RIGID_UNKNOWNS] = {gx * q[1] - gy * q[0], gy * t->s - gx * t->c, -gx * t->s - gy * t->c, m.value, 1},
               rest = (double) fixed[y * t->level.columns + x] - t->a * m.value - t->b, far = rest * t->per_spread,
               root = 1 / (1 + far * far), weight = root * root;
  double *to = sums;
  for (int i = 0; i < RIGID_UNKNOWNS; i++) {
    const double weighed = weight * by[i];
    for (int j = i; j < RIGID_UNKNOWNS; j++)
      *to++ += weighed * by[j];
    *to++ += weighed * rest;
  }
  to[0] += weight;
  to[1] += weight * rest * rest;
}

#endif

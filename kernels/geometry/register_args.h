/* SPDX-License-Identifier: MIT
 *
 * The arguments of register, and formulas that both devices share.
 */
#ifndef KERNELS_GEOMETRY_REGISTER_ARGS_H
#define KERNELS_GEOMETRY_REGISTER_ARGS_H

#include "kernels/common/common.h"

typedef enum register_to { REGISTER_FIRST, REGISTER_PREVIOUS } register_to;
typedef enum register_axis { REGISTER_FRAMES, REGISTER_SLICES } register_axis;
typedef enum register_method { REGISTER_PHASE, REGISTER_CORRELATION } register_method;

typedef enum register_transform { REGISTER_TRANSLATION, REGISTER_RIGID } register_transform;

typedef struct register_args {
  int32_t transform; /* register_transform */
  int32_t to, axis, method;
  int32_t channel;
  int32_t upsample; /* points between two pixels */
  bool window;
  int32_t interpolation, border;
  double value;
} register_args;

enum { REGISTER_MOVES = 3 }; /* numbers of a rigid transformation: x, y, and degrees */

enum { REGISTER_LEAST = 16, REGISTER_MOST = 4096, REGISTER_SIDE = 5, REGISTER_SAMPLES = REGISTER_SIDE * REGISTER_SIDE };

/* A pixel becomes (v - mean) times scale, which is 0 when there is nothing to see. */
typedef struct register_scale {
  double mean, scale;
} register_scale;

INLINE register_scale
register_scale_of (double count, double sum, double squares)
{
  double mean = count > 0 ? sum / count : 0, deviation = count > 0 ? sqrt (squares / count - mean * mean) : 0;
  register_scale s = {mean, 1 / deviation};
  if (!(deviation > 1e-7 * fabs (mean) && deviation > 1e-300 && deviation < 1e300))
    s.mean = s.scale = 0;
  return s;
}

/* What counts as nothing in a transform of n pixels with variance 1. */
static inline double
register_floor (fv_type type, double n)
{
  return (type == FV_F64 || type == FV_I32 ? 1e-14 : 1e-6) * sqrt (n);
}

/* Frequency k of n as it is turned by, -n/2 < k < n/2. */
INLINE double
register_frequency (int64_t k, int64_t n)
{
  return (double) (k < n / 2 ? k : k - n);
}

/* The best of 5 x 5 points `apart` from each other about (*x, *y), refined by parabolas when it is the last time. */
INLINE void
register_choose (const double *values, double apart, bool last, double *x, double *y)
{
  int best = REGISTER_SAMPLES / 2;
  for (int i = 0; i < REGISTER_SAMPLES; i++)
    if (values[i] > values[best])
      best = i;
  const int at[2] = {best % REGISTER_SIDE, best / REGISTER_SIDE}, steps[2] = {1, REGISTER_SIDE};
  double moved[2];
  for (int axis = 0; axis < 2; axis++) {
    double more = 0;
    if (last && at[axis] > 0 && at[axis] < REGISTER_SIDE - 1) {
      const double before = values[best - steps[axis]], after = values[best + steps[axis]],
                   bend = before - 2 * values[best] + after;
      more = bend < 0 ? (before - after) / (2 * bend) : 0;
    }
    moved[axis] = (at[axis] - REGISTER_SIDE / 2 + more) * apart;
  }
  *x += moved[0];
  *y += moved[1];
}

/* A whole index as a distance. */
INLINE double
register_distance (int64_t index, int64_t n)
{
  return (double) (index <= n / 2 ? index : index - n);
}

/* To a multiple of what is asked for. */
INLINE double
register_round (double v, int32_t upsample)
{
  return nearbyint (v * upsample) / upsample;
}

#endif

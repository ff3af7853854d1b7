/* SPDX-License-Identifier: MIT
 *
 * register: how far each frame, or slice, has to be moved to lie on the first one, on the one before or on a reference, and the image with
 * them so moved. Of both the middle is taken, at most 4096 x 4096 pixels, the sum of all slices; less its mean, over its standard deviation;
 * faded out towards its edges by sin^2; filled up with 0 to powers of two. Their Fourier transforms A and B are those of one complex image.
 * Where P = A conj (B), with method=phase P / |P|, correlates best is looked for among whole pixels, then thrice among 5 x 5 places, a quarter as far apart
 * each time, and at last by a parabola. Frequencies of which there is no more than rounding leaves count for nothing; so do pixels that are
 * not finite, and a frame without contrast is left where it is.
 * With transform=rigid it is turned, too, clockwise about its middle before it is moved (rigid.h), by all of the image.
 * References: C. D. Kuglin and D. C. Hines, The phase correlation image alignment method, Proc. IEEE Conf. Cybernetics and Society (1975);
 * M. Guizar-Sicairos et al., Efficient subpixel image registration algorithms, Opt. Lett. 33 (2008).
 */
#ifndef KERNELS_GEOMETRY_REGISTER_H
#define KERNELS_GEOMETRY_REGISTER_H

#include "kernels/geometry/affine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum register_to { REGISTER_FIRST, REGISTER_PREVIOUS } register_to;
typedef enum register_axis { REGISTER_FRAMES, REGISTER_SLICES } register_axis;
typedef enum register_method { REGISTER_PHASE, REGISTER_CORRELATION } register_method;

typedef enum register_transform { REGISTER_TRANSLATION, REGISTER_RIGID } register_transform;

typedef struct register_args {
  int32_t transform; /* register_transform */
  int32_t to, axis, method;
  int32_t channel;
  int32_t upsample; /* places between two pixels */
  bool window;
  int32_t interpolation, border;
  double value;
} register_args;

enum { REGISTER_MOVES = 3 }; /* numbers of a rigid transformation: x, y, and degrees */

enum { REGISTER_LEAST = 16, REGISTER_MOST = 4096, REGISTER_SIDE = 5, REGISTER_PLACES = REGISTER_SIDE * REGISTER_SIDE };

/* What is seen of the inputs. */
typedef struct register_plan {
  int64_t count;                        /* frames or slices */
  int64_t step;                         /* planes from one to the next */
  int64_t depth;                        /* planes that are added up */
  int64_t start[2], size[2], length[2]; /* rows, columns: of a plane, and of a transform */
} register_plan;

/* Planes that are added up, from `plane` on. */
typedef struct register_view {
  const fv_array *array;
  int64_t plane, depth;
} register_view;

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

/* The best of 5 x 5 places `apart` from each other about (*x, *y), refined by parabolas when it is the last time. */
INLINE void
register_choose (const double *values, double apart, bool last, double *x, double *y)
{
  int best = REGISTER_PLACES / 2;
  for (int i = 0; i < REGISTER_PLACES; i++)
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

/* Index of a whole place as a distance. */
INLINE double
register_distance (int64_t place, int64_t n)
{
  return (double) (place <= n / 2 ? place : place - n);
}

/* To a multiple of what is asked for. */
INLINE double
register_round (double v, int32_t upsample)
{
  return nearbyint (v * upsample) / upsample;
}

/* Of a call; checked before. */
register_plan register_plan_of (const register_args *args, const fv_grid *in);
/* The two that pair k, from 0 on, is about; the shift that it finds is that of number register_first() + k. */
void register_pair (const fv_call *call, const register_plan *plan, int64_t k, register_view pair[2]);
int64_t register_first (const fv_call *call);
affine_rule register_rule (const fv_call *call, const register_plan *plan);
/* The table: x and y of each in turn, and with transform=rigid the angle. */
fv_status register_table (const fv_call *call, const register_plan *plan, const double *shifts, fv_error *error);
fv_status register_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

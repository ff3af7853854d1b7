/* SPDX-License-Identifier: MIT
 *
 * rotate: each plane turned clockwise by an angle about its centre, then moved by (x, y) pixels: out(q) = f (R' (q - c' - (x, y)) + c) with
 * the centres c and c' of image and result, where f is the nearest pixel, or a weighted sum of the 2 x 2 (linear) or 4 x 4 (cubic: the
 * spline of Catmull and Rom) around the place. Computed in double, step by step in the same way on all devices. NaN spreads to what is
 * interpolated from it.
 * Reference: R. Keys, Cubic convolution interpolation for digital image processing, IEEE Trans. ASSP 29 (1981).
 */
#ifndef KERNELS_GEOMETRY_ROTATE_H
#define KERNELS_GEOMETRY_ROTATE_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rotate_interpolation { ROTATE_NEAREST, ROTATE_LINEAR, ROTATE_CUBIC } rotate_interpolation;

typedef struct rotate_args {
  double angle;          /* degrees */
  double x, y;           /* pixels */
  int32_t interpolation; /* rotate_interpolation */
  bool enlarge;
  int32_t border;
  double value; /* outside, with the border constant */
} rotate_args;

/* Where pixels of the result come from: column u = cos x + sin y + at[0] of the image, row v = -sin x + cos y + at[1]. */
typedef struct rotate_map {
  double cos, sin, at[2];
  int32_t count; /* pixels along each axis that make one: 1, 2 or 4 */
  border border;
} rotate_map;

/* The pixels along an axis that are summed, from `first` on. */
typedef struct rotate_taps {
  int64_t first;
  int32_t count;
  double weight[4];
} rotate_taps;

/* A product that is rounded before something is added to it. */
INLINE double
rotate_times (double a, double b)
{
#ifdef __CUDA_ARCH__
  return __dmul_rn (a, b);
#else
  return a * b;
#endif
}

INLINE void
rotate_place (const rotate_map *m, int64_t x, int64_t y, double *u, double *v)
{
  double across = (double) x, down = (double) y;
  *u = rotate_times (m->cos, across) + rotate_times (m->sin, down) + m->at[0];
  *v = rotate_times (m->cos, down) - rotate_times (m->sin, across) + m->at[1];
}

/* A place on a pixel is that pixel alone. */
INLINE void
rotate_taps_at (double place, int32_t count, rotate_taps *taps)
{
  double low = floor (count == 1 ? place + 0.5 : place), t = place - low, s = 1 - t, *w = taps->weight;
  taps->first = (int64_t) low;
  taps->count = count == 1 || t == 0 ? 1 : count;
  if (taps->count == 1) {
    w[0] = 1;
  } else if (count == 2) {
    w[0] = s;
    w[1] = t;
  } else {
    taps->first--;
    w[0] = rotate_times (-0.5 * t, rotate_times (s, s));
    w[1] = rotate_times (rotate_times (t, t), rotate_times (1.5, t) - 2.5) + 1;
    w[2] = rotate_times (rotate_times (s, s), rotate_times (1.5, s) - 2.5) + 1;
    w[3] = rotate_times (-0.5 * s, rotate_times (t, t));
  }
}

/* Of a call; checked before. */
rotate_map rotate_map_of (const rotate_args *args, const fv_grid *in, const fv_grid *out);
fv_status rotate_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

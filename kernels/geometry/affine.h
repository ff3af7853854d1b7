/* SPDX-License-Identifier: MIT
 *
 * Planes sampled at the places that an affine map gives: the nearest pixel, or a weighted sum of the 2 x 2 (linear) or 4 x 4 (cubic: the
 * spline of Catmull and Rom) around the place. Computed in double, step by step in the same way on all devices, but for linear floats on the
 * GPU, which are summed in float and differ in the last digit (affine_tiles.cuh). NaN spreads to what is interpolated from it.
 * Reference: R. Keys, Cubic convolution interpolation for digital image processing, IEEE Trans. ASSP 29 (1981).
 */
#ifndef KERNELS_GEOMETRY_AFFINE_H
#define KERNELS_GEOMETRY_AFFINE_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum affine_interpolation { AFFINE_NEAREST, AFFINE_LINEAR, AFFINE_CUBIC } affine_interpolation;

#define AFFINE_INTERPOLATIONS                                                                                          \
  {"nearest", "None", "The nearest pixel."}, {"linear", "Bilinear", "Between the four around the place."},             \
  {                                                                                                                    \
    "cubic", "Bicubic", "Between the sixteen around it, by Catmull and Rom."                                           \
  }

/* The parameters that every operation of affine maps has last; ARGS: its argument struct. */
#define AFFINE_PARAMS(ARGS)                                                                                            \
  {FV_FIELD (ARGS, interpolation), .label = "Interpolation", .def = AFFINE_LINEAR,                                     \
   .choices = (const fv_choice[]){AFFINE_INTERPOLATIONS, {0}}, .help = "What stands between pixels."},                 \
    {FV_FIELD (ARGS, border), .label = "Border", .choices = (const fv_choice[]){BORDER_CHOICES, {0}},                  \
     .def = BORDER_CONSTANT, .help = "What stands outside the image."},                                                \
  {                                                                                                                    \
    FV_FIELD (ARGS, value), .label = "Value", .min = -INFINITY, .max = INFINITY, .soft_max = 255,                      \
                            .enabled = "border=constant", .help = "The constant, limited to what the type holds."      \
  }

extern const char affine_cite[];

/* Where pixels of the result come from: column xx x + xy y + at[0] of the image, row yx x + yy y + at[1]. */
typedef struct affine_map {
  double xx, xy, yx, yy, at[2];
} affine_map;

/* Plane p of the result is made by map (p / each) % maps. */
typedef struct affine_rule {
  int32_t count; /* pixels along each axis that make one: 1, 2 or 4 */
  border border;
  double value;
  int64_t each, maps;
} affine_rule;

/* The pixels along an axis that are summed, from `first` on. */
typedef struct affine_taps {
  int64_t first;
  int32_t count;
  double weight[4];
} affine_taps;

/* A product that is rounded before something is added to it. */
INLINE double
affine_times (double a, double b)
{
#ifdef __CUDA_ARCH__
  return __dmul_rn (a, b);
#else
  return a * b;
#endif
}

INLINE void
affine_place (const affine_map *m, int64_t x, int64_t y, double *u, double *v)
{
  double across = (double) x, down = (double) y;
  *u = affine_times (m->xx, across) + affine_times (m->xy, down) + m->at[0];
  *v = affine_times (m->yy, down) + affine_times (m->yx, across) + m->at[1];
}

/* A place on a pixel is that pixel alone. */
INLINE void
affine_taps_at (double place, int32_t count, affine_taps *taps)
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
    w[0] = affine_times (-0.5 * t, affine_times (s, s));
    w[1] = affine_times (affine_times (t, t), affine_times (1.5, t) - 2.5) + 1;
    w[2] = affine_times (affine_times (s, s), affine_times (1.5, s) - 2.5) + 1;
    w[3] = affine_times (-0.5 * s, affine_times (t, t));
  }
}

static inline int32_t
affine_count (int32_t interpolation)
{
  return interpolation == AFFINE_NEAREST ? 1 : interpolation == AFFINE_LINEAR ? 2 : 4;
}

/* About how many products and sums a pixel of the result takes. */
static inline double
affine_arithmetic (int32_t interpolation)
{
  return interpolation == AFFINE_NEAREST ? 10 : interpolation == AFFINE_LINEAR ? 25 : 70;
}

/* Cosine and sine, exact at right angles. */
void affine_directions (double degrees, double *cosine, double *sine);
/* Refuses to mix the numbers of objects, and says what the result is. */
fv_status affine_infer (const fv_grid *in, fv_grid *out, int32_t interpolation, border outside, double value,
                        fv_error *error);
/* Makes the first output of the first input. maps: rule->maps of them. */
fv_status affine_cpu (const fv_call *call, const affine_map *maps, const affine_rule *rule, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

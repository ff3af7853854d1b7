/* SPDX-License-Identifier: MIT
 *
 * Planes sampled at the positions of an affine map. A sample is the nearest pixel, or a weighted sum of the 2 x 2 (linear) or 4 x 4 (cubic: the
 * spline of Catmull and Rom) around the position. Computed in double, step by step in the same way on all devices. NaN spreads to what is
 * interpolated from it.
 *
 * Linear floats are summed in float where a rule and affine_by_floats() say so. Only what is added to the upper left pixel is, so that floats round
 * the differences of its neighbors, and not what they have in common. Rows are taken in groups of AFFINE_SIDE; in each the first AFFINE_APART rows
 * have positions computed in double and rounded to 2^-32 pixels. Every AFFINE_APARTth row continues from them by steps with exact sums: after 16 of
 * them a position is off by 2^-28 at most. A position nearer to a column or row of pixels than AFFINE_NEAR of these units, where the side matters, is
 * computed in double after all. So is a result that is not finite. Reference: R. Keys, Cubic convolution interpolation for digital image processing,
 * IEEE Trans. ASSP 29 (1981).
 */
#ifndef KERNELS_GEOMETRY_AFFINE_H
#define KERNELS_GEOMETRY_AFFINE_H

#include "kernels/common/common.h"

#include <float.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum affine_interpolation { AFFINE_NEAREST, AFFINE_LINEAR, AFFINE_CUBIC } affine_interpolation;

#define AFFINE_INTERPOLATIONS                                                                                          \
  {"nearest", "None", "The nearest pixel."}, {"linear", "Bilinear", "Between the four around the position."},          \
  {                                                                                                                    \
    "cubic", "Bicubic", "Between the sixteen around it, by Catmull and Rom."                                           \
  }

/* The parameters that every operation of affine maps has last; ARGS: its argument struct. */
#define AFFINE_PARAMS(ARGS)                                                                                            \
  {FV_FIELD (ARGS, interpolation), .label = "Interpolation", .def = AFFINE_LINEAR,                                     \
   .choices = (const fv_choice[]){AFFINE_INTERPOLATIONS, {0}}, .help = "How values between pixels are computed."},     \
    {FV_FIELD (ARGS, border), .label = "Border", .choices = (const fv_choice[]){BORDER_CHOICES, {0}},                  \
     .def = BORDER_CONSTANT, .help = "Values outside the image."},                                                     \
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
  bool by_floats; /* linear floats may be summed in float */
} affine_rule;

enum { AFFINE_SIDE = 64, AFFINE_APART = 4, AFFINE_NEAR = 256, AFFINE_PIECE = 4 /* pixels that are copied together */ };
#define AFFINE_UNITS 4294967296. /* of a pixel */

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
affine_position (const affine_map *m, int64_t x, int64_t y, double *u, double *v)
{
  double across = (double) x, down = (double) y;
  *u = affine_times (m->xx, across) + affine_times (m->xy, down) + m->at[0];
  *v = affine_times (m->yy, down) + affine_times (m->yx, across) + m->at[1];
}

/* A position on a pixel is that pixel alone. */
INLINE void
affine_taps_at (double position, int32_t count, affine_taps *taps)
{
  double low = floor (count == 1 ? position + 0.5 : position), t = position - low, s = 1 - t, *w = taps->weight;
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

/* A position in units. */
INLINE int64_t
affine_units (double position)
{
  return llrint (position * AFFINE_UNITS);
}

/* Between four pixels; across, down: the units from the first to the position. */
INLINE float
affine_between (float first, float right, float below, float both, uint32_t across, uint32_t down)
{
  const float t = (float) across * (float) (1 / AFFINE_UNITS), s = (float) down * (float) (1 / AFFINE_UNITS);
  const float upper = t * (right - first), lower = fmaf (t, both - below, below - first);
  return first + fmaf (s, lower - upper, upper);
}

/* Whether a result in float is that. */
INLINE bool
affine_is_sure (float value, uint32_t across, uint32_t down)
{
  return (across + AFFINE_NEAR >= 2 * AFFINE_NEAR) & (down + AFFINE_NEAR >= 2 * AFFINE_NEAR)
         & (fabsf (value) <= FLT_MAX);
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
/* The map as the declaration has it. */
void affine_to_transform (const affine_map *map, fv_place *transform);
/* Whether linear floats are summed in float: not where positions lie on rows or columns of pixels, one by one, nor where tiles would reach
 * too far. */
bool affine_by_floats (const fv_array *in, const fv_array *out, const affine_map *map, const affine_rule *rule);
/* Makes the first output of the first input. maps: rule->maps of them. */
fv_status affine_cpu (const fv_call *call, const affine_map *maps, const affine_rule *rule, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

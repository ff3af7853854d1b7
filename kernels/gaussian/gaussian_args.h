/* SPDX-License-Identifier: MIT
 *
 * The arguments of gaussian, and what both devices derive from them.
 */
#ifndef KERNELS_GAUSSIAN_GAUSSIAN_ARGS_H
#define KERNELS_GAUSSIAN_GAUSSIAN_ARGS_H

#include "kernels/common/common.h"

typedef enum gaussian_units { GAUSSIAN_PIXEL, GAUSSIAN_PHYSICAL } gaussian_units;
typedef enum gaussian_output { GAUSSIAN_FLOAT, GAUSSIAN_SAME } gaussian_output;

typedef enum gaussian_method { GAUSSIAN_SAMPLED, GAUSSIAN_IMAGEJ } gaussian_method;

typedef struct gaussian_args {
  fv_axes sigma; /* z is used with volume only */
  int32_t units;
  double truncate;
  int32_t border;
  double value; /* outside, with BORDER_CONSTANT */
  int32_t output;
  bool volume;
  int32_t method;   /* gaussian_method */
  int32_t order[3]; /* of the derivative along each axis, 0 ... 2; no parameter, but for operations that use this one */
  double accuracy;  /* with GAUSSIAN_IMAGEJ, for such operations, too; 0: that of the type */
} gaussian_args;

#define GAUSSIAN_MAX_RADIUS 100000

/* Standard deviation in pixels along axis 0 (z), 1 (y) or 2 (x). */
static inline double
gaussian_sigma (const gaussian_args *a, const fv_grid *in, int axis)
{
  int at = a->sigma.n == 1 ? 0 : axis - 3 + a->sigma.n;
  if (at < 0 || (axis == 0 && !a->volume))
    return 0;
  return a->units == GAUSSIAN_PHYSICAL ? a->sigma.v[at] / in->spacing[axis] : a->sigma.v[at];
}

static inline int64_t
gaussian_radius (const gaussian_args *a, const fv_grid *in, int axis)
{
  double reach = a->truncate * gaussian_sigma (a, in, axis) + 0.5;
  return reach < GAUSSIAN_MAX_RADIUS + 1 ? (int64_t) reach : GAUSSIAN_MAX_RADIUS + 1;
}

/* Whether there is anything to do along z. */
static inline bool
gaussian_along_z (const gaussian_args *a, const fv_grid *in)
{
  return gaussian_radius (a, in, 0) > 0 || a->order[0];
}

enum { GAUSSIAN_FLOAT_RADIUS = 1000 }; /* longer sums of floats lose the sixth digit */

/* Float, or double where float would lose digits of the input or of the sums, as it does where these nearly cancel. */
static inline fv_type
gaussian_working_type (const gaussian_args *a, const fv_grid *in)
{
  bool wide = in->type == FV_I32 || in->type == FV_F64;
  for (int i = 0; i < 3; i++)
    wide = wide || gaussian_radius (a, in, i) > GAUSSIAN_FLOAT_RADIUS || a->order[i];
  return wide ? FV_F64 : FV_F32;
}

enum { GAUSSIAN_BLOCK = 64 }; /* taps of a sum of floats, so that rounding does not add up */

#define GAUSSIAN_METHOD                                                                                                \
  {                                                                                                                    \
    FV_FIELD (gaussian_args, method),                                                                                  \
      .label = "Method", .advanced = true,                                                                             \
      .choices = (const fv_choice[]){{"sampled", "Sampled", "The Gaussian at each pixel, as in SciPy."},               \
                                     {"imagej", "ImageJ",                                                              \
                                      "ImageJ's kernel and its order of sums; 8 and 16 bits are rounded halves up, "   \
                                      "and the edge pixel repeats outside."},                                          \
                                     {0}},                                                                             \
      .help = "Which kernel is meant."                                                                                 \
  }

#endif

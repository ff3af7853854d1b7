/* SPDX-License-Identifier: MIT
 *
 * The arguments of maxima, and what both methods and devices derive from them.
 */
#ifndef KERNELS_MAXIMA_MAXIMA_ARGS_H
#define KERNELS_MAXIMA_MAXIMA_ARGS_H

#include "kernels/common/common.h"

typedef enum maxima_method { MAXIMA_BY_PROMINENCE, MAXIMA_PEAKS } maxima_method;
typedef enum maxima_output { MAXIMA_POINTS, MAXIMA_AREAS } maxima_output;

typedef struct maxima_args {
  int32_t method; /* maxima_method */
  double prominence;
  bool strict;
  int32_t distance;
  double threshold;
  bool exclude_edges, light;
  int32_t output; /* maxima_output */
  bool volume;
} maxima_args;

/* Of a group, which is a plane or the volume: values that are numbers. */
typedef struct maxima_span {
  double least, most;
} maxima_span;

/* Neighbors of a pixel, clockwise from above. */
#define MAXIMA_AROUND_X                                                                                                \
  {                                                                                                                    \
    0, 1, 1, 1, 0, -1, -1, -1                                                                                          \
  }
#define MAXIMA_AROUND_Y                                                                                                \
  {                                                                                                                    \
    -1, -1, 0, 1, 1, 1, 0, -1                                                                                          \
  }

/* What is measured in 32-bit floats. */
static inline bool
maxima_in_f32 (fv_type type)
{
  return type == FV_U8 || type == FV_U16 || type == FV_F32;
}

/* Whether a plane of such values can have a maximum. */
static inline bool
maxima_possible (const maxima_args *a, fv_type type, maxima_span s)
{
  double range = maxima_in_f32 (type) ? (double) ((float) s.most - (float) s.least) : s.most - s.least;
  return s.most > s.least && !(a->strict && range <= a->prominence);
}

/* Whether a height, which is a value, or with `light` its negative, is beyond the threshold; an infinite one is none. */
INLINE bool
maxima_is_high (const maxima_args *a, double height)
{
  return isinf (a->threshold) || height > (a->light ? -a->threshold : a->threshold);
}

#endif

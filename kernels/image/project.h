/* SPDX-License-Identifier: MIT
 *
 * project: one plane of several along z, t or c, pixel by pixel. It is their largest or smallest value, sum, mean, standard deviation sqrt (sum (v -
 * mean)^2 / (n - ddof)), or median. The median of an even number is the mean of the two in the middle. Sums are made in double, plane after plane.
 * NaN spreads.
 */
#ifndef KERNELS_IMAGE_PROJECT_H
#define KERNELS_IMAGE_PROJECT_H

#include "kernels/common/common.h"
#include "kernels/common/keys.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum project_axis { PROJECT_Z, PROJECT_T, PROJECT_C } project_axis;

typedef enum project_method {
  PROJECT_MAX,
  PROJECT_MIN,
  PROJECT_MEAN,
  PROJECT_SUM,
  PROJECT_SD,
  PROJECT_MEDIAN
} project_method;

typedef enum project_output { PROJECT_FLOAT, PROJECT_SAME } project_output;

typedef struct project_args {
  int32_t method, axis; /* project_method, project_axis */
  int32_t first, count; /* count 0: all from the first on */
  int32_t ddof, output; /* project_output */
} project_args;

/* Which planes make plane p of the result: along the axis there are `length`, `step` planes apart. */
typedef struct project_planes {
  int64_t step, length, first, count;
} project_planes;

INLINE int64_t
project_plane (const project_planes *s, int64_t p, int64_t k)
{
  return p / s->step * s->step * s->length + p % s->step + (s->first + k) * s->step;
}

/* Of a call; checked before. */
project_planes project_planes_of (const project_args *args, const fv_grid *in);
fv_status project_cuda (const fv_call *call, fv_error *error);

/* The deviation from sums of differences to one of the values and of their squares. */
INLINE double
project_sd (double sum, double squares, int64_t n, int32_t ddof)
{
  double v = squares - sum * (sum / (double) n);
  return sqrt ((v < 0 ? 0 : v) / (double) (n - ddof));
}

/* ---- The median: its bits are found from the highest on, by counting ---- */

/* The two in the middle, halved before they are added where their sum would not be a number of the type. */
INLINE double
middle (double a, double b)
{
  double sum = a + b;
  return isinf (sum) && !isinf (a) && !isinf (b) ? a / 2 + b / 2 : sum / 2;
}

#ifdef __cplusplus
}
#endif

#endif

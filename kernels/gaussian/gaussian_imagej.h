/* SPDX-License-Identifier: MIT
 *
 * gaussian with method=imagej: ImageJ's Gaussian Blur, for the CPU and the GPU alike, in float and in its order of sums. Rows, then columns. The taps
 * of a side end where exp () falls below the accuracy, and the last ones go down to 0 in a parabola. The edge pixel repeats outside: its taps are
 * added at once. With sigma above 8.5 a line is first shrunk so that sigma is 4 or more, and enlarged again.
 * Accuracy: 0.002 of 8 bits, else 0.0002. 8 and 16 bits are rounded, halves up.
 * Definition: ImageJ 1.53t, which is in the public domain.
 */
#ifndef KERNELS_GAUSSIAN_GAUSSIAN_IMAGEJ_H
#define KERNELS_GAUSSIAN_GAUSSIAN_IMAGEJ_H

#include "kernels/gaussian/gaussian_args.h"

enum { GAUSSIAN_IMAGEJ_MARGIN = 3 }; /* numbers of a shrunk line before and behind what is of the line */

/* What is done to the lines along an axis; none: sigma is 0. The tables are one piece of memory. */
typedef struct gaussian_imagej_axis {
  int64_t n;             /* numbers of a line, */
  int64_t small;         /* and of what is convolved */
  int64_t radius;        /* taps of a side, with the one in the middle; 0: none */
  int64_t shrink;        /* numbers that become one where a line */
  bool shrinks;          /* is shrunk; else it is convolved itself */
  float *taps, *rest;    /* [radius], and the sum of the taps behind each */
  float *down, *enlarge; /* [3 shrink], [4 shrink] */
} gaussian_imagej_axis;

/* Numbers of all tables. */
INLINE int64_t
gaussian_imagej_tables (const gaussian_imagej_axis *a)
{
  return 2 * a->radius + 7 * a->shrink;
}

/* The tables begin here. */
INLINE void
gaussian_imagej_lay_out (gaussian_imagej_axis *a, float *tables)
{
  a->taps = tables;
  a->rest = a->taps + a->radius;
  a->down = a->rest + a->radius;
  a->enlarge = a->down + 3 * a->shrink;
}

/* Number i of a line that is convolved: n numbers `step` apart. */
INLINE float
gaussian_imagej_sum (const gaussian_imagej_axis *a, const float *line, int64_t step, int64_t i)
{
  const int64_t n = a->small, r = a->radius, begin = r < n ? r : n;
  float sum = line[i * step] * a->taps[0];
  if (i < begin)
    sum += a->rest[i] * line[0];
  if (i < begin ? i + r > n : i + r >= n)
    sum += a->rest[n - i - 1] * line[(n - 1) * step];
  for (int64_t k = 1; k < r; k++) {
    const float before = i >= k ? line[(i - k) * step] : 0, behind = i + k < n ? line[(i + k) * step] : 0;
    sum += a->taps[k] * (before + behind);
  }
  return sum;
}

/* Products of `shrink` numbers of a line from index `from` on, which may lie outside, with so many of the table. */
INLINE float
gaussian_imagej_part (const gaussian_imagej_axis *a, const float *line, int64_t step, int64_t from, const float *table)
{
  float sum = 0;
  for (int64_t k = 0; k < a->shrink; k++) {
    const int64_t i = from + k < 0 ? 0 : from + k < a->n ? from + k : a->n - 1;
    sum += line[i * step] * table[k];
  }
  return sum;
}

/* Number i of the shrunk line. */
INLINE float
gaussian_imagej_shrunk (const gaussian_imagej_axis *a, const float *line, int64_t step, int64_t i)
{
  const int64_t s = a->shrink, from = (i - GAUSSIAN_IMAGEJ_MARGIN) * s - s * 3 / 2;
  float sum = gaussian_imagej_part (a, line, step, from, a->down);
  sum += gaussian_imagej_part (a, line, step, from + s, a->down + s);
  sum += gaussian_imagej_part (a, line, step, from + 2 * s, a->down + 2 * s);
  return sum;
}

/* Number i of the line of the shrunk one. */
INLINE float
gaussian_imagej_enlarged (const gaussian_imagej_axis *a, const float *small, int64_t step, int64_t i)
{
  const int64_t s = a->shrink, index = i + GAUSSIAN_IMAGEJ_MARGIN * s + s - 1, at = index / s;
  const float *from = small + (at - 2) * step, *part = a->enlarge + s - 1 - index % s;
  return from[0] * part[0] + from[step] * part[s] + from[2 * step] * part[2 * s] + from[3 * step] * part[3 * s];
}

/* Rounded to nearest, halves up, and clamped; NaN gives 0. */
INLINE float
gaussian_imagej_rounded (float v, float most)
{
  const float up = v + 0.5f;
  return up >= most ? most : up > 0 ? floorf (up) : 0;
}

#ifdef __cplusplus
extern "C" {
#endif

/* Sizes of an axis, 1 (y) or 2 (x), without its tables. */
gaussian_imagej_axis gaussian_imagej_axis_of (const gaussian_args *a, const fv_grid *in, int axis);
/* Fills the tables, which have been placed. */
void gaussian_imagej_fill (const gaussian_imagej_axis *axis, const gaussian_args *a, const fv_grid *in, int number);

int64_t gaussian_imagej_scratch (const gaussian_args *a, const fv_grid *in);
double gaussian_imagej_arithmetic (const gaussian_args *a, const fv_grid *in);
fv_status gaussian_imagej_cpu (const fv_call *call, fv_error *error);
fv_status gaussian_imagej_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * kymograph: the values along a line, a row for each time point, or for each slice. A line of length d has n = ceil (d + 1) places from one end to the other;
 * each is the mean of `width` values next to each other across the line, one pixel apart and linear between pixel centers. Beyond the
 * outermost centers their values go on. NaN spreads.
 */
#ifndef KERNELS_MEASURE_KYMOGRAPH_H
#define KERNELS_MEASURE_KYMOGRAPH_H

#include "kernels/measure/pixel_sums.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kymograph_axis { KYMOGRAPH_FRAMES, KYMOGRAPH_SLICES } kymograph_axis;

typedef struct kymograph_args {
  double x1, y1, x2, y2;
  int32_t width, axis;
} kymograph_args;

/* In pixels; the first one's center is at 0. */
typedef struct kymograph_line {
  double x, y, step_x, step_y;
  double across_x, across_y; /* a pixel across */
  int64_t n, width;
} kymograph_line;

static inline int64_t
kymograph_places (const kymograph_args *a)
{
  return (int64_t) ceil (hypot (a->x2 - a->x1, a->y2 - a->y1) + 1);
}

static inline kymograph_line
kymograph_line_of (const kymograph_args *a)
{
  const double dx = a->x2 - a->x1, dy = a->y2 - a->y1, length = hypot (dx, dy);
  kymograph_line l = {.x = a->x1, .y = a->y1, .n = kymograph_places (a), .width = a->width};
  if (length > 0) {
    l.step_x = dx / (double) (l.n - 1);
    l.step_y = dy / (double) (l.n - 1);
    l.across_x = -dy / length;
    l.across_y = dx / length;
  } else
    l.across_y = 1;
  return l;
}

INLINE double
kymograph_between (double a, double b, double f)
{
  return f > 0 ? a * (1 - f) + b * f : a; /* what is not finite and has no share does not count */
}

INLINE double
kymograph_sample (const stack_view *s, int64_t rows, int64_t columns, int64_t plane, double x, double y)
{
  x = x > 0 ? x < (double) (columns - 1) ? x : (double) (columns - 1) : 0;
  y = y > 0 ? y < (double) (rows - 1) ? y : (double) (rows - 1) : 0;
  const int64_t column = (int64_t) x, row = (int64_t) y, right = column + 1 < columns ? column + 1 : column,
                below = row + 1 < rows ? row + 1 : row;
  const double fx = x - (double) column, fy = y - (double) row;
  return kymograph_between (
    kymograph_between (stack_pixel (s, plane, row, column), stack_pixel (s, plane, row, right), fx),
    kymograph_between (stack_pixel (s, plane, below, column), stack_pixel (s, plane, below, right), fx), fy);
}

/* The value at place i of the line. */
INLINE double
kymograph_value (const stack_view *s, int64_t rows, int64_t columns, const kymograph_line *l, int64_t plane, int64_t i)
{
  const double x = l->x + (double) i * l->step_x, y = l->y + (double) i * l->step_y;
  double sum = 0;
  for (int64_t k = 0; k < l->width; k++) {
    const double off = (double) k - (double) (l->width - 1) / 2;
    sum += kymograph_sample (s, rows, columns, plane, x + off * l->across_x, y + off * l->across_y);
  }
  return sum / (double) l->width;
}

fv_status kymograph_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif

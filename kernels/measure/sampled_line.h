/* SPDX-License-Identifier: MIT
 *
 * Values along a straight line. One of length d has n = ceil (d + 1) samples from one end to the other. Each is the mean of `width` adjacent values
 * across the line, one pixel apart and linear between pixel centers. Beyond the outermost centers their values go on. NaN spreads. Reference:
 * skimage.measure.profile_line with mode nearest and the mean.
 */
#ifndef KERNELS_MEASURE_SAMPLED_LINE_H
#define KERNELS_MEASURE_SAMPLED_LINE_H

#include "kernels/measure/pixel_sums.h"

/* In pixels; the first one's center is at 0. */
typedef struct sampled_line {
  double x, y, step_x, step_y;
  double across_x, across_y; /* a pixel across */
  int64_t n, width;
} sampled_line;

static inline int64_t
line_samples (double dx, double dy)
{
  return (int64_t) ceil (hypot (dx, dy) + 1);
}

static inline sampled_line
sampled_line_of (double x1, double y1, double x2, double y2, int64_t width)
{
  const double dx = x2 - x1, dy = y2 - y1, length = hypot (dx, dy);
  sampled_line l = {.x = x1, .y = y1, .n = line_samples (dx, dy), .width = width};
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
sampled_between (double a, double b, double f)
{
  return f > 0 ? a * (1 - f) + b * f : a; /* what is not finite and has no share does not count */
}

INLINE double
sampled_point (const stack_view *s, int64_t rows, int64_t columns, int64_t plane, double x, double y)
{
  x = x > 0 ? x < (double) (columns - 1) ? x : (double) (columns - 1) : 0;
  y = y > 0 ? y < (double) (rows - 1) ? y : (double) (rows - 1) : 0;
  const int64_t column = (int64_t) x, row = (int64_t) y, right = column + 1 < columns ? column + 1 : column,
                below = row + 1 < rows ? row + 1 : row;
  const double fx = x - (double) column, fy = y - (double) row;
  return sampled_between (
    sampled_between (stack_pixel (s, plane, row, column), stack_pixel (s, plane, row, right), fx),
    sampled_between (stack_pixel (s, plane, below, column), stack_pixel (s, plane, below, right), fx), fy);
}

/* The value at sample i of the line. */
INLINE double
sampled_value (const stack_view *s, int64_t rows, int64_t columns, const sampled_line *l, int64_t plane, int64_t i)
{
  const double x = l->x + (double) i * l->step_x, y = l->y + (double) i * l->step_y;
  double sum = 0;
  for (int64_t k = 0; k < l->width; k++) {
    const double off = (double) k - (double) (l->width - 1) / 2;
    sum += sampled_point (s, rows, columns, plane, x + off * l->across_x, y + off * l->across_y);
  }
  return sum / (double) l->width;
}

#endif

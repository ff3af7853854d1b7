/* SPDX-License-Identifier: MIT
 *
 * Lines under which the parabola slides, and formulas that both devices share; see paraboloid.h.
 */
#ifndef KERNELS_FILTERS_PARABOLOID_LINES_H
#define KERNELS_FILTERS_PARABOLOID_LINES_H

#include "kernels/common/lanes.h"

enum { PARABOLOID_PASSES = 6, PARABOLOID_CORNER_LINES = 8 };

/* All lines of one direction. */
typedef struct paraboloid_pass {
  double c;
  int64_t rows, columns; /* of the image */
  int64_t first, lines; /* the first row, or the column in which the first line meets row 0; lines follow one another */
  int64_t shear;        /* columns to the right for each row down */
  bool along_rows;
} paraboloid_pass;

/* Lines beside each other, with as many positions each; some of those at the ends of diagonals are outside. */
typedef struct paraboloid_band {
  int64_t line, top; /* of the first position: the first line, and the row */
  int64_t n;
} paraboloid_band;

INLINE paraboloid_pass
paraboloid_pass_of (int64_t shear, bool along_rows, int64_t rows, int64_t columns, double radius)
{
  paraboloid_pass p = {(shear ? 1 : 0.5) / radius, rows, columns, 0, along_rows ? rows : columns, shear, along_rows};
  if (shear) {
    p.first = shear > 0 ? 1 - rows : 0;
    p.lines = rows + columns - 1;
  }
  return p;
}

INLINE paraboloid_pass
paraboloid_pass_number (int i, int64_t rows, int64_t columns, double radius)
{
  return paraboloid_pass_of (i < 3 ? 0 : i == 4 ? -1 : 1, i == 0 || i == 2, rows, columns, radius);
}

/* The lines line ... line + count - 1. */
INLINE paraboloid_band
paraboloid_band_at (const paraboloid_pass *p, int64_t line, int64_t count)
{
  int64_t last = line + count - 1, top = 0, bottom = p->along_rows ? p->columns : p->rows;
  if (p->shear) {
    int64_t start = p->shear > 0 ? -last : line - p->columns + 1, end = p->shear > 0 ? p->columns - line : last + 1;
    top = start > 0 ? start : 0;
    bottom = end < bottom ? end : bottom;
  }
  paraboloid_band b = {line, top, bottom - top};
  return b;
}

/* The most positions that bands of up to `count` lines have. */
INLINE int64_t
paraboloid_longest (const paraboloid_pass *p, int64_t count)
{
  int64_t n = p->along_rows ? p->columns : p->rows, across = p->columns + count - 1;
  return p->shear && across < n ? across : n;
}

/* Where in the image that position of the band's line `number` is; -1: outside. */
INLINE int64_t
paraboloid_index (const paraboloid_pass *p, const paraboloid_band *b, int64_t number, int64_t position)
{
  int64_t line = b->line + number, y = p->along_rows ? line : b->top + position,
          x = p->along_rows ? position : line + p->shear * y;
  return y < p->rows && x >= 0 && x < p->columns ? y * p->columns + x : -1;
}

/* ---- Smoothing ---- */

/* By how much pixels were raised in all, and how many they are. One order of the sums: 32 pixels of a row by halves, then 32 such rows by halves,
 * which is a tile. Tile i goes to part i modulo PARABOLOID_PARTS, and the parts are summed by halves, 32 of them at a time. */
typedef struct paraboloid_rise {
  double sum, pixels;
} paraboloid_rise;

enum { PARABOLOID_TILE = 32, PARABOLOID_PARTS = 256 };

INLINE double
paraboloid_shift (paraboloid_rise all)
{
  return all.pixels > 0 ? all.sum / all.pixels : 0;
}

/* ---- A line ---- */

/* Never fused with a sum, so that every device gives the same. */
INLINE double
paraboloid_times (double a, double b)
{
#ifdef __CUDA_ARCH__
  return __dmul_rn (a, b);
#else
  return a * b;
#endif
}

/* Whether a value between two others may touch: where the line bends down more than the parabola it cannot. The millionth is rounding of what
 * has been slid under before. */
INLINE bool
paraboloid_may_touch (double before, double v, double after, double c)
{
  return v < INFINITY && (after - v) - (v - before) > -1.999998 * c;
}

/* Whether b of a, b, d is not below the parabola through a and d. left, right: from a to b, from b to d. */
INLINE bool
paraboloid_over (double a, double b, double d, double left, double right, double c)
{
  return paraboloid_times (b - a, right) - paraboloid_times (d - b, left) >= c * ((left + right) * left * right);
}

/* The parabola through a and b, which are n apart, k behind a. */
INLINE double
paraboloid_between (double a, double b, double k, double n, double c)
{
  return a + ((b - a) * k / n + paraboloid_times (c, k * (n - k)));
}

/* ---- Corners ---- */

/* A line that says how high corners are, and which its ends are: 0 and 1 the upper ones, 2 and 3 the lower ones, -1: it says nothing. */
typedef struct paraboloid_corner_line {
  paraboloid_pass pass;
  int64_t line;
  int32_t corner[2];
} paraboloid_corner_line;

INLINE paraboloid_corner_line
paraboloid_corner_line_of (int i, int64_t rows, int64_t columns, double radius)
{
  int64_t line = i == 1 ? rows - 1 : i == 3 || i == 5 ? columns - 1 : i == 6 ? rows - 1 : i == 7 ? columns - rows : 0;
  paraboloid_corner_line l = {paraboloid_pass_of (i < 4              ? 0
                                                  : i == 4 || i == 7 ? 1
                                                                     : -1,
                                                  i < 2, rows, columns, radius),
                              line,
                              {-1, -1}};
  l.corner[0] = i == 0 || i == 2 || i == 4 ? 0 : i == 3 || i == 5 ? 1 : i == 1 ? 2 : -1;
  l.corner[1] = i == 0 ? 1 : i == 2 || i == 6 ? 2 : i == 1 || i == 3 || i == 7 ? 3 : -1;
  return l;
}

/* Objects at the ends are shorter than a quarter of the line: behind them is where the parabola touches next. */
INLINE int64_t
paraboloid_first_touched (int64_t next, int64_t n)
{
  return next < 0 || 4 * next >= n ? 0 : next;
}

INLINE int64_t
paraboloid_last_touched (int64_t before, int64_t n)
{
  return before < 0 || 4 * (n - 1 - before) >= n ? n - 1 : before;
}

/* How high the ends of a line would be without objects there; a and b: the values at `first` and `last`. Not a number where nothing is known. */
INLINE double
paraboloid_end (int end, double a, double b, int64_t first, int64_t last, int64_t n, double c)
{
  if (last <= first || !(a < INFINITY) || !(b < INFINITY))
    return NAN;
  double slope = (b - a) / (double) (last - first), away = (double) (end ? n - 1 - last : first);
  double rise = (end ? paraboloid_times (slope, away) : -paraboloid_times (slope, away));
  return (end ? b : a) + (rise + paraboloid_times (c, away * away));
}

/* ---- Pixels ---- */

/* What is smoothed and slid under; `missing` where a pixel does not count. */
INLINE double
paraboloid_height (double pixel, bool light, double missing)
{
  return !(fabs (pixel) < INFINITY) ? missing : light ? -pixel : pixel;
}

INLINE double
paraboloid_background (double v, double shift, bool light)
{
  return v == INFINITY ? NAN : light ? -(v - shift) : v - shift;
}

#endif

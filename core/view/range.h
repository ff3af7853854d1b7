/* SPDX-License-Identifier: MIT
 *
 * A range of values that are shown, selected or counted. Its arithmetic does not overflow for any finite ends, and
 * results that become array indices are in bounds.
 */
#ifndef CORE_VIEW_RANGE_H
#define CORE_VIEW_RANGE_H

#include <math.h>

typedef struct Range {
  double low, high; /* finite */
} Range;

/* Where a value lies, 0 ... 1; 0 in a range without width, and of NaN. */
static inline double
range_fraction (Range r, double value)
{
  double whole = r.high - r.low, part = value - r.low;
  if (isinf (whole)) {
    whole = r.high / 2 - r.low / 2;
    part = value / 2 - r.low / 2;
  }
  return !(part > 0 && whole > 0) ? 0 : part < whole ? part / whole : 1;
}

/* Which of so many equal parts a value lies in, from 0. */
static inline int
range_part (Range r, double value, int parts)
{
  int part = (int) (range_fraction (r, value) * parts);
  return part < parts ? part : parts - 1;
}

/* The value at a fraction of the range; below 0 and above 1 are the ends. */
double range_value (Range r, double fraction);
/* A range with room around its value when it has no width. */
Range range_widened (Range r);
/* The largest of 1, 2 and 5 times a power of ten that is at most `max`, which is above 0: as long as a scale bar is. */
double range_round_length (double max);
/* Ticks at 1, 2 or 5 times a power of ten, about `max` of them: tick k is (*first + k) * *step. How many; none where values can
 * hardly be told apart. */
int range_ticks (Range r, double max, double *first, double *step);

#endif

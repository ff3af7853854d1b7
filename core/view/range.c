/* SPDX-License-Identifier: MIT
 *
 * The value is a weighted mean of the ends: their difference may be infinite.
 */
#include "core/view/range.h"

#include <float.h>

double
range_value (Range r, double fraction)
{
  double f = fraction > 0 ? fmin (fraction, 1) : 0;
  return r.low * (1 - f) + r.high * f;
}

Range
range_widened (Range r)
{
  double around = r.low == 0 ? 0.5 : fmax (fabs (r.low) / 2, DBL_MIN);
  if (r.high > r.low)
    return r;
  return (Range){fmax (r.low - around, -DBL_MAX), fmin (r.low + around, DBL_MAX)};
}

int
range_ticks (Range r, double max, double *first, double *step)
{
  const double distinguishable = 0x1p50;
  double rough = r.high / fmax (max, 1) - r.low / fmax (max, 1), power = pow (10, floor (log10 (rough)));
  double digit = rough / power;
  *step = power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
  *first = ceil (r.low / *step - 1e-9);
  double last = floor (r.high / *step + 1e-9);
  if (!(*step > 0 && fabs (*first) < distinguishable && fabs (last) < distinguishable))
    return 0;
  return (int) (last - *first) + 1;
}

double
range_round_length (double max)
{
  double power = pow (10, floor (log10 (max))), digit = max / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

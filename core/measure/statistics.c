/* SPDX-License-Identifier: MIT
 *
 * Two passes: the squares are of differences from the mean, so that a small deviation of large values does not drown.
 */
#include "core/measure/statistics.h"

#include <math.h>

static gboolean
counts (const double *values, const guint8 *mask, gint64 i)
{
  return (!mask || mask[i]) && !isnan (values[i]);
}

Statistics
statistics_of (const double *values, const guint8 *mask, gint64 n)
{
  Statistics s = {0, NAN, NAN, NAN, NAN};
  double sum = 0, squares = 0;
  for (gint64 i = 0; i < n; i++)
    if (counts (values, mask, i)) {
      s.count++;
      sum += values[i];
      s.min = fmin (s.min, values[i]);
      s.max = fmax (s.max, values[i]);
    }
  if (s.count)
    s.mean = sum / (double) s.count;
  for (gint64 i = 0; i < n; i++)
    if (counts (values, mask, i))
      squares += (values[i] - s.mean) * (values[i] - s.mean);
  if (s.count > 1)
    s.sd = sqrt (squares / (double) (s.count - 1));
  return s;
}

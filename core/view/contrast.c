/* SPDX-License-Identifier: MIT
 *
 * Bins that are the values themselves give values; of others the limits are the outer edges.
 */
#include "core/view/contrast.h"

static const double saturated = 0.0035, first_divisor = 5000, last_divisor = 20;

static guint64
total (const Counts *counts)
{
  guint64 all = 0;
  for (int i = 0; i < COUNTS_BINS; i++)
    all += counts->bins[i];
  return all;
}

static Range
limits_of_bins (const Counts *counts, int first, int last)
{
  if (counts->exact)
    return (Range){first, last};
  return (Range){range_value (counts->range, (double) first / COUNTS_BINS),
                 range_value (counts->range, (double) (last + 1) / COUNTS_BINS)};
}

static Range
saturating (const Counts *counts)
{
  const double cut = saturated / 2 * (double) total (counts);
  guint64 seen = 0;
  int first = 0, last = COUNTS_BINS - 1;
  for (; first < last && (double) (seen += counts->bins[first]) <= cut; first++)
    ;
  for (seen = 0; last > first && (double) (seen += counts->bins[last]) <= cut; last--)
    ;
  return limits_of_bins (counts, first, last);
}

static gboolean
above (const Counts *counts, double fraction, Range *limits)
{
  guint64 all = total (counts);
  int first = COUNTS_BINS, last = -1;
  for (int i = 0; i < COUNTS_BINS; i++)
    if ((double) counts->bins[i] > fraction * (double) all && counts->bins[i] <= all / 10) {
      first = MIN (first, i);
      last = i;
    }
  if (last > first)
    *limits = limits_of_bins (counts, first, last);
  return last > first;
}

gboolean
contrast_auto (ContrastAuto *state, const Counts *counts, const Range *set, Range *limits)
{
  gboolean repeated = set && state->divisor >= last_divisor;
  Range found;
  state->divisor = repeated ? state->divisor / 2 : first_divisor;
  if (!repeated)
    found = saturating (counts);
  else if (!above (counts, 1 / state->divisor, &found))
    return FALSE;
  else
    found = (Range){MAX (found.low, set->low), MIN (found.high, set->high)};
  if (found.high > found.low)
    *limits = found;
  return found.high > found.low;
}

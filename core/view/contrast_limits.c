/* SPDX-License-Identifier: MIT
 *
 * D. Tody, the task `display` of IRAF; astropy.visualization.ZScaleInterval.
 */
#include "core/view/contrast_limits.h"

#include "core/data/pixel_type.h"
#include "core/view/plane_sample.h"

#include <stdlib.h>

enum { MAX_SORTED = 1 << 20, MAX_VALUES = 1 << 22, ZSCALE_VALUES = 1000, ZSCALE_ROUNDS = 5, ZSCALE_MIN = 5 };
static const double zscale_contrast = 0.25, zscale_sigmas = 2.5;

static int
compare (const void *a, const void *b)
{
  double v = *(const double *) a, w = *(const double *) b;
  return (v > w) - (v < w);
}

/* ---- Percent ---- */

static double
quantile (const double *sorted, gsize n, double fraction)
{
  double at = fraction * (double) (n - 1);
  gsize i = MIN ((gsize) at, n - 1), next = MIN (i + 1, n - 1);
  double rest = at - (double) i;
  return sorted[i] * (1 - rest) + sorted[next] * rest;
}

Range
limits_percent (double *values, gsize n, double percent)
{
  double out = (1 - percent / 100) / 2;
  qsort (values, n, sizeof *values, compare);
  return (Range){quantile (values, n, out), quantile (values, n, 1 - out)};
}

/* ---- zscale ---- */

/* A line through sorted values, over their indices. */
typedef struct {
  const double *v;
  gsize n;
  gboolean *bad; /* those that are left out */
  double slope, start, sigma;
} Line;

static gsize
good_of (const Line *l)
{
  gsize good = 0;
  for (gsize i = 0; i < l->n; i++)
    good += !l->bad[i];
  return good;
}

static double
beside (const Line *l, gsize i)
{
  return l->v[i] - (l->start + l->slope * (double) i);
}

static void
fit (Line *l, gsize good)
{
  double x = 0, y = 0, xx = 0, xy = 0, mean = 0, squares = 0;
  for (gsize i = 0; i < l->n; i++)
    if (!l->bad[i]) {
      x += (double) i / (double) good;
      y += l->v[i] / (double) good;
    }
  for (gsize i = 0; i < l->n; i++)
    if (!l->bad[i]) {
      xx += ((double) i - x) * ((double) i - x);
      xy += ((double) i - x) * (l->v[i] - y);
    }
  l->slope = xx > 0 ? xy / xx : 0;
  l->start = y - l->slope * x;
  for (gsize i = 0; i < l->n; i++)
    mean += l->bad[i] ? 0 : beside (l, i) / (double) good;
  for (gsize i = 0; i < l->n; i++)
    squares += l->bad[i] ? 0 : (beside (l, i) - mean) * (beside (l, i) - mean);
  l->sigma = sqrt (squares / (double) good);
}

/* Leaves out what is far from the line, with a hundredth of all around it. */
static void
reject (Line *l)
{
  gsize width = MAX (1, l->n / 100), ahead = (width - 1) / 2, behind = width - 1 - ahead;
  g_autofree gboolean *far = g_new (gboolean, l->n);
  for (gsize i = 0; i < l->n; i++)
    far[i] = l->bad[i] || fabs (beside (l, i)) > zscale_sigmas * l->sigma;
  for (gsize i = 0; i < l->n; i++)
    for (gsize k = i > behind ? i - behind : 0; k <= MIN (i + ahead, l->n - 1); k++)
      l->bad[i] |= far[k];
}

/* FALSE: too few of them are near a line. */
static gboolean
find_line (Line *l)
{
  gsize min = MAX (ZSCALE_MIN, l->n / 2), good = l->n, before = l->n + 1;
  for (int i = 0; i < ZSCALE_ROUNDS && good < before && good >= min; i++) {
    before = good;
    fit (l, good);
    reject (l);
    good = good_of (l);
  }
  return good >= min;
}

Range
limits_zscale (const double *values, gsize n)
{
  gsize step = MAX (1, n / ZSCALE_VALUES), taken = MIN ((n + step - 1) / step, ZSCALE_VALUES), middle = (taken - 1) / 2;
  g_autofree double *v = g_new (double, taken);
  g_autofree gboolean *bad = g_new0 (gboolean, taken);
  Line line = {.v = v, .n = taken, .bad = bad};
  Range limits;
  double median;
  for (gsize i = 0; i < taken; i++)
    v[i] = values[i * step];
  qsort (v, taken, sizeof *v, compare);
  limits = (Range){v[0], v[taken - 1]};
  if (!find_line (&line))
    return limits;
  median = quantile (v, taken, 0.5);
  limits.low = MAX (limits.low, median - ((double) middle - 1) * line.slope / zscale_contrast);
  limits.high = MIN (limits.high, median + (double) (taken - middle) * line.slope / zscale_contrast);
  return limits;
}

/* ---- Planes ---- */

gboolean
limits_of_plane (Image *image, gint64 plane, double percent, Range *limits, GError **error)
{
  g_auto (PlaneSample) sample = {0};
  g_autofree double *values = NULL;
  gint64 all, step;
  gsize n = 0;
  if (!plane_sample_take (&sample, image, plane, error))
    return FALSE;
  all = sample.info.rows * sample.info.columns;
  step = (all - 1) / (percent > 0 ? MAX_SORTED : MAX_VALUES) + 1;
  values = g_new (double, (gsize) ((all - 1) / step + 1));
  for (gint64 i = 0; i < all; i += step) {
    double v = pixel_type_value (sample.info.type, sample.pixels, i);
    if (isfinite (v))
      values[n++] = v;
  }
  if (n == 0)
    return FALSE;
  *limits = percent > 0 ? limits_percent (values, n, percent) : limits_zscale (values, n);
  return limits->high > limits->low;
}

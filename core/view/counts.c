/* SPDX-License-Identifier: MIT
 *
 * Values that are not finite are left out.
 */
#include "core/view/counts.h"

/* Which pixels are counted: all, or a part of them spread over the plane. */
typedef struct {
  gint64 n, step;
} Sample;

static Sample
sample_of (const ImageInfo *info)
{
  const gint64 most = 1 << 22;
  Sample s = {info->rows * info->columns, 1};
  s.step = MAX (1, s.n / most);
  s.step += s.step > 1 && info->columns % s.step == 0; /* not always the same columns */
  return s;
}

/* Few values: each is counted, and the counts are put together. */
#define DEFINE_COUNT_FEW(T, VALUES)                                                                                    \
  static void count_##T (Counts *counts, const void *pixels, Sample s)                                                 \
  {                                                                                                                    \
    const T *p = pixels;                                                                                               \
    g_autofree guint32 *each = g_new0 (guint32, VALUES);                                                               \
    gint low = VALUES - 1, high = 0;                                                                                   \
    for (gint64 i = 0; i < s.n; i += s.step)                                                                           \
      each[p[i]]++;                                                                                                    \
    for (gint v = 0; v < VALUES; v++)                                                                                  \
      if (each[v]) {                                                                                                   \
        low = MIN (low, v);                                                                                            \
        high = v;                                                                                                      \
      }                                                                                                                \
    counts->range = (Range){low, high};                                                                                \
    for (gint v = low; v <= high; v++)                                                                                 \
      counts->bins[range_part (counts->range, v, COUNTS_BINS)] += each[v];                                             \
  }
DEFINE_COUNT_FEW (guint8, 256)
DEFINE_COUNT_FEW (guint16, 65536)

#define DEFINE_COUNT(T)                                                                                                \
  static void count_##T (Counts *counts, const void *pixels, Sample s)                                                 \
  {                                                                                                                    \
    const T *p = pixels;                                                                                               \
    double low = INFINITY, high = -INFINITY;                                                                           \
    for (gint64 i = 0; i < s.n; i += s.step)                                                                           \
      if (isfinite ((double) p[i])) {                                                                                  \
        low = (double) p[i] < low ? (double) p[i] : low;                                                               \
        high = (double) p[i] > high ? (double) p[i] : high;                                                            \
      }                                                                                                                \
    if (high < low)                                                                                                    \
      return;                                                                                                          \
    counts->range = (Range){low, high};                                                                                \
    for (gint64 i = 0; i < s.n; i += s.step)                                                                           \
      if (isfinite ((double) p[i]))                                                                                    \
        counts->bins[range_part (counts->range, (double) p[i], COUNTS_BINS)]++;                                        \
  }
DEFINE_COUNT (gint32)
DEFINE_COUNT (float)
DEFINE_COUNT (double)

void
counts_of_plane (Counts *counts, const ImageInfo *info, const void *pixels)
{
  Sample s = sample_of (info);
  *counts = (Counts){0};
  switch (info->type) {
  case FV_U8: count_guint8 (counts, pixels, s); break;
  case FV_U16: count_guint16 (counts, pixels, s); break;
  case FV_I32: count_gint32 (counts, pixels, s); break;
  case FV_F32: count_float (counts, pixels, s); break;
  default: count_double (counts, pixels, s);
  }
}

void
counts_limits (const Counts *counts, double saturated, double *low, double *high)
{
  guint64 all = 0, seen = 0;
  int first = 0, last = COUNTS_BINS - 1;
  for (int i = 0; i < COUNTS_BINS; i++)
    all += counts->bins[i];
  for (; first < last && (double) (seen += counts->bins[first]) <= saturated / 2 * (double) all; first++)
    ;
  for (seen = 0; last > first && (double) (seen += counts->bins[last]) <= saturated / 2 * (double) all; last--)
    ;
  *low = range_value (counts->range, (double) first / COUNTS_BINS);
  *high = range_value (counts->range, (double) (last + 1) / COUNTS_BINS);
}

gboolean
counts_limits_above (const Counts *counts, double fraction, double *low, double *high)
{
  guint64 all = 0;
  int first = COUNTS_BINS, last = -1;
  for (int i = 0; i < COUNTS_BINS; i++)
    all += counts->bins[i];
  for (int i = 0; i < COUNTS_BINS; i++)
    if ((double) counts->bins[i] > fraction * (double) all && counts->bins[i] <= all / 10) {
      first = MIN (first, i);
      last = i;
    }
  if (last <= first)
    return FALSE;
  *low = range_value (counts->range, (double) first / COUNTS_BINS);
  *high = range_value (counts->range, (double) (last + 1) / COUNTS_BINS);
  return TRUE;
}

/* Each bin goes where its middle lies. */
void
counts_join (Counts *all, const Counts *planes, guint n)
{
  gboolean any = FALSE;
  *all = (Counts){0};
  for (guint i = 0; i < n; i++) {
    Range r = planes[i].range;
    all->range.low = any ? MIN (all->range.low, r.low) : r.low;
    all->range.high = any ? MAX (all->range.high, r.high) : r.high;
    any = TRUE;
  }
  for (guint i = 0; i < n; i++)
    for (int bin = 0; bin < COUNTS_BINS; bin++)
      all->bins[range_part (all->range, range_value (planes[i].range, (bin + 0.5) / COUNTS_BINS), COUNTS_BINS)] +=
        planes[i].bins[bin];
}

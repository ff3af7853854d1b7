/* SPDX-License-Identifier: MIT
 *
 * Values that are not finite are left out.
 */
#include "core/view/counts.h"

#include "core/data/pixel_type.h"

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

/* 8 bits: bins are values. */
static void
count_guint8 (Counts *counts, const void *pixels, Sample s)
{
  const guint8 *p = pixels;
  counts->exact = TRUE;
  for (gint64 i = 0; i < s.n; i += s.step)
    counts->bins[p[i]]++;
}

/* Each value is counted, and the counts are put together. */
static void
count_guint16 (Counts *counts, const void *pixels, Sample s)
{
  const guint16 *p = pixels;
  g_autofree guint32 *each = g_new0 (guint32, G_MAXUINT16 + 1);
  for (gint64 i = 0; i < s.n; i += s.step)
    each[p[i]]++;
  for (int v = 0; v <= G_MAXUINT16; v++)
    if (each[v])
      counts->bins[range_part (counts->range, v, COUNTS_BINS)] += each[v];
}

#define DEFINE_COUNT(T)                                                                                                \
  static void count_##T (Counts *counts, const void *pixels, Sample s)                                                 \
  {                                                                                                                    \
    const T *p = pixels;                                                                                               \
    for (gint64 i = 0; i < s.n; i += s.step)                                                                           \
      if (isfinite ((double) p[i]))                                                                                    \
        counts->bins[range_part (counts->range, (double) p[i], COUNTS_BINS)]++;                                        \
  }
DEFINE_COUNT (gint32)
DEFINE_COUNT (float)
DEFINE_COUNT (double)

/* Rarer types. */
static void
count_values (Counts *counts, fv_type type, const void *pixels, Sample s)
{
  for (gint64 i = 0; i < s.n; i += s.step) {
    double value = pixel_type_value (type, pixels, i);
    if (isfinite (value))
      counts->bins[range_part (counts->range, value, COUNTS_BINS)]++;
  }
}

void
counts_of_plane (Counts *counts, const ImageInfo *info, const void *pixels)
{
  Sample s = sample_of (info);
  *counts = (Counts){.range = shown_range_of (info->type, pixels, info->rows * info->columns)};
  switch (info->type) {
  case FV_U8: count_guint8 (counts, pixels, s); break;
  case FV_U16: count_guint16 (counts, pixels, s); break;
  case FV_I32: count_gint32 (counts, pixels, s); break;
  case FV_F32: count_float (counts, pixels, s); break;
  case FV_F64: count_double (counts, pixels, s); break;
  default: count_values (counts, info->type, pixels, s);
  }
}

/* Each bin goes where its middle lies. */
void
counts_join (Counts *all, const Counts *planes, guint n)
{
  gboolean any = FALSE;
  *all = (Counts){.exact = TRUE};
  for (guint i = 0; i < n; i++) {
    Range r = planes[i].range;
    all->range.low = any ? MIN (all->range.low, r.low) : r.low;
    all->range.high = any ? MAX (all->range.high, r.high) : r.high;
    all->exact &= planes[i].exact;
    any = TRUE;
  }
  for (guint i = 0; i < n; i++)
    for (int bin = 0; bin < COUNTS_BINS; bin++)
      all->bins[range_part (all->range, range_value (planes[i].range, (bin + 0.5) / COUNTS_BINS), COUNTS_BINS)] +=
        planes[i].bins[bin];
}

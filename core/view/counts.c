/* SPDX-License-Identifier: MIT
 *
 * Values that are not finite are left out.
 */
#include "core/view/counts.h"

#include "core/base/vectorised.h"
#include "core/data/pixel_type.h"

/* Which pixels are counted: all, or a part of them spread over the plane. */
typedef struct {
  gint64 n, step;
} Sample;

static Sample
sample_of (const ImageInfo *info)
{
  const gint64 max = 1 << 22;
  Sample s = {info->rows * info->columns, 1};
  s.step = MAX (1, s.n / max);
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

/* The chunk that is counted at once, and the number of parallel tables, which avoids repeated additions to one
 * address. */
enum { BLOCK = 512, TABLES = 4, NO_BIN = COUNTS_BINS };

/* The bins of n values, as range_part() has them, of a range whose width is finite. */
#define DEFINE_BINS(T)                                                                                                 \
  VECTORISED static void bins_##T (gint32 *to, const T *p, Range range, gint64 n)                                      \
  {                                                                                                                    \
    const double whole = range.high > range.low ? range.high - range.low : 1;                                          \
    for (gint64 i = 0; i < n; i++) {                                                                                   \
      const double value = (double) p[i], part = (value - range.low) / whole, fraction = part > 0 ? MIN (part, 1) : 0; \
      const gint32 bin = (gint32) (fraction * COUNTS_BINS);                                                            \
      to[i] = value - value != 0 ? NO_BIN : MIN (bin, COUNTS_BINS - 1);                                                \
    }                                                                                                                  \
  }
DEFINE_BINS (gint32)
DEFINE_BINS (float)
DEFINE_BINS (double)

static void
add_bins (guint32 tables[TABLES][COUNTS_BINS + 1], const gint32 *bins, gint64 n)
{
  for (; n % TABLES; n--)
    tables[0][bins[n - 1]]++;
  for (gint64 i = 0; i < n; i += TABLES)
    for (int t = 0; t < TABLES; t++)
      tables[t][bins[i + t]]++;
}

#define DEFINE_COUNT(T)                                                                                                \
  static void count_##T (Counts *counts, const void *pixels, Sample s)                                                 \
  {                                                                                                                    \
    guint32 tables[TABLES][COUNTS_BINS + 1] = {{0}};                                                                   \
    gint32 bins[BLOCK];                                                                                                \
    T some[BLOCK];                                                                                                     \
    for (gint64 i = 0, n; i < s.n; i += n * s.step) {                                                                  \
      n = MIN (BLOCK, (s.n - i + s.step - 1) / s.step);                                                                \
      for (gint64 k = 0; k < n; k++)                                                                                   \
        some[k] = ((const T *) pixels)[i + k * s.step];                                                                \
      bins_##T (bins, some, counts->range, n);                                                                         \
      add_bins (tables, bins, n);                                                                                      \
    }                                                                                                                  \
    for (int t = 0; t < TABLES; t++)                                                                                   \
      for (int bin = 0; bin < COUNTS_BINS; bin++)                                                                      \
        counts->bins[bin] += tables[t][bin];                                                                           \
  }
DEFINE_COUNT (gint32)
DEFINE_COUNT (float)
DEFINE_COUNT (double)

/* Rarer types, and ranges whose width is not finite. */
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
  switch (isfinite (counts->range.high - counts->range.low) ? info->type : 0) {
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

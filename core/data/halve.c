/* SPDX-License-Identifier: MIT
 */
#include "core/data/halve.h"

#include "core/base/parallel.h"
#include "core/base/vectorised.h"
#include "core/data/pixel_type.h"

typedef struct {
  const Halving *halving;
  gint64 band; /* rows of the smaller plane in a piece */
  const void *from;
  void *to;
} Work;

/* The mean of the n values whose sum it is. */
static inline gint64
whole_mean (gint64 sum, gint64 n)
{
  gint64 twice = 2 * sum + n;
  return twice >= 0 ? twice / (2 * n) : -((2 * n - 1 - twice) / (2 * n));
}

static inline double
mean (double sum, gint64 n)
{
  return sum / (double) n;
}

/* One row of the smaller plane from one or two rows; at an odd end a column stands alone. */
#define ROW(TYPE, SUM, MEAN)                                                                                           \
  VECTORISED static void row_##TYPE (const Halving *h, const TYPE *restrict a, const TYPE *restrict b,                 \
                                     TYPE *restrict to)                                                                \
  {                                                                                                                    \
    const gint64 n = h->half_columns, pairs = h->columns / 2;                                                          \
    if (h->nearest)                                                                                                    \
      for (gint64 x = 0; x < n; x++)                                                                                   \
        to[x] = a[2 * x];                                                                                              \
    else                                                                                                               \
      for (gint64 x = 0; x < pairs; x++)                                                                               \
        to[x] = (TYPE) MEAN ((SUM) a[2 * x] + (SUM) a[2 * x + 1] + (SUM) b[2 * x] + (SUM) b[2 * x + 1], 4);            \
    for (gint64 x = h->nearest ? n : pairs; x < n; x++)                                                                \
      to[x] = (TYPE) MEAN ((SUM) a[2 * x] + (SUM) b[2 * x], 2);                                                        \
  }

ROW (guint8, gint32, (guint8) whole_mean)
ROW (gint8, gint32, (gint8) whole_mean)
ROW (guint16, gint32, (guint16) whole_mean)
ROW (gint16, gint32, (gint16) whole_mean)
ROW (guint32, gint64, (guint32) whole_mean)
ROW (gint32, gint64, (gint32) whole_mean)
ROW (float, double, (float) mean)
ROW (double, double, mean)

/* FV_F16: as float and back. */
static void
row_halves (const Halving *h, const guint16 *a, const guint16 *b, guint16 *to)
{
  gint64 pairs = h->nearest ? 0 : h->columns / 2;
  for (gint64 x = 0; x < h->half_columns; x++) {
    gint64 last = x < pairs ? 2 * x + 1 : 2 * x;
    float sum = half_to_float (a[2 * x]) + half_to_float (a[last]) + half_to_float (b[2 * x]) + half_to_float (b[last]);
    to[x] = h->nearest ? a[2 * x] : half_from_float (sum / 4);
  }
}

static gboolean
halve_band (gpointer data, guint64 i, GError **error)
{
  const Work *w = data;
  const Halving *h = w->halving;
  gint64 from = (gint64) i * w->band, to = MIN (from + w->band, h->half_rows);
  (void) error;
  for (gint64 y = from; y < to; y++) {
    gsize a = (gsize) (2 * y * h->columns), b = (gsize) (MIN (2 * y + 1, h->rows - 1) * h->columns),
          c = (gsize) (y * h->half_columns);
#define CASE(TYPE, T)                                                                                                  \
  case TYPE: row_##T (h, (const T *) w->from + a, (const T *) w->from + b, (T *) w->to + c); break;
    switch (h->type) {
      PIXEL_TYPES_OF_C (CASE)
    default: row_halves (h, (const guint16 *) w->from + a, (const guint16 *) w->from + b, (guint16 *) w->to + c);
    }
#undef CASE
  }
  return TRUE;
}

gboolean
halve_plane (const Halving *halving, const void *from, void *to, GError **error)
{
  Work work = {halving, MAX ((1 << 18) / halving->half_columns, 1), from, to};
  return parallel_do ((guint64) ((halving->half_rows - 1) / work.band + 1), G_MAXUINT, halve_band, &work, error);
}

/* SPDX-License-Identifier: MIT
 */
#include "core/files/tiff/halve.h"

#include "core/base/parallel.h"

typedef struct {
  fv_type type;
  gboolean nearest;
  gint64 rows, columns, band; /* band: rows of the smaller plane in a piece */
  const void *from;
  void *to;
} Halving;

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

/* One row of means from one or two rows; at an odd end a column stands alone. */
#define ROW(TYPE, SUM, MEAN)                                                                                           \
  static void row_##TYPE (const TYPE *a, const TYPE *b, gint64 columns, gboolean nearest, TYPE *to)                    \
  {                                                                                                                    \
    gint64 pairs = nearest ? 0 : columns / 2;                                                                          \
    for (gint64 x = 0; x < pairs; x++)                                                                                 \
      to[x] = (TYPE) MEAN ((SUM) a[2 * x] + (SUM) a[2 * x + 1] + (SUM) b[2 * x] + (SUM) b[2 * x + 1], 4);              \
    for (gint64 x = pairs; x < (columns + 1) / 2; x++)                                                                 \
      to[x] = nearest ? a[2 * x] : (TYPE) MEAN ((SUM) a[2 * x] + (SUM) b[2 * x], 2);                                   \
  }

ROW (guint8, gint32, (guint8) whole_mean)
ROW (guint16, gint32, (guint16) whole_mean)
ROW (gint32, gint64, (gint32) whole_mean)
ROW (float, double, (float) mean)
ROW (double, double, mean)

static gboolean
halve_band (gpointer data, guint64 i, GError **error)
{
  const Halving *h = data;
  gint64 from = (gint64) i * h->band, to = MIN (from + h->band, (h->rows + 1) / 2), columns = (h->columns + 1) / 2;
  (void) error;
  for (gint64 y = from; y < to; y++) {
    gsize a = (gsize) (2 * y * h->columns), b = (gsize) (MIN (2 * y + 1, h->rows - 1) * h->columns),
          c = (gsize) (y * columns);
#define DO(TYPE)                                                                                                       \
  row_##TYPE ((const TYPE *) h->from + a, (const TYPE *) h->from + b, h->columns, h->nearest, (TYPE *) h->to + c)
    switch (h->type) {
    case FV_U8: DO (guint8); break;
    case FV_U16: DO (guint16); break;
    case FV_I32: DO (gint32); break;
    case FV_F32: DO (float); break;
    default: DO (double);
    }
#undef DO
  }
  return TRUE;
}

gboolean
files_tiff_halve (fv_type type, gboolean nearest, gint64 rows, gint64 columns, const void *from, void *to,
                  GError **error)
{
  Halving h = {type, nearest, rows, columns, MAX ((1 << 18) / columns, 1), from, to};
  return parallel_do ((guint64) (((rows + 1) / 2 - 1) / h.band + 1), G_MAXUINT, halve_band, &h, error);
}

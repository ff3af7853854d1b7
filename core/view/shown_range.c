/* SPDX-License-Identifier: MIT
 *
 * Of types other than 8 bits every pixel is looked at.
 */
#include "core/view/shown_range.h"

#include "core/base/parallel.h"
#include "core/base/progress.h"
#include "core/data/pixel_type.h"

enum { PIECE = 1 << 18 }; /* pixels: more than a thread costs */

#define AS_VECTORS _Pragma ("omp simd reduction(min : smallest) reduction(max : largest)")
/* From the greatest value of the type down, and from the least up: compilers make vectors of that. */
#define DEFINE_RANGE(T, MINIMUM, MAXIMUM, IF_USED)                                                                     \
  static Range range_##T (const void *pixels, gint64 n)                                                                \
  {                                                                                                                    \
    const T *p = pixels;                                                                                               \
    T smallest = MAXIMUM, largest = MINIMUM;                                                                           \
    AS_VECTORS for (gint64 i = 0; i < n; i++)                                                                          \
    {                                                                                                                  \
      T low_or_not = IF_USED (p[i], MAXIMUM), high_or_not = IF_USED (p[i], MINIMUM);                                   \
      smallest = low_or_not < smallest ? low_or_not : smallest;                                                        \
      largest = high_or_not > largest ? high_or_not : largest;                                                         \
    }                                                                                                                  \
    return (Range){(double) smallest, (double) largest};                                                               \
  }
#define ANY(VALUE, ELSE) (VALUE)
#define FINITE(VALUE, ELSE) (isfinite (VALUE) ? (VALUE) : (ELSE))
DEFINE_RANGE (guint16, 0, G_MAXUINT16, ANY)
DEFINE_RANGE (gint32, G_MININT32, G_MAXINT32, ANY)
DEFINE_RANGE (float, -INFINITY, INFINITY, FINITE)
DEFINE_RANGE (double, -INFINITY, INFINITY, FINITE)

/* Of rarer types. */
static Range
range_of_values (fv_type type, const void *pixels, gint64 n)
{
  double min = INFINITY, max = -INFINITY;
  for (gint64 i = 0; i < n; i++) {
    double value = pixel_type_value (type, pixels, i);
    if (isfinite (value)) {
      min = value < min ? value : min;
      max = value > max ? value : max;
    }
  }
  return (Range){min, max};
}

/* low > high: none is finite. */
static Range
range_of_piece (fv_type type, const void *pixels, gint64 n)
{
  switch (type) {
  case FV_U16: return range_guint16 (pixels, n);
  case FV_I32: return range_gint32 (pixels, n);
  case FV_F32: return range_float (pixels, n);
  case FV_F64: return range_double (pixels, n);
  default: return range_of_values (type, pixels, n);
  }
}

typedef struct {
  fv_type type;
  const char *pixels;
  gint64 n;
  Range *ranges; /* of the pieces */
} Pieces;

static gboolean
look_at_piece (gpointer data, guint64 i, GError **error)
{
  const Pieces *p = data;
  const gint64 first = (gint64) i * PIECE;
  (void) error;
  p->ranges[i] =
    range_of_piece (p->type, p->pixels + first * (gint64) pixel_type_bytes (p->type), MIN (PIECE, p->n - first));
  return TRUE;
}

gboolean
shown_range_known (fv_type type, Range *range)
{
  if (type == FV_U8)
    *range = (Range){0, 255};
  return type == FV_U8;
}

Range
shown_range_of (fv_type type, const void *pixels, gint64 n)
{
  Range known;
  if (shown_range_known (type, &known))
    return known;
  const guint64 pieces = (guint64) (n + PIECE - 1) / PIECE;
  g_autofree Range *ranges = g_new (Range, pieces + 1);
  Pieces all = {type, pixels, n, ranges};
  Range range = {INFINITY, -INFINITY};
  Progress *progress = progress_current ();
  progress_enter (NULL); /* nothing stops it halfway */
  parallel_do (pieces, G_MAXUINT, look_at_piece, &all, NULL);
  progress_enter (progress);
  for (guint64 i = 0; i < pieces; i++)
    if (ranges[i].low <= ranges[i].high)
      range = (Range){MIN (range.low, ranges[i].low), MAX (range.high, ranges[i].high)};
  return range.high < range.low ? (Range){0, 0} : range;
}

/* SPDX-License-Identifier: MIT
 *
 * Of types other than 8 bits every pixel is looked at.
 */
#include "core/view/shown_range.h"

#include "core/data/pixel_type.h"

enum { MANY = 1 << 16 }; /* pixels that are worth several threads */

#define ON_ALL_CORES                                                                                                   \
  _Pragma ("omp parallel for simd if(parallel : n > MANY) reduction(min : least) reduction(max : most)")
/* From the greatest value of the type down, and from the least up: compilers make vectors of that. */
#define DEFINE_RANGE(T, LEAST, MOST, IF_USED)                                                                          \
  static Range range_##T (const void *pixels, gint64 n)                                                                \
  {                                                                                                                    \
    const T *p = pixels;                                                                                               \
    T least = MOST, most = LEAST;                                                                                      \
    ON_ALL_CORES for (gint64 i = 0; i < n; i++)                                                                        \
    {                                                                                                                  \
      T low_or_not = IF_USED (p[i], MOST), high_or_not = IF_USED (p[i], LEAST);                                        \
      least = low_or_not < least ? low_or_not : least;                                                                 \
      most = high_or_not > most ? high_or_not : most;                                                                  \
    }                                                                                                                  \
    return most < least ? (Range){0, 0} : (Range){(double) least, (double) most};                                      \
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
  double least = INFINITY, most = -INFINITY;
#pragma omp parallel for if (n > MANY) reduction(min : least) reduction(max : most)
  for (gint64 i = 0; i < n; i++) {
    double value = pixel_type_value (type, pixels, i);
    if (isfinite (value)) {
      least = value < least ? value : least;
      most = value > most ? value : most;
    }
  }
  return most < least ? (Range){0, 0} : (Range){least, most};
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
  switch (type) {
  case FV_U16: return range_guint16 (pixels, n);
  case FV_I32: return range_gint32 (pixels, n);
  case FV_F32: return range_float (pixels, n);
  case FV_F64: return range_double (pixels, n);
  default: return range_of_values (type, pixels, n);
  }
}

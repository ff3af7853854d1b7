/* SPDX-License-Identifier: MIT
 *
 * Sums stay in registers where there are few samples: through memory each would wait for the one before it. Of one sample many are
 * summed up at once.
 */
#include "core/files/tiff/predictor.h"

#include "core/base/vectorised.h"

gboolean
files_tiff_predictor_known (guint bits)
{
  return bits == 8 || bits == 16 || bits == 32;
}

#define MAKE(TYPE)                                                                                                     \
  VECTORISED static void undo_1_##TYPE (TYPE *p, gsize n)                                                              \
  {                                                                                                                    \
    TYPE sum = 0;                                                                                                      \
    _Pragma ("omp simd reduction(inscan, + : sum)") for (gsize i = 0; i < n; i++)                                      \
    {                                                                                                                  \
      sum = (TYPE) (sum + p[i]);                                                                                       \
      _Pragma ("omp scan inclusive(sum)") p[i] = sum;                                                                  \
    }                                                                                                                  \
  }                                                                                                                    \
  static void undo_3_##TYPE (TYPE *p, gsize n)                                                                         \
  {                                                                                                                    \
    TYPE a = 0, b = 0, c = 0;                                                                                          \
    for (gsize i = 0; i < n; i++, p += 3) {                                                                            \
      p[0] = a = (TYPE) (a + p[0]);                                                                                    \
      p[1] = b = (TYPE) (b + p[1]);                                                                                    \
      p[2] = c = (TYPE) (c + p[2]);                                                                                    \
    }                                                                                                                  \
  }                                                                                                                    \
  static void undo_##TYPE (guint samples, gsize rows, gsize n, TYPE *p)                                                \
  {                                                                                                                    \
    for (gsize y = 0; y < rows; y++, p += n * samples)                                                                 \
      if (samples == 1)                                                                                                \
        undo_1_##TYPE (p, n);                                                                                          \
      else if (samples == 3)                                                                                           \
        undo_3_##TYPE (p, n);                                                                                          \
      else                                                                                                             \
        for (gsize i = samples; i < n * samples; i++)                                                                  \
          p[i] = (TYPE) (p[i] + p[i - samples]);                                                                       \
  }                                                                                                                    \
  static void do_##TYPE (guint samples, gsize rows, gsize n, TYPE *p)                                                  \
  {                                                                                                                    \
    for (gsize y = 0; y < rows; y++, p += n * samples)                                                                 \
      for (gsize i = n * samples - 1; i >= samples; i--)                                                               \
        p[i] = (TYPE) (p[i] - p[i - samples]);                                                                         \
  }

MAKE (guint8)
MAKE (guint16)
MAKE (guint32)

void
files_tiff_predictor_undo (guint bits, guint samples, gsize rows, gsize n, void *pixels)
{
  if (bits == 8)
    undo_guint8 (samples, rows, n, pixels);
  else if (bits == 16)
    undo_guint16 (samples, rows, n, pixels);
  else
    undo_guint32 (samples, rows, n, pixels);
}

void
files_tiff_predictor_do (guint bits, guint samples, gsize rows, gsize n, void *pixels)
{
  if (bits == 8)
    do_guint8 (samples, rows, n, pixels);
  else if (bits == 16)
    do_guint16 (samples, rows, n, pixels);
  else
    do_guint32 (samples, rows, n, pixels);
}

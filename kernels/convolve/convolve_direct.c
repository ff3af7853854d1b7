/* SPDX-License-Identifier: MIT
 *
 * Four rows by two vectors of sums stay in registers, and each row of pixels that is read serves all four. A weight touches no
 * pixel outside its window, not even with a zero, for what is there may be NaN.
 */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=fast")
#endif
#include "kernels/convolve/convolve_direct.h"

/* Row r of the pixels, for output row A when kernel row r - A there is. */
#define TAKE(A, IF)                                                                                                    \
  if (IF) {                                                                                                            \
    const weight wa = k[i - (A) *n];                                                                                   \
    sum[A][0] += wa * v0;                                                                                              \
    sum[A][1] += wa * v1;                                                                                              \
  }
#define TAKE_ROW(FIRST, LAST)                                                                                          \
  for (int64_t i = 0; i < n; i++) {                                                                                    \
    const lanes v0 = *(const lanes *) (from + i), v1 = *(const lanes *) (from + i + width);                            \
    TAKE (0, (FIRST) <= 0 && (LAST) >= 0)                                                                              \
    TAKE (1, (FIRST) <= 1 && (LAST) >= 1)                                                                              \
    TAKE (2, (FIRST) <= 2 && (LAST) >= 2)                                                                              \
    TAKE (3, (FIRST) <= 3 && (LAST) >= 3)                                                                              \
  }

#define DEFINE_DIRECT(NAME, T)                                                                                         \
  typedef T direct_##NAME __attribute__ ((vector_size (DIRECT_BYTES / 2), aligned (sizeof (T)), may_alias));           \
                                                                                                                       \
  VECTORISED static void correlate_##NAME (void *output, const void *input, int64_t pitch, const void *weights,        \
                                           int64_t m, int64_t n, int64_t rows, int64_t columns, bool add)              \
  {                                                                                                                    \
    typedef direct_##NAME lanes;                                                                                       \
    typedef T weight;                                                                                                  \
    const int64_t width = DIRECT_BYTES / 2 / (int64_t) sizeof (T);                                                     \
    for (int64_t y = 0; y < rows; y += DIRECT_ROWS)                                                                    \
      for (int64_t x = 0; x < columns; x += 2 * width) {                                                               \
        T *to = (T *) output + y * pitch + x;                                                                          \
        const T *from = (const T *) input + y * pitch + x, *k = weights;                                               \
        lanes sum[DIRECT_ROWS][2];                                                                                     \
        for (int a = 0; a < DIRECT_ROWS; a++)                                                                          \
          for (int b = 0; b < 2; b++)                                                                                  \
            sum[a][b] = add ? *(lanes *) (to + a * pitch + b * width) : (lanes){0};                                    \
        for (int64_t r = 0; r < m + DIRECT_ROWS - 1; r++, from += pitch, k += n) {                                     \
          if (r >= DIRECT_ROWS - 1 && r < m) {                                                                         \
            TAKE_ROW (0, 3)                                                                                            \
          } else {                                                                                                     \
            const int64_t first = r - m + 1, last = r;                                                                 \
            TAKE_ROW (first, last)                                                                                     \
          }                                                                                                            \
        }                                                                                                              \
        for (int a = 0; a < DIRECT_ROWS; a++)                                                                          \
          for (int b = 0; b < 2; b++)                                                                                  \
            *(lanes *) (to + a * pitch + b * width) = sum[a][b];                                                       \
      }                                                                                                                \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void add_##NAME (void *sum, const void *from, double w, int64_t n, bool add)                       \
  {                                                                                                                    \
    T *restrict to = sum;                                                                                              \
    const T *v = from, weight = (T) w;                                                                                 \
    for (int64_t i = 0; !add && i < n; i++)                                                                            \
      to[i] = 0;                                                                                                       \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      to[i] += weight * v[i];                                                                                          \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static bool bounded_##NAME (const void *from, int64_t n, double limit)                                    \
  {                                                                                                                    \
    const T *v = from, most = (T) limit;                                                                               \
    int outside = 0;                                                                                                   \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      outside |= !(v[i] <= most && v[i] >= -most);                                                                     \
    return !outside;                                                                                                   \
  }

DEFINE_DIRECT (f32, float)
DEFINE_DIRECT (f64, double)

const direct *
direct_of (fv_type type)
{
  static const direct of_f32 = {correlate_f32, add_f32, bounded_f32};
  static const direct of_f64 = {correlate_f64, add_f64, bounded_f64};
  return type == FV_F32 ? &of_f32 : &of_f64;
}

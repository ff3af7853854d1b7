/* SPDX-License-Identifier: MIT
 *
 * Four rows by two vectors of sums stay in registers, and each row of pixels that is read serves all four. A weight touches no
 * pixel outside its window, not even with a zero, for what is there may be NaN.
 */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=fast")
#endif
#include "kernels/convolve/convolve_direct.h"

#include "kernels/common/vectors.h"

/* Row r of the pixels, for output row A, whose kernel row is r - A. */
#define TAKE(A)                                                                                                        \
  {                                                                                                                    \
    const weight wa = k[i - (A) *n];                                                                                   \
    sum[A][0] += wa * *(const lanes *) (from + i);                                                                     \
    sum[A][1] += wa * *(const lanes *) (from + i + width);                                                             \
  }
/* By itself, where it is not for all of them: a choice in the loop was slower where few weights are summed. */
#define TAKE_ALONE(A)                                                                                                  \
  if (r >= (A) && r - (A) < m)                                                                                         \
    for (int64_t i = 0; i < n; i++)                                                                                    \
  TAKE (A)

#define DEFINE_CORRELATE(NAME, T, BYTES, ARCH)                                                                         \
  typedef T direct_##NAME __attribute__ ((vector_size (BYTES), aligned (sizeof (T)), may_alias));                      \
                                                                                                                       \
  ARCH static void correlate_##NAME (void *output, const void *input, int64_t pitch, const void *weights, int64_t m,   \
                                     int64_t n, int64_t rows, int64_t columns, bool add)                               \
  {                                                                                                                    \
    typedef direct_##NAME lanes;                                                                                       \
    typedef T weight;                                                                                                  \
    const int64_t width = (BYTES) / (int64_t) sizeof (T);                                                              \
    for (int64_t y = 0; y < rows; y += DIRECT_ROWS)                                                                    \
      for (int64_t x = 0; x < columns; x += 2 * width) {                                                               \
        T *to = (T *) output + y * pitch + x;                                                                          \
        const T *from = (const T *) input + y * pitch + x, *k = weights;                                               \
        lanes sum[DIRECT_ROWS][2];                                                                                     \
        for (int a = 0; a < DIRECT_ROWS; a++)                                                                          \
          for (int b = 0; b < 2; b++)                                                                                  \
            sum[a][b] = add ? *(lanes *) (to + a * pitch + b * width) : (lanes){0};                                    \
        for (int64_t r = 0; r < m + DIRECT_ROWS - 1; r++, from += pitch, k += n) {                                     \
          if (r >= DIRECT_ROWS - 1 && r < m)                                                                           \
            for (int64_t i = 0; i < n; i++) {                                                                          \
              TAKE (0)                                                                                                 \
              TAKE (1)                                                                                                 \
              TAKE (2)                                                                                                 \
              TAKE (3)                                                                                                 \
            }                                                                                                          \
          else {                                                                                                       \
            TAKE_ALONE (0)                                                                                             \
            TAKE_ALONE (1)                                                                                             \
            TAKE_ALONE (2)                                                                                             \
            TAKE_ALONE (3)                                                                                             \
          }                                                                                                            \
        }                                                                                                              \
        for (int a = 0; a < DIRECT_ROWS; a++)                                                                          \
          for (int b = 0; b < 2; b++)                                                                                  \
            *(lanes *) (to + a * pitch + b * width) = sum[a][b];                                                       \
      }                                                                                                                \
  }

#define DEFINE_REST(NAME, T)                                                                                           \
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

DEFINE_CORRELATE (f32_16, float, 16, )
DEFINE_CORRELATE (f32_32, float, 32, AVX2)
DEFINE_CORRELATE (f32_64, float, 64, AVX512)
DEFINE_CORRELATE (f64_16, double, 16, )
DEFINE_CORRELATE (f64_32, double, 32, AVX2)
DEFINE_CORRELATE (f64_64, double, 64, AVX512)
DEFINE_REST (f32, float)
DEFINE_REST (f64, double)

const direct *
direct_with (fv_type type, int most)
{
  static const direct of_f32[] = {{correlate_f32_16, add_f32, bounded_f32},
                                  {correlate_f32_32, add_f32, bounded_f32},
                                  {correlate_f32_64, add_f32, bounded_f32}};
  static const direct of_f64[] = {{correlate_f64_16, add_f64, bounded_f64},
                                  {correlate_f64_32, add_f64, bounded_f64},
                                  {correlate_f64_64, add_f64, bounded_f64}};
  return &(type == FV_F32 ? of_f32 : of_f64)[vector_bytes (most) / 32];
}

const direct *
direct_of (fv_type type)
{
  return direct_with (type, DIRECT_BYTES / 2);
}

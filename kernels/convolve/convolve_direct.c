/* SPDX-License-Identifier: MIT
 *
 * Four rows by two vectors of sums stay in registers, and each row of pixels that is read serves all four. A weight touches no
 * pixel outside its window, not even with a zero, for what is there may be NaN.
 */
#include "kernels/convolve/convolve_direct.h"

#include "kernels/common/vectors.h"

/* Adds a row of pixels to the sums of output row A. */
#define TAKE(A)                                                                                                        \
  {                                                                                                                    \
    const lanes weight = k[-(A) *n] - (lanes){0};                                                                      \
    part[A][0] = FMA (weight, v0, part[A][0]);                                                                         \
    part[A][1] = FMA (weight, v1, part[A][1]);                                                                         \
  }

/* The next row of pixels, for the output rows in TAKES. */
#define ROW(TAKES)                                                                                                     \
  {                                                                                                                    \
    const lanes v0 = *(const lanes *) v, v1 = *(const lanes *) (v + width);                                            \
    TAKES v += pitch;                                                                                                  \
    k += n;                                                                                                            \
  }

/* A chunk of the kernel, of `rows` x `count` values, column by column: four output rows need three rows of pixels more. */
#define EACH_COLUMN                                                                                                    \
  for (const number *v_at = at, *k_at = w, *v = v_at, *k = k_at; v_at < at + count; v = ++v_at, k = ++k_at)
#define ADD_CHUNK                                                                                                      \
  if (rows == 1) {                                                                                                     \
    EACH_COLUMN                                                                                                        \
    for (int a = 0; a < DIRECT_ROWS; a++)                                                                              \
      for (int b = 0; b < 2; b++)                                                                                      \
        part[a][b] = FMA (*k - (lanes){0}, *(const lanes *) (v + a * pitch + b * width), part[a][b]);                  \
  } else if (rows == 2) {                                                                                              \
    EACH_COLUMN                                                                                                        \
    {                                                                                                                  \
      ROW (TAKE (0)) ROW (TAKE (0) TAKE (1)) ROW (TAKE (1) TAKE (2)) ROW (TAKE (2) TAKE (3)) ROW (TAKE (3))            \
    }                                                                                                                  \
  } else {                                                                                                             \
    EACH_COLUMN                                                                                                        \
    {                                                                                                                  \
      ROW (TAKE (0))                                                                                                   \
      ROW (TAKE (0) TAKE (1))                                                                                          \
      ROW (TAKE (0) TAKE (1) TAKE (2))                                                                                 \
      for (int64_t r = 3; r < rows; r++)                                                                               \
        ROW (TAKE (0) TAKE (1) TAKE (2) TAKE (3))                                                                      \
      ROW (TAKE (1) TAKE (2) TAKE (3)) ROW (TAKE (2) TAKE (3)) ROW (TAKE (3))                                          \
    }                                                                                                                  \
  }

/* APART: the sum of a chunk is made by itself. */
#define DEFINE_CORRELATE(NAME, T, BYTES, ARCH, APART)                                                                  \
  typedef T direct_##NAME __attribute__ ((vector_size (BYTES), aligned (sizeof (T)), may_alias));                      \
                                                                                                                       \
  ARCH static void correlate_##NAME (void *output, const void *input, int64_t pitch, const void *weights, int64_t m,   \
                                     int64_t n, int64_t rows_out, int64_t columns, bool add)                           \
  {                                                                                                                    \
    typedef direct_##NAME lanes;                                                                                       \
    typedef T number;                                                                                                  \
    const int64_t width = (BYTES) / (int64_t) sizeof (T);                                                              \
    const lanes zeros = {0};                                                                                           \
    for (int64_t y = 0; y < rows_out; y += DIRECT_ROWS)                                                                \
      for (int64_t x = 0; x < columns; x += 2 * width) {                                                               \
        T *to = (T *) output + y * pitch + x;                                                                          \
        const T *from = (const T *) input + y * pitch + x;                                                             \
        lanes sum[DIRECT_ROWS][2];                                                                                     \
        for (int a = 0; a < DIRECT_ROWS; a++)                                                                          \
          for (int b = 0; b < 2; b++)                                                                                  \
            sum[a][b] = add ? *(lanes *) (to + a * pitch + b * width) : zeros;                                         \
        for (int64_t j = 0; j < m; j += CONVOLVE_CHUNK)                                                                \
          for (int64_t i = 0; i < n; i += CONVOLVE_CHUNK) {                                                            \
            const int64_t rows = m - j < CONVOLVE_CHUNK ? m - j : CONVOLVE_CHUNK;                                      \
            const int64_t count = n - i < CONVOLVE_CHUNK ? n - i : CONVOLVE_CHUNK;                                     \
            lanes part[DIRECT_ROWS][2];                                                                                \
            for (int a = 0; a < DIRECT_ROWS; a++)                                                                      \
              for (int b = 0; b < 2; b++)                                                                              \
                part[a][b] = (APART) ? zeros : sum[a][b];                                                              \
            const T *at = from + j * pitch + i, *w = (const T *) weights + j * n + i;                                  \
            ADD_CHUNK                                                                                                  \
            for (int a = 0; a < DIRECT_ROWS; a++)                                                                      \
              for (int b = 0; b < 2; b++)                                                                              \
                sum[a][b] = (APART) ? (lanes) (sum[a][b] + part[a][b]) : part[a][b];                                   \
          }                                                                                                            \
        for (int a = 0; a < DIRECT_ROWS; a++)                                                                          \
          for (int b = 0; b < 2; b++)                                                                                  \
            *(lanes *) (to + a * pitch + b * width) = sum[a][b];                                                       \
      }                                                                                                                \
  }

#define DEFINE_REST(NAME, T, APART, FMA_T)                                                                             \
  VECTORISED static void add_##NAME (void *sum, const void *from, double w, int64_t n, bool add)                       \
  {                                                                                                                    \
    T *restrict to = sum;                                                                                              \
    const T *v = from, weight = (T) w;                                                                                 \
    for (int64_t i = 0; !add && i < n; i++)                                                                            \
      to[i] = 0;                                                                                                       \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      to[i] = (APART) ? to[i] + weight * v[i] : FMA_T (weight, v[i], to[i]);                                           \
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

#define FMA(a, b, c) (lanes) FMA_f32_16 (a, b, c)
DEFINE_CORRELATE (f32_16, float, 16, , true)
#undef FMA
#define FMA(a, b, c) (lanes) FMA_f32_32 (a, b, c)
DEFINE_CORRELATE (f32_32, float, 32, AVX2, true)
#undef FMA
#define FMA(a, b, c) (lanes) FMA_f32_64 (a, b, c)
DEFINE_CORRELATE (f32_64, float, 64, AVX512, true)
#undef FMA
#define FMA(a, b, c) (lanes) FMA_f64_16 (a, b, c)
DEFINE_CORRELATE (f64_16, double, 16, , false)
#undef FMA
#define FMA(a, b, c) (lanes) FMA_f64_32 (a, b, c)
DEFINE_CORRELATE (f64_32, double, 32, AVX2, false)
#undef FMA
#define FMA(a, b, c) (lanes) FMA_f64_64 (a, b, c)
DEFINE_CORRELATE (f64_64, double, 64, AVX512, false)
#undef FMA
DEFINE_REST (f32, float, true, fmaf)
DEFINE_REST (f64, double, false, fma)

const direct_sums *
direct_with (fv_type type, int most)
{
  static const direct_sums of_f32[] = {{correlate_f32_16, add_f32, bounded_f32},
                                       {correlate_f32_32, add_f32, bounded_f32},
                                       {correlate_f32_64, add_f32, bounded_f32}};
  static const direct_sums of_f64[] = {{correlate_f64_16, add_f64, bounded_f64},
                                       {correlate_f64_32, add_f64, bounded_f64},
                                       {correlate_f64_64, add_f64, bounded_f64}};
  return &(type == FV_F32 ? of_f32 : of_f64)[vector_bytes (most) / 32];
}

const direct_sums *
direct_of (fv_type type)
{
  return direct_with (type, DIRECT_BYTES / 2);
}

/* SPDX-License-Identifier: MIT
 *
 * The inner loops of patch_match on the CPU, for each number of channels and each radius, so that they are unrolled.
 */
#include "kernels/patch/match_rows.h"

/* Calls F with a constant last argument. */
#define WITH_CHANNELS(N, F, ...)                                                                                       \
  switch (N) {                                                                                                         \
  case 1: F (__VA_ARGS__, 1); break;                                                                                   \
  case 2: F (__VA_ARGS__, 2); break;                                                                                   \
  case 3: F (__VA_ARGS__, 3); break;                                                                                   \
  default: F (__VA_ARGS__, 4); break;                                                                                  \
  }
#define WITH_RADIUS(R, F, ...)                                                                                         \
  switch (R) {                                                                                                         \
  case 1: F (__VA_ARGS__, 1); break;                                                                                   \
  case 2: F (__VA_ARGS__, 2); break;                                                                                   \
  case 3: F (__VA_ARGS__, 3); break;                                                                                   \
  case 4: F (__VA_ARGS__, 4); break;                                                                                   \
  case 5: F (__VA_ARGS__, 5); break;                                                                                   \
  case 6: F (__VA_ARGS__, 6); break;                                                                                   \
  default: F (__VA_ARGS__, 7); break;                                                                                  \
  }

#define WHOLE(N) (((N) + MATCH_LANES - 1) & -MATCH_LANES)

#define DEFINE_ROWS(NAME, T, ID)                                                                                       \
  INLINE void squares_##NAME (T *restrict to, const T *restrict a, int64_t a_stride, const T *restrict b,              \
                              int64_t b_stride, int64_t n, int channels)                                               \
  {                                                                                                                    \
    for (int64_t x = 0; x < WHOLE (n); x++) {                                                                          \
      T sum = (a[x] - b[x]) * (a[x] - b[x]);                                                                           \
      for (int c = 1; c < channels; c++) {                                                                             \
        T d = a[c * a_stride + x] - b[c * b_stride + x];                                                               \
        sum += d * d;                                                                                                  \
      }                                                                                                                \
      to[x] = sum;                                                                                                     \
    }                                                                                                                  \
  }                                                                                                                    \
  INLINE void across_##NAME (T *restrict to, const T *restrict from, int64_t n, int radius)                            \
  {                                                                                                                    \
    for (int64_t x = 0; x < WHOLE (n); x++) {                                                                          \
      T sum = from[x];                                                                                                 \
      for (int i = 1; i <= 2 * radius; i++)                                                                            \
        sum += from[x + i];                                                                                            \
      to[x] = sum;                                                                                                     \
    }                                                                                                                  \
  }                                                                                                                    \
  VECTORISED static void sum_##NAME (void *to, match_pixels a, match_pixels b, int64_t rows, int64_t n,                \
                                     int64_t channels, int64_t radius)                                                 \
  {                                                                                                                    \
    T line[MATCH_COLUMNS + 2 * (MATCH_RADIUS + MATCH_LANES)], *sums = to;                                              \
    const T *from = a.data, *other = b.data;                                                                           \
    int64_t wide = WHOLE (n) + 2 * radius;                                                                             \
    for (int64_t y = 0; y < rows; y++, sums += MATCH_COLUMNS, from += a.stride, other += b.stride) {                   \
      WITH_CHANNELS (channels, squares_##NAME, line, from, a.channel_stride, other, b.channel_stride, wide);           \
      WITH_RADIUS (radius, across_##NAME, sums, line, n);                                                              \
      for (int64_t x = n; x < WHOLE (n); x++)                                                                          \
        sums[x] = (T) INFINITY;                                                                                        \
    }                                                                                                                  \
  }                                                                                                                    \
  INLINE void down_##NAME (T *restrict least, ID *restrict which, ID id, const T *restrict sums, int64_t n,            \
                           int radius)                                                                                 \
  {                                                                                                                    \
    for (int64_t x = 0; x < WHOLE (n); x++) {                                                                          \
      T sum = sums[x];                                                                                                 \
      for (int i = 1; i <= 2 * radius; i++)                                                                            \
        sum += sums[i * MATCH_COLUMNS + x];                                                                            \
      which[x] = sum < least[x] ? id : which[x];                                                                       \
      least[x] = sum < least[x] ? sum : least[x];                                                                      \
    }                                                                                                                  \
  }                                                                                                                    \
  VECTORISED static void keep_##NAME (void *least, void *which, int64_t id, const void *sums, int64_t rows, int64_t n, \
                                      int64_t radius)                                                                  \
  {                                                                                                                    \
    for (int64_t at = 0; at < rows * MATCH_COLUMNS; at += MATCH_COLUMNS)                                               \
      WITH_RADIUS (radius, down_##NAME, (T *) least + at, (ID *) which + at, (ID) id, (const T *) sums + at, n);       \
  }                                                                                                                    \
  const match_rows match_rows_##NAME = {sizeof (T), sizeof (ID), sum_##NAME, keep_##NAME};
DEFINE_ROWS (f32, float, int32_t)
DEFINE_ROWS (f64, double, int64_t)

/* SPDX-License-Identifier: MIT
 */
#include "kernels/label/runs.h"

#include "kernels/common/bits.h"

#define DEFINE_EQUAL(NAME, T)                                                                                          \
  VECTORISED static void equal_##NAME (const void *first, const void *second, int64_t n, uint64_t *bits)               \
  {                                                                                                                    \
    for (int64_t x = 0; x <= n; x += 64) {                                                                             \
      const T *a = (const T *) first + x, *b = (const T *) second + x;                                                 \
      uint8_t hits[64] = {0};                                                                                          \
      if (n - x >= 64)                                                                                                 \
        for (int i = 0; i < 64; i++)                                                                                   \
          hits[i] = (a[i] == b[i]) & (a[i] != 0);                                                                      \
      else                                                                                                             \
        for (int i = 0; i < n - x; i++)                                                                                \
          hits[i] = (a[i] == b[i]) & (a[i] != 0);                                                                      \
      uint64_t all = 0;                                                                                                \
      for (int i = 0; i < 8; i++)                                                                                      \
        all |= bits_of_eight (hits + 8 * i) << 8 * i;                                                                  \
      *bits++ = all;                                                                                                   \
    }                                                                                                                  \
  }
DEFINE_EQUAL (u8, uint8_t)
DEFINE_EQUAL (u16, uint16_t)
DEFINE_EQUAL (i32, int32_t)
DEFINE_EQUAL (f32, float)
DEFINE_EQUAL (f64, double)

equal_fn *
label_equal_for (fv_type type)
{
  switch (type) {
  case FV_U8: return equal_u8;
  case FV_U16: return equal_u16;
  case FV_I32: return equal_i32;
  case FV_F32: return equal_f32;
  default: return equal_f64;
  }
}

/* Words from foreground bits and from bits that say which pixels go on in the next one. Returns the runs. */
VECTORISED static int64_t
make_words (const uint64_t *on, const uint64_t *next, int64_t n, uint64_t *carry, word *to)
{
  int64_t runs = 0;
  for (int64_t k = 0; k < n; k++) {
    to[k] = (word){on[k], on[k] & ~(next[k] << 1 | *carry)};
    *carry = next[k] >> 63;
    runs += count_bits (to[k].start);
  }
  return runs;
}

static int64_t
row_to_words (const plane_group *s, int64_t row)
{
  const char *pixels = group_pixels (s, row);
  word *to = s->words + row * s->row_words;
  uint64_t on[RUNS_CHUNK + 1], next[RUNS_CHUNK + 1], carry = 0;
  bool equal = s->args->values == LABEL_EQUAL;
  int64_t runs = 0;

  for (int64_t k = 0; k < s->row_words; k += RUNS_CHUNK) {
    int64_t left = s->columns - 64 * k, n = left < 64 * RUNS_CHUNK ? left : 64 * RUNS_CHUNK;
    const char *at = pixels + 64 * k * (int64_t) s->pixel_bytes;
    s->equal (at, at, n, on);
    if (equal)
      s->equal (at, at + s->pixel_bytes, n < left ? n : n - 1, next);
    runs += make_words (on, equal ? next : on, (n + 63) / 64, &carry, to + k);
  }
  return runs;
}

void
label_find_runs (const plane_group *s, int64_t from, int64_t to)
{
  for (int64_t row = from; row < to; row++) {
    int64_t runs = row_to_words (s, row);
    s->runs[row + 1] = runs > INT32_MAX ? -1 : (int32_t) runs;
  }
}

/* SPDX-License-Identifier: MIT
 *
 * minimum: the loops, for integers of 8 to 64 bits and for packed bits, where the minimum is "and".
 */
#include "kernels/morphology/minimum.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* What stays in the nearest cache while all windows are taken. */
#define CHUNK_BYTES 4096

INLINE int64_t
lesser (int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* ---- Integers ---- */

#define DEFINE_LOOPS(NAME, T)                                                                                          \
  INLINE T min_##NAME (T a, T b)                                                                                       \
  {                                                                                                                    \
    return a < b ? a : b;                                                                                              \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void widen_##NAME (void *tile, int64_t n, int64_t step)                                            \
  {                                                                                                                    \
    T *p = tile;                                                                                                       \
    for (int64_t i = 0; i < n - step; i++)                                                                             \
      p[i] = min_##NAME (p[i], p[i + step]);                                                                           \
  }                                                                                                                    \
                                                                                                                       \
  INLINE void take_##NAME (T *o, const T *p, const int64_t *offset, int n_offsets, int64_t n)                          \
  {                                                                                                                    \
    const T *a = p + offset[0], *b = n_offsets > 1 ? p + offset[1] : a;                                                \
    const T *c = n_offsets > 2 ? p + offset[2] : b, *d = n_offsets > 3 ? p + offset[3] : c;                            \
    _Pragma ("omp simd") for (int64_t i = 0; i < n; i++)                                                               \
    {                                                                                                                  \
      T v = min_##NAME (o[i], a[i]);                                                                                   \
      v = n_offsets > 1 ? min_##NAME (v, b[i]) : v;                                                                    \
      v = n_offsets > 2 ? min_##NAME (v, c[i]) : v;                                                                    \
      o[i] = n_offsets > 3 ? min_##NAME (v, d[i]) : v;                                                                 \
    }                                                                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void combine_##NAME (void *to, const void *tile, const int64_t *offset, int64_t n_offsets,         \
                                         int64_t n)                                                                    \
  {                                                                                                                    \
    const int64_t chunk = CHUNK_BYTES / sizeof (T);                                                                    \
    for (int64_t begin = 0; begin < n; begin += chunk) {                                                               \
      const T *p = (const T *) tile + begin;                                                                           \
      T *o = (T *) to + begin;                                                                                         \
      int64_t m = lesser (chunk, n - begin), k = 0;                                                                    \
      for (; k + 4 <= n_offsets; k += 4)                                                                               \
        take_##NAME (o, p, offset + k, 4, m);                                                                          \
      switch (n_offsets - k) {                                                                                         \
      case 3: take_##NAME (o, p, offset + k, 3, m); break;                                                             \
      case 2: take_##NAME (o, p, offset + k, 2, m); break;                                                             \
      case 1: take_##NAME (o, p, offset + k, 1, m); break;                                                             \
      }                                                                                                                \
    }                                                                                                                  \
  }

/* The integers of a tile are of the same order as the pixels: KEY (pixel) ^ flip, with flip all ones for a maximum. */
#define DEFINE_MINIMUM(NAME, T, LOOPS, K, NEUTRAL, KEY, PIXEL)                                                         \
  VECTORISED static void load_##NAME (void *tile, int64_t at, const void *from, int64_t n, bool maximum)               \
  {                                                                                                                    \
    const T *p = from;                                                                                                 \
    K *o = (K *) tile + at, flip = (K) (maximum ? ~(K) 0 : 0);                                                         \
    _Pragma ("omp simd") for (int64_t i = 0; i < n; i++) o[i] = KEY (p[i], flip);                                      \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void store_##NAME (void *to, const void *tile, int64_t at, int64_t n, bool maximum)                \
  {                                                                                                                    \
    T *o = to;                                                                                                         \
    const K *p = (const K *) tile + at, flip = (K) (maximum ? ~(K) 0 : 0);                                             \
    _Pragma ("omp simd") for (int64_t i = 0; i < n; i++) o[i] = PIXEL (p[i], flip);                                    \
  }                                                                                                                    \
                                                                                                                       \
  static void clear_##NAME (void *tile, int64_t at, int64_t n)                                                         \
  {                                                                                                                    \
    for (int64_t i = at; i < at + n; i++)                                                                              \
      ((K *) tile)[i] = (NEUTRAL);                                                                                     \
  }                                                                                                                    \
                                                                                                                       \
  static const minimum minimum_##NAME = {8 * sizeof (K), load_##NAME,   store_##NAME,                                  \
                                         clear_##NAME,   widen_##LOOPS, combine_##LOOPS};

/* A float's bits are ordered by magnitude: those of a negative one are complemented, but for the sign. */
#define INFINITY_32 0x7f800000
#define INFINITY_64 0x7ff0000000000000
#define ORDERED(K, TOP) ((K) ^ ((K) < 0 ? (TOP) : 0))

INLINE int32_t
key_f32 (int32_t v, int32_t flip)
{
  return (v & INT32_MAX) > INFINITY_32 ? INT32_MIN : ORDERED (v, INT32_MAX) ^ flip;
}

INLINE int32_t
pixel_f32 (int32_t k, int32_t flip)
{
  return ORDERED (k ^ flip, INT32_MAX);
}

INLINE int64_t
key_f64 (int64_t v, int64_t flip)
{
  return (v & INT64_MAX) > INFINITY_64 ? INT64_MIN : ORDERED (v, INT64_MAX) ^ flip;
}

INLINE int64_t
pixel_f64 (int64_t k, int64_t flip)
{
  return ORDERED (k ^ flip, INT64_MAX);
}

#define FLIP_U8(V, FLIP) ((uint8_t) ((V) ^ (FLIP)))
#define FLIP_U16(V, FLIP) ((uint16_t) ((V) ^ (FLIP)))
#define FLIP_I32(V, FLIP) ((V) ^ (FLIP))

DEFINE_LOOPS (u8, uint8_t)
DEFINE_LOOPS (u16, uint16_t)
DEFINE_LOOPS (i32, int32_t)
DEFINE_LOOPS (i64, int64_t)
DEFINE_MINIMUM (u8, uint8_t, u8, uint8_t, UINT8_MAX, FLIP_U8, FLIP_U8)
DEFINE_MINIMUM (u16, uint16_t, u16, uint16_t, UINT16_MAX, FLIP_U16, FLIP_U16)
DEFINE_MINIMUM (i32, int32_t, i32, int32_t, INT32_MAX, FLIP_I32, FLIP_I32)
DEFINE_MINIMUM (f32, int32_t, i32, int32_t, INFINITY_32, key_f32, pixel_f32)
DEFINE_MINIMUM (f64, int64_t, i64, int64_t, INFINITY_64, key_f64, pixel_f64)

const minimum *
minimum_of (fv_type type)
{
  switch (type) {
  case FV_U8: return &minimum_u8;
  case FV_U16: return &minimum_u16;
  case FV_I32: return &minimum_i32;
  case FV_F32: return &minimum_f32;
  default: return &minimum_f64;
  }
}

/* ---- Bits: pixel i is bit i % 64 of word i / 64 ---- */

/* The 64 pixels from word[0] bit `shift` on. */
INLINE uint64_t
word_at (const uint64_t *word, int shift)
{
  return word[0] >> shift | word[1] << 1 << (63 - shift);
}

static void
clear_bits (void *tile, int64_t at, int64_t n)
{
  for (int64_t i = (at + 63) / 64; i < (at + n + 63) / 64; i++)
    ((uint64_t *) tile)[i] = UINT64_MAX;
}

VECTORISED static void
widen_bits (void *tile, int64_t n, int64_t step)
{
  uint64_t *p = tile;
  int64_t skip = step / 64, words = n / 64 - skip - 1;
  int shift = (int) (step % 64);
  for (int64_t i = 0; i < words; i++)
    p[i] &= word_at (p + i + skip, shift);
  p[words] &= p[words + skip] >> shift | ~(UINT64_MAX >> shift);
}

VECTORISED static void
combine_bits (void *to, const void *tile, const int64_t *offset, int64_t n_offsets, int64_t n)
{
  for (int64_t k = 0; k < n_offsets; k++) {
    const uint64_t *p = (const uint64_t *) tile + offset[k] / 64;
    uint64_t *o = to;
    int shift = (int) (offset[k] % 64);
#pragma omp simd
    for (int64_t i = 0; i < n / 64; i++)
      o[i] &= word_at (p + i, shift);
  }
}

#ifdef __SSE2__
/* Which of 64 bytes are not zero. */
INLINE uint64_t
pack (const uint8_t *p)
{
  uint64_t zeros = 0;
  for (int i = 0; i < 64; i += 16) {
    __m128i sixteen = _mm_loadu_si128 ((const __m128i *) (p + i));
    zeros |= (uint64_t) _mm_movemask_epi8 (_mm_cmpeq_epi8 (sixteen, _mm_setzero_si128 ())) << i;
  }
  return ~zeros;
}

/* 255 where a bit is set: each byte of the word is spread over eight, and each of those looks at its own bit. */
INLINE void
unpack (uint8_t *to, uint64_t word)
{
  const __m128i own = _mm_set1_epi64x ((long long) 0x8040201008040201);
  for (int i = 0; i < 64; i += 16, word >>= 16) {
    __m128i v = _mm_cvtsi32_si128 ((int) (word & 0xffff));
    v = _mm_unpacklo_epi8 (v, v);
    v = _mm_unpacklo_epi16 (v, v);
    v = _mm_unpacklo_epi32 (v, v);
    _mm_storeu_si128 ((__m128i *) (to + i), _mm_cmpeq_epi8 (_mm_and_si128 (v, own), own));
  }
}
#else
INLINE uint64_t
pack (const uint8_t *p)
{
  uint64_t word = 0;
  for (int i = 0; i < 64; i++)
    word |= (uint64_t) (p[i] != 0) << i;
  return word;
}

INLINE void
unpack (uint8_t *to, uint64_t word)
{
  for (int i = 0; i < 64; i++)
    to[i] = word >> i & 1 ? 255 : 0;
}
#endif

/* Ones from bit n % 64 on, if the last of n bits does not end a word. */
INLINE uint64_t
rest (int64_t n)
{
  return UINT64_MAX << (n % 64);
}

static void
load_bytes (void *tile, int64_t at, const void *from, int64_t n, bool maximum)
{
  const uint8_t *p = from;
  uint64_t *o = (uint64_t *) tile + at / 64, flip = maximum ? UINT64_MAX : 0;
  uint8_t last[64] = {0};
  for (int64_t i = 0; i < n / 64; i++)
    o[i] = pack (p + 64 * i) ^ flip;
  if (n % 64) {
    memcpy (last, p + n / 64 * 64, (size_t) (n % 64));
    o[n / 64] = (pack (last) ^ flip) | rest (n);
  }
}

static void
store_bytes (void *to, const void *tile, int64_t at, int64_t n, bool maximum)
{
  const uint64_t *p = (const uint64_t *) tile + at / 64, flip = maximum ? UINT64_MAX : 0;
  uint8_t *o = to, last[64];
  for (int64_t i = 0; i < n / 64; i++)
    unpack (o + 64 * i, p[i] ^ flip);
  if (n % 64) {
    unpack (last, p[n / 64] ^ flip);
    memcpy (o + n / 64 * 64, last, (size_t) (n % 64));
  }
}

VECTORISED static void
copy_words (uint64_t *to, const uint64_t *from, int64_t n, uint64_t flip)
{
#pragma omp simd
  for (int64_t i = 0; i < (n + 63) / 64; i++)
    to[i] = from[i] ^ flip;
}

static void
load_words (void *tile, int64_t at, const void *from, int64_t n, bool maximum)
{
  uint64_t *o = (uint64_t *) tile + at / 64;
  copy_words (o, from, n, maximum ? UINT64_MAX : 0);
  if (n % 64)
    o[n / 64] |= rest (n);
}

static void
store_words (void *to, const void *tile, int64_t at, int64_t n, bool maximum)
{
  copy_words (to, (const uint64_t *) tile + at / 64, n, maximum ? UINT64_MAX : 0);
}

const minimum *
minimum_of_bits (bool from_bytes, bool to_bytes)
{
#define BITS(LOAD, STORE)                                                                                              \
  {                                                                                                                    \
    1, LOAD, STORE, clear_bits, widen_bits, combine_bits                                                               \
  }
  static const minimum kinds[2][2] = {{BITS (load_words, store_words), BITS (load_words, store_bytes)},
                                      {BITS (load_bytes, store_words), BITS (load_bytes, store_bytes)}};
#undef BITS
  return &kinds[from_bytes][to_bytes];
}

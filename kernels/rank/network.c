/* SPDX-License-Identifier: MIT
 *
 * network: Batcher's odd-even merge sort (Sorting networks and their applications, 1968), without the exchanges, and halves of
 * exchanges, that the wanted rank does not depend on.
 */
#include "kernels/rank/network.h"

/* ---- Making it ---- */

static int64_t
all_exchanges (network_exchange *e, int64_t n)
{
  int64_t count = 0;
  for (int64_t p = 1; p < n; p *= 2)
    for (int64_t k = p; k >= 1; k /= 2)
      for (int64_t j = k % p; j + k < n; j += 2 * k)
        for (int64_t i = j; i < j + k && i + k < n; i++)
          if (i / (2 * p) == (i + k) / (2 * p)) {
            if (e)
              e[count] = (network_exchange){(int16_t) i, (int16_t) (i + k), true, true};
            count++;
          }
  return count;
}

int64_t
network_most (int64_t n)
{
  return all_exchanges (NULL, n);
}

int64_t
network_make (network_exchange *e, int64_t n, int64_t rank)
{
  int64_t all = all_exchanges (e, n), kept = all;
  bool wanted[NETWORK_MOST] = {false};
  wanted[rank] = true;
  for (int64_t i = all - 1; i >= 0; i--) {
    network_exchange x = {e[i].a, e[i].b, wanted[e[i].a], wanted[e[i].b]};
    if (!x.low && !x.high)
      continue;
    wanted[x.a] = wanted[x.b] = true;
    e[--kept] = x;
  }
  memmove (e, e + kept, (size_t) (all - kept) * sizeof *e);
  return all - kept;
}

/* ---- Doing it ---- */

#define LESSER(A, B) ((A) < (B) ? (A) : (B))
#define GREATER(A, B) ((A) < (B) ? (B) : (A))
/* Output may be the input itself. */
#define EACH_KEY(...)                                                                                                  \
  {                                                                                                                    \
    _Pragma ("GCC ivdep") for (int i = 0; i < (int) BLOCK; i++)                                                        \
    {                                                                                                                  \
      __VA_ARGS__;                                                                                                     \
    }                                                                                                                  \
  }

#define DEFINE_EXCHANGE(NAME, K)                                                                                       \
  VECTORISED static void exchange_##NAME (void *lines, const void **from, const network_exchange *e, int64_t n)        \
  {                                                                                                                    \
    enum { BLOCK = NETWORK_BLOCK / sizeof (K) };                                                                       \
    for (; n > 0; n--, e++) {                                                                                          \
      const K *v = from[e->a], *w = from[e->b];                                                                        \
      K *a = (K *) lines + e->a * BLOCK, *b = (K *) lines + e->b * BLOCK;                                              \
      if (e->low && e->high)                                                                                           \
        EACH_KEY (K low = LESSER (v[i], w[i]), high = GREATER (v[i], w[i]); a[i] = low; b[i] = high)                   \
      else if (e->low)                                                                                                 \
        EACH_KEY (a[i] = LESSER (v[i], w[i]))                                                                          \
      else                                                                                                             \
        EACH_KEY (b[i] = GREATER (v[i], w[i]))                                                                         \
      from[e->a] = e->low ? a : (const void *) v;                                                                      \
      from[e->b] = e->high ? b : (const void *) w;                                                                     \
    }                                                                                                                  \
  }

DEFINE_EXCHANGE (u8, uint8_t)
DEFINE_EXCHANGE (u16, uint16_t)
DEFINE_EXCHANGE (i32, int32_t)
DEFINE_EXCHANGE (i64, int64_t)

/* ---- Medians in registers ----
 *
 * Of nine, columns of three are put in order: the middle of the greatest of the least, the middle of the middle ones and the least of the greatest.
 * Of five, two pairs are: the middle of the greater of the lesser, the lesser of the greater and the fifth. */

#define DEFINE_NINE(NAME, K)                                                                                           \
  INLINE K middle_##NAME (K a, K b, K c)                                                                               \
  {                                                                                                                    \
    K low = LESSER (a, b), high = GREATER (a, b), rest = LESSER (high, c);                                             \
    return GREATER (low, rest);                                                                                        \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void nine_##NAME (void *to, const void *above, const void *own, const void *below, int64_t n)      \
  {                                                                                                                    \
    K *restrict o = to;                                                                                                \
    const K *a = above, *b = own, *c = below;                                                                          \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      K least[3], middle[3], greatest[3];                                                                              \
      for (int k = 0; k < 3; k++) {                                                                                    \
        K low = LESSER (a[i + k], b[i + k]), high = GREATER (a[i + k], b[i + k]);                                      \
        least[k] = LESSER (low, c[i + k]);                                                                             \
        greatest[k] = GREATER (high, c[i + k]);                                                                        \
        middle[k] = middle_##NAME (a[i + k], b[i + k], c[i + k]);                                                      \
      }                                                                                                                \
      K low = GREATER (least[0], least[1]), high = LESSER (greatest[0], greatest[1]);                                  \
      low = GREATER (low, least[2]);                                                                                   \
      high = LESSER (high, greatest[2]);                                                                               \
      o[i] = middle_##NAME (low, middle_##NAME (middle[0], middle[1], middle[2]), high);                               \
    }                                                                                                                  \
  }

DEFINE_NINE (u8, uint8_t)
DEFINE_NINE (u16, uint16_t)
DEFINE_NINE (i32, int32_t)
DEFINE_NINE (i64, int64_t)

#define DEFINE_FIVE(NAME, K)                                                                                           \
  VECTORISED static void five_##NAME (void *to, const void *above, const void *own, const void *below, int64_t n)      \
  {                                                                                                                    \
    K *restrict o = to;                                                                                                \
    const K *a = above, *b = own, *c = below;                                                                          \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      K low = LESSER (a[i + 1], c[i + 1]), high = GREATER (a[i + 1], c[i + 1]);                                        \
      K low_own = LESSER (b[i], b[i + 2]), high_own = GREATER (b[i], b[i + 2]);                                        \
      o[i] = middle_##NAME (GREATER (low, low_own), b[i + 1], LESSER (high, high_own));                                \
    }                                                                                                                  \
  }

DEFINE_FIVE (u8, uint8_t)
DEFINE_FIVE (u16, uint16_t)
DEFINE_FIVE (i32, int32_t)
DEFINE_FIVE (i64, int64_t)

/* ---- Keys ---- */

static bool
same_to_keys (void *row, int64_t n)
{
  (void) row, (void) n;
  return false;
}

static void
same_to_pixels (void *row, int64_t n)
{
  (void) row, (void) n;
}

/* A float's bits are ordered by magnitude: those of a negative one are complemented, but for the sign. */
#define DEFINE_FLOAT_KEYS(NAME, K, MOST, INFINITE)                                                                     \
  VECTORISED static bool NAME##_to_keys (void *row, int64_t n)                                                         \
  {                                                                                                                    \
    K *p = row, any = 0;                                                                                               \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      K v = p[i], nan = (v & (MOST)) > (INFINITE);                                                                     \
      any |= nan;                                                                                                      \
      p[i] = nan ? (MOST) : v < 0 ? v ^ (MOST) : v;                                                                    \
    }                                                                                                                  \
    return any != 0;                                                                                                   \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void NAME##_to_pixels (void *row, int64_t n)                                                       \
  {                                                                                                                    \
    K *p = row;                                                                                                        \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      p[i] = p[i] < 0 ? p[i] ^ (MOST) : p[i];                                                                          \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void NAME##_spread (void *line, const void *lines, int64_t n)                                      \
  {                                                                                                                    \
    enum { BLOCK = NETWORK_BLOCK / sizeof (K) };                                                                       \
    K *restrict o = line;                                                                                              \
    for (int64_t k = 0; k < n; k++) {                                                                                  \
      const K *p = (const K *) lines + k * BLOCK;                                                                      \
      for (int i = 0; i < BLOCK; i++)                                                                                  \
        o[i] = p[i] == (MOST) ? (MOST) : o[i];                                                                         \
    }                                                                                                                  \
  }

DEFINE_FLOAT_KEYS (f32, int32_t, INT32_MAX, 0x7f800000)
DEFINE_FLOAT_KEYS (f64, int64_t, INT64_MAX, 0x7ff0000000000000)

#define DEFINE_ORDER(NAME, K, U, SIGN)                                                                                 \
  static uint64_t order_##NAME (const void *keys, int64_t i)                                                           \
  {                                                                                                                    \
    return (U) ((U) ((const K *) keys)[i] ^ (SIGN));                                                                   \
  }                                                                                                                    \
                                                                                                                       \
  static void put_##NAME (void *keys, int64_t i, uint64_t ordered)                                                     \
  {                                                                                                                    \
    ((K *) keys)[i] = (K) ((U) ordered ^ (SIGN));                                                                      \
  }
DEFINE_ORDER (u8, uint8_t, uint8_t, 0)
DEFINE_ORDER (u16, uint16_t, uint16_t, 0)
DEFINE_ORDER (i32, int32_t, uint32_t, 1u << 31)
DEFINE_ORDER (i64, int64_t, uint64_t, (uint64_t) 1 << 63)

const network_type *
network_type_of (fv_type type)
{
#define TYPE(NAME, KEYS, K, SPREAD)                                                                                    \
  {                                                                                                                    \
    sizeof (K##_t), KEYS##_to_keys, KEYS##_to_pixels, exchange_##NAME, {five_##NAME, nine_##NAME}, SPREAD,             \
      order_##NAME, put_##NAME                                                                                         \
  }
  static const network_type u8 = TYPE (u8, same, uint8, NULL), u16 = TYPE (u16, same, uint16, NULL);
  static const network_type i32 = TYPE (i32, same, int32, NULL), f32 = TYPE (i32, f32, int32, f32_spread);
  static const network_type f64 = TYPE (i64, f64, int64, f64_spread);
  switch (type) {
  case FV_U8: return &u8;
  case FV_U16: return &u16;
  case FV_I32: return &i32;
  case FV_F32: return &f32;
  default: return &f64;
  }
}

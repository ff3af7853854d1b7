/* SPDX-License-Identifier: MIT
 *
 * Rows of pixels to and from float and double.
 */
#include "kernels/common/row.h"

#define DEFINE_ROW_TO(NAME, TO, FROM)                                                                                  \
  VECTORISED static void NAME (TO *restrict to, const FROM *restrict from, int64_t n)                                  \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      to[i] = (TO) from[i];                                                                                            \
  }

/* Adding and taking away `magic` leaves the nearest integer: at that size a unit in the last digit is 1. It keeps the
 * loop in vector registers where nearbyint() would not. The comparisons send NaN to 0. */
#define DEFINE_ROW_ROUND(NAME, TO, FROM, LOW, HIGH, MAGIC)                                                             \
  VECTORISED static void NAME (TO *restrict to, const FROM *restrict from, int64_t n)                                  \
  {                                                                                                                    \
    const FROM magic = (FROM) (MAGIC);                                                                                 \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      FROM v = from[i] == from[i] ? from[i] : 0;                                                                       \
      v = v > (FROM) (LOW) ? v : (FROM) (LOW);                                                                         \
      v = v < (FROM) (HIGH) ? v : (FROM) (HIGH);                                                                       \
      to[i] = (TO) (int32_t) ((v + magic) - magic);                                                                    \
    }                                                                                                                  \
  }

#define MAGIC_F32 0x1.8p23
#define MAGIC_F64 0x1.8p52

DEFINE_ROW_TO (f32_of_u8, float, uint8_t)
DEFINE_ROW_TO (f32_of_u16, float, uint16_t)
DEFINE_ROW_TO (f32_of_i32, float, int32_t)
DEFINE_ROW_TO (f32_of_f64, float, double)
DEFINE_ROW_TO (f64_of_u8, double, uint8_t)
DEFINE_ROW_TO (f64_of_u16, double, uint16_t)
DEFINE_ROW_TO (f64_of_i32, double, int32_t)
DEFINE_ROW_TO (f64_of_f32, double, float)
DEFINE_ROW_ROUND (u8_of_f32, uint8_t, float, 0, 255, MAGIC_F32)
DEFINE_ROW_ROUND (u16_of_f32, uint16_t, float, 0, 65535, MAGIC_F32)
DEFINE_ROW_ROUND (u8_of_f64, uint8_t, double, 0, 255, MAGIC_F64)
DEFINE_ROW_ROUND (u16_of_f64, uint16_t, double, 0, 65535, MAGIC_F64)
DEFINE_ROW_ROUND (i32_of_f64, int32_t, double, -2147483648.0, 2147483647.0, MAGIC_F64)

/* Floats have no spare digits at this size: each is rounded on its way through double. */
static void
i32_of_f32 (int32_t *to, const float *from, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    to[i] = round_to_i32 (from[i]);
}

void
row_to_f32 (void *to, const void *from, fv_type type, int64_t n)
{
  switch (type) {
  case FV_U8: f32_of_u8 (to, from, n); break;
  case FV_U16: f32_of_u16 (to, from, n); break;
  case FV_I32: f32_of_i32 (to, from, n); break;
  case FV_F32: memcpy (to, from, (size_t) n * sizeof (float)); break;
  default: f32_of_f64 (to, from, n); break;
  }
}

void
row_to_f64 (void *to, const void *from, fv_type type, int64_t n)
{
  switch (type) {
  case FV_U8: f64_of_u8 (to, from, n); break;
  case FV_U16: f64_of_u16 (to, from, n); break;
  case FV_I32: f64_of_i32 (to, from, n); break;
  case FV_F32: f64_of_f32 (to, from, n); break;
  default: memcpy (to, from, (size_t) n * sizeof (double)); break;
  }
}

void
row_from_f32 (void *to, fv_type type, const void *from, int64_t n)
{
  switch (type) {
  case FV_U8: u8_of_f32 (to, from, n); break;
  case FV_U16: u16_of_f32 (to, from, n); break;
  case FV_I32: i32_of_f32 (to, from, n); break;
  case FV_F32: memcpy (to, from, (size_t) n * sizeof (float)); break;
  default: f64_of_f32 (to, from, n); break;
  }
}

void
row_from_f64 (void *to, fv_type type, const void *from, int64_t n)
{
  switch (type) {
  case FV_U8: u8_of_f64 (to, from, n); break;
  case FV_U16: u16_of_f64 (to, from, n); break;
  case FV_I32: i32_of_f64 (to, from, n); break;
  case FV_F32: f32_of_f64 (to, from, n); break;
  default: memcpy (to, from, (size_t) n * sizeof (double)); break;
  }
}

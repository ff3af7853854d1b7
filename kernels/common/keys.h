/* SPDX-License-Identifier: MIT
 *
 * Keys of pixels: unsigned integers in the order of the values. -0 comes before 0, and NaN at the ends.
 */
#ifndef KERNELS_COMMON_KEYS_H
#define KERNELS_COMMON_KEYS_H

#include "kernels/common/common.h"

INLINE uint8_t
key_u8 (uint8_t v)
{
  return v;
}
INLINE uint16_t
key_u16 (uint16_t v)
{
  return v;
}
INLINE uint32_t
key_i32 (int32_t v)
{
  return (uint32_t) v ^ 0x80000000u;
}
INLINE uint32_t
key_f32 (float v)
{
  uint32_t bits;
  memcpy (&bits, &v, sizeof bits);
  return bits ^ ((uint32_t) - (int32_t) (bits >> 31) | 0x80000000u);
}
INLINE uint64_t
key_f64 (double v)
{
  uint64_t bits;
  memcpy (&bits, &v, sizeof bits);
  return bits ^ ((uint64_t) - (int64_t) (bits >> 63) | (uint64_t) 1 << 63);
}

/* The values of keys. */
INLINE double
value_u8 (uint8_t key)
{
  return key;
}
INLINE double
value_u16 (uint16_t key)
{
  return key;
}
INLINE double
value_i32 (uint32_t key)
{
  return (int32_t) (key ^ 0x80000000u);
}
INLINE double
value_f32 (uint32_t key)
{
  const uint32_t bits = key >> 31 ? key ^ 0x80000000u : ~key;
  float v;
  memcpy (&v, &bits, sizeof v);
  return (double) v;
}
INLINE double
value_f64 (uint64_t key)
{
  const uint64_t bits = key >> 63 ? key ^ (uint64_t) 1 << 63 : ~key;
  double v;
  memcpy (&v, &bits, sizeof v);
  return v;
}

/* The value of a key of that type: FV_U8, FV_U16, FV_I32, FV_F32 or FV_F64. */
INLINE double
key_value (fv_type type, uint64_t key)
{
  switch (type) {
  case FV_I32: return value_i32 ((uint32_t) key);
  case FV_F32: return value_f32 ((uint32_t) key);
  case FV_F64: return value_f64 (key);
  default: return (double) key;
  }
}

#endif

/* SPDX-License-Identifier: MIT
 *
 * Numbers of FV_F16 (IEEE 754 binary16) without the help of a compiler that knows them.
 */
#ifndef CORE_DATA_HALF_H
#define CORE_DATA_HALF_H

#include <glib.h>
#include <string.h>

/* The exponent's bias goes from 15 to 127 by a multiplication, which makes subnormal numbers right, too. */
static inline float
half_to_float (guint16 half)
{
  guint32 bits = (guint32) (half & 0x7fff) << 13;
  float value;
  memcpy (&value, &bits, sizeof value);
  value *= 0x1p112f;
  memcpy (&bits, &value, sizeof bits);
  bits |= (guint32) (half >> 15) << 31 | ((half & 0x7c00) == 0x7c00 ? 0x7f800000u : 0);
  memcpy (&value, &bits, sizeof value);
  return value;
}

/* The nearest, of two equally near ones the even one; infinity from 65520 on. NaN stays NaN. */
static inline guint16
half_from_float (float value)
{
  guint32 bits, sign, magnitude;
  float scaled;
  memcpy (&bits, &value, sizeof bits);
  sign = bits >> 16 & 0x8000;
  magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return (guint16) (sign | 0x7e00);
  if (magnitude >= 0x477ff000) /* 65520 */
    return (guint16) (sign | 0x7c00);
  if (magnitude < 0x38800000) { /* 2^-14: subnormal ones are multiples of 2^-24, which 0.5 + value rounds to */
    memcpy (&scaled, &magnitude, sizeof scaled);
    scaled += 0.5f;
    memcpy (&magnitude, &scaled, sizeof magnitude);
    return (guint16) (sign | (magnitude - 0x3f000000));
  }
  magnitude += 0xfff + (magnitude >> 13 & 1);
  return (guint16) (sign | ((magnitude - 0x38000000) >> 13));
}

#endif

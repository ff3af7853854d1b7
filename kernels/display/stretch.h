/* SPDX-License-Identifier: MIT
 *
 * Stretches: how bright a value is shown, both from 0 to 1, before gamma.
 * - log: ln (1 + a t) / ln (1 + a), a usually 1000.
 * - asinh: arsinh (t / a) / arsinh (1 / a), a usually 0.1.
 * - sqrt: t^(1/2).
 * - power: t^a, a usually 2.
 *
 * In f32, with a logarithm and a root of its own (to 2e-7), of which compilers make vectors, alike on every device.
 */
#ifndef KERNELS_DISPLAY_STRETCH_H
#define KERNELS_DISPLAY_STRETCH_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stretch_kind {
  STRETCH_LINEAR,
  STRETCH_LOG,
  STRETCH_ASINH,
  STRETCH_SQRT,
  STRETCH_POWER,
  STRETCHES
} stretch_kind;

typedef struct stretch {
  int32_t kind;
  float a, whole; /* whole: the numerator at t = 1 */
} stretch;

extern const char *const stretch_names[STRETCHES];

/* The stretch with that name of n bytes, or STRETCHES. */
stretch_kind stretch_find (const char *name, size_t n);
/* What `a` may be, and is where it is given as 0. False: it is none of that stretch. */
bool stretch_range (stretch_kind kind, double *least, double *most, double *usual);
stretch stretch_make (stretch_kind kind, double a);

/* ln v of a v from 1 on: v = 2^e m with m around 1, and ln m by the series of artanh. */
INLINE float
stretch_ln (float v)
{
  uint32_t bits;
  memcpy (&bits, &v, 4);
  int32_t e = (int32_t) (bits >> 23) - 127;
  bits = (bits & 0x7fffff) | 0x3f800000;
  float m;
  memcpy (&m, &bits, 4);
  bool above = m > 1.41421356f;
  float half = m * 0.5f;
  m = above ? half : m;
  e += above;
  float z = (m - 1) / (m + 1), zz = z * z;
  return (float) e * 0.69314718f + 2 * z * (1 + zz * (1 / 3.f + zz * (1 / 5.f + zz * (1 / 7.f + zz * (1 / 9.f)))));
}

/* The root of a v from 0 on: half the exponent, then two steps of Heron's. */
INLINE float
stretch_root (float v)
{
  uint32_t bits;
  float r;
  memcpy (&bits, &v, 4);
  bits = (bits >> 1) + 0x1fbd1df5;
  memcpy (&r, &bits, 4);
  r = 0.5f * (r + v / r);
  return 0.5f * (r + v / r);
}

/* k = round (most * stretch ((v - low) * scale / most)), which is from 0 to `most`, of n values, for steep kinds. NaN gives 0. */
void stretch_levels (const stretch *s, const double *v, int64_t n, double low, double scale, int32_t most, int32_t *k);

/* Of those kinds whose slope is too steep for a table of levels; the others are made with gamma. */
INLINE float
stretch_value (int32_t kind, float a, float whole, float t)
{
  float x = kind == STRETCH_LOG ? a * t : t / a;
  float s = kind == STRETCH_LOG     ? stretch_ln (1 + x) / whole
            : kind == STRETCH_ASINH ? stretch_ln (x + stretch_root (x * x + 1)) / whole
                                    : stretch_root (t);
  return s < 1 ? s : 1;
}

INLINE bool
stretch_is_steep (int32_t kind)
{
  return kind == STRETCH_LOG || kind == STRETCH_ASINH || kind == STRETCH_SQRT;
}

#ifdef __cplusplus
}
#endif

#endif

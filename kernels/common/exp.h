/* SPDX-License-Identifier: MIT
 *
 * e^x for x <= 0, in loops that compilers vectorize: to 2e-7 of itself in float and 1e-15 in double; where it is less than the smallest normal
 * number about that. NaN stays. x = k log 2 + r, and e^r by Taylor's series or near it; 2^k is made of its bits, which adding `magic` leaves.
 */
#ifndef KERNELS_COMMON_EXP_H
#define KERNELS_COMMON_EXP_H

#include "kernels/common/common.h"

/* x, or low where x is less; NaN stays. The bits are chosen, as compilers take a conditional with a constant apart into a path of its own, which
 * keeps the loop out of vector registers. */
#define DEFINE_AT_LEAST(S, T, BITS)                                                                                    \
  INLINE T at_least_##S (T x, T low)                                                                                   \
  {                                                                                                                    \
    BITS below = -(BITS) (x < low), bits, low_bits;                                                                    \
    memcpy (&bits, &x, sizeof bits);                                                                                   \
    memcpy (&low_bits, &low, sizeof low_bits);                                                                         \
    bits = (bits & ~below) | (low_bits & below);                                                                       \
    memcpy (&x, &bits, sizeof x);                                                                                      \
    return x;                                                                                                          \
  }
DEFINE_AT_LEAST (f32, float, uint32_t)
DEFINE_AT_LEAST (f64, double, uint64_t)

/* The same bits on every device. */
INLINE float
defined_exp_below_0_f32 (float x)
{
  const float magic = 0x1.8p23f + 127;
  const float y = at_least_f32 (x, -87), t = fmaf (y, 1.44269504f, magic), k = t - magic;
  const float r = fmaf (k, 2.12194440e-4f, fmaf (k, -0.693359375f, y));
  /* Nearer than Taylor's: at most 1.05e-7 of e^r off. */
  float p = fmaf (0x1.10625p-7f, r, 0x1.572a64p-5f), power;
  p = fmaf (p, r, 0x1.5557bp-3f);
  p = fmaf (p, r, 0x1.fffdfcp-2f);
  p = fmaf (fmaf (p, r, 1), r, 1);
  uint32_t bits;
  memcpy (&bits, &t, sizeof bits);
  bits <<= 23;
  memcpy (&power, &bits, sizeof power);
  return p * power;
}

/* The same bits on every device. */
INLINE double
defined_exp_below_0_f64 (double x)
{
  const double magic = 0x1.8p52;
  double y = at_least_f64 (x, -708), t = y * 1.4426950408889634 + magic, k = t - magic;
  double r = (y - k * 0x1.62e42feep-1) - k * 0x1.a39ef35793c76p-33, power, p = 1;
  uint64_t bits;
  for (int i = 13; i > 0; i--)
    p = 1 + r / i * p;
  memcpy (&bits, &t, sizeof bits);
  bits = (bits + 1023) << 52;
  memcpy (&power, &bits, sizeof power);
  return p * power;
}

/* On a GPU as fast as it can. */
INLINE float
exp_below_0_f32 (float x)
{
#ifdef __CUDA_ARCH__
  return expf (x < -87 ? -87 : x);
#else
  return defined_exp_below_0_f32 (x);
#endif
}

INLINE double
exp_below_0_f64 (double x)
{
#ifdef __CUDA_ARCH__
  return exp (x < -708 ? -708 : x);
#else
  return defined_exp_below_0_f64 (x);
#endif
}

#endif

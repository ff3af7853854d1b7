/* SPDX-License-Identifier: MIT
 *
 * Functions of real numbers that give the same bits on every device: sums, products, quotients and roots in a written order. Those of a C
 * library differ from version to version and from GPU to CPU. Within 2.5 units in the last digit unless noted. NaN stays.
 */
#ifndef KERNELS_COMMON_DEFINED_H
#define KERNELS_COMMON_DEFINED_H

#include "kernels/common/common.h"

#include <math.h>

#define DEFINED_LN2_HIGH 0x1.62e42feep-1 /* the last 21 bits are 0: a multiple of it by an exponent is exact */
#define DEFINED_LN2_LOW 0x1.a39ef35793c76p-33
#define DEFINED_PI 0x1.921fb54442d18p+1

/* 2^k for k = -1022 ... 1023. */
INLINE double
defined_power_of_2 (int k)
{
  const uint64_t bits = (uint64_t) (k + 1023) << 52;
  double power;
  memcpy (&power, &bits, sizeof power);
  return power;
}

/* x = m 2^k with m from sqrt (1/2) to sqrt (2); x > 0 and finite. */
INLINE double
defined_split (double x, int *k)
{
  const bool tiny = x < 0x1p-1022;
  uint64_t bits;
  double m = tiny ? x * 0x1p54 : x;
  memcpy (&bits, &m, sizeof bits);
  *k = (int) (bits >> 52) - 1022 - (tiny ? 54 : 0);
  bits = (bits & 0xfffffffffffff) | (uint64_t) 1022 << 52;
  memcpy (&m, &bits, sizeof m);
  if (m < 0x1.6a09e667f3bcdp-1) {
    m *= 2;
    --*k;
  }
  return m;
}

/* e^(x + more), where more is so small that it matters in the last bits alone. x = k log 2 + r, and e^r by Taylor's series. */
INLINE double
defined_exp_of (double x, double more)
{
  if (!(x < 709.8))
    return x + (x == x ? INFINITY : 0);
  if (x < -745.2)
    return 0;
  const double k = rint (x * 0x1.71547652b82fep+0), high = x - k * DEFINED_LN2_HIGH,
               r = high + (more - k * DEFINED_LN2_LOW);
  const int half = (int) k / 2;
  double p = 1 / 87178291200.0;
  p = p * r + 1 / 6227020800.0;
  p = p * r + 1 / 479001600.0;
  p = p * r + 1 / 39916800.0;
  p = p * r + 1 / 3628800.0;
  p = p * r + 1 / 362880.0;
  p = p * r + 1 / 40320.0;
  p = p * r + 1 / 5040.0;
  p = p * r + 1 / 720.0;
  p = p * r + 1 / 120.0;
  p = p * r + 1 / 24.0;
  p = p * r + 1 / 6.0;
  p = p * r + 0.5;
  p = p * (r * r);
  return ((p + r) + 1) * defined_power_of_2 (half) * defined_power_of_2 ((int) k - half);
}

INLINE double
defined_exp (double x)
{
  return defined_exp_of (x, 0);
}

/* log (x) as the sum of a number and *low. x = m 2^k, and log (m) = 2 artanh (f / (2 + f)) with f = m - 1 by its series. */
INLINE double
defined_log_parts (double x, double *low)
{
  int k;
  const double f = defined_split (x, &k) - 1, d = 2 + f, s = f / d;
  const double more = (fma (-s, d, f) - s * (f - (d - 2))) / d, square = s * s;
  double p = 1 / 25.0;
  p = p * square + 1 / 23.0;
  p = p * square + 1 / 21.0;
  p = p * square + 1 / 19.0;
  p = p * square + 1 / 17.0;
  p = p * square + 1 / 15.0;
  p = p * square + 1 / 13.0;
  p = p * square + 1 / 11.0;
  p = p * square + 1 / 9.0;
  p = p * square + 1 / 7.0;
  p = p * square + 1 / 5.0;
  p = p * square + 1 / 3.0;
  const double rest = 2 * (more + s * square * p) + k * DEFINED_LN2_LOW, of_k = k * DEFINED_LN2_HIGH;
  const double high = of_k + 2 * s, sum = high + ((of_k - high) + 2 * s + rest);
  *low = (high - sum) + ((of_k - high) + 2 * s + rest);
  return sum;
}

/* Of 0 -infinite, of what is negative NaN. */
INLINE double
defined_log (double x)
{
  double low;
  if (!(x > 0) || !(x < INFINITY))
    return x == 0 ? -INFINITY : x > 0 ? x : NAN;
  return defined_log_parts (x, &low);
}

/* x^y for x >= 0, and NaN for what is less. */
INLINE double
defined_pow (double x, double y)
{
  double low;
  if (y == 0 || x == 1)
    return 1;
  if (!(x > 0) || !(x < INFINITY) || !(fabs (y) < INFINITY)) {
    const bool grows = (x > 1) == (y > 0);
    return x < 0 || x != x || y != y ? NAN : grows ? INFINITY : 0;
  }
  const double log_x = defined_log_parts (x, &low), product = y * log_x;
  if (!(fabs (product) < 1000))
    return product > 0 ? INFINITY : 0;
  return defined_exp_of (product, fma (y, log_x, -product) + y * low);
}

INLINE double
defined_cbrt (double x)
{
  const double of = fabs (x);
  if (!(of > 0) || !(of < INFINITY))
    return x;
  /* Far from the ends of the exponents, so that the step of Newton's neither overflows nor loses bits. */
  const double scale = of < 0x1p-900 ? 0x1p300 : of > 0x1p900 ? 0x1p-300 : 1, y = of * scale * scale * scale;
  const double c = defined_exp (defined_log (y) / 3), root = (c - (c * c - y / c) / (3 * c)) / scale;
  return x < 0 ? -root : root;
}

/* Of numbers whose squares are finite. */
INLINE double
defined_hypot (double x, double y)
{
  return sqrt (x * x + y * y);
}

/* atan (t) for t = 0 ... 1: the nearest eighth's, and the rest by its series. */
INLINE double
defined_atan_below_1 (double t)
{
  const double of_eighths[9] = {0,
                                0x1.fd5ba9aac2f6ep-4,
                                0x1.f5b75f92c80ddp-3,
                                0x1.6f61941e4def1p-2,
                                0x1.dac670561bb4fp-2,
                                0x1.1e00babdefeb4p-1,
                                0x1.4978fa3269ee1p-1,
                                0x1.700a7c5784634p-1,
                                0x1.921fb54442d18p-1};
  const int i = (int) (8 * t + 0.5);
  const double c = i / 8.0, u = (t - c) / (1 + t * c), square = u * u;
  double p = -1 / 15.0;
  p = p * square + 1 / 13.0;
  p = p * square - 1 / 11.0;
  p = p * square + 1 / 9.0;
  p = p * square - 1 / 7.0;
  p = p * square + 1 / 5.0;
  p = p * square - 1 / 3.0;
  return of_eighths[i] + (u + u * square * p);
}

/* The angle from -pi to pi of the point (x, y), as atan2() has it, of finite numbers. */
INLINE double
defined_atan2 (double y, double x)
{
  const double a = fabs (x), b = fabs (y), most = a > b ? a : b, least = a > b ? b : a;
  if (!(a < INFINITY) || !(b < INFINITY))
    return NAN;
  double angle = most > 0 ? defined_atan_below_1 (least / most) : 0;
  angle = b > a ? DEFINED_PI / 2 - angle : angle;
  angle = signbit (x) ? DEFINED_PI - angle : angle;
  return copysign (angle, y);
}

/* Of -1 ... 1. */
INLINE double
defined_acos (double x)
{
  return defined_atan2 (sqrt ((1 - x) * (1 + x)), x);
}

/* The sine and cosine of an angle up to 2^20 in magnitude. x = k pi/2 + r, and those of r by Taylor's series. Close to where they are 0
 * they are within 2^-53 of the right ones, not of themselves. NaN and infinity have NaN. */
INLINE void
defined_sincos (double x, double *sine, double *cosine)
{
  const double k = rint (x * 0x1.45f306dc9c883p-1);
  const double r = ((x - k * 0x1.921fb544p+0) - k * 0x1.0b4611a6p-34) - k * 0x1.3198a2e037073p-69, square = r * r;
  double s = -1 / 121645100408832000.0, c = 1 / 2432902008176640000.0;
  s = s * square + 1 / 355687428096000.0;
  c = c * square - 1 / 6402373705728000.0;
  s = s * square - 1 / 1307674368000.0;
  c = c * square + 1 / 20922789888000.0;
  s = s * square + 1 / 6227020800.0;
  c = c * square - 1 / 87178291200.0;
  s = s * square - 1 / 39916800.0;
  c = c * square + 1 / 479001600.0;
  s = s * square + 1 / 362880.0;
  c = c * square - 1 / 3628800.0;
  s = s * square - 1 / 5040.0;
  c = c * square + 1 / 40320.0;
  s = s * square + 1 / 120.0;
  c = c * square - 1 / 720.0;
  s = s * square - 1 / 6.0;
  c = c * square + 1 / 24.0;
  s = r + r * square * s;
  c = 1 - (0.5 * square - square * square * c);
  const int quarter = fabs (k) < 0x1p62 ? (int) ((int64_t) k & 3) : 0;
  *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
  *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
}

INLINE double
defined_cos (double x)
{
  double sine, cosine;
  defined_sincos (x, &sine, &cosine);
  return cosine;
}

INLINE double
defined_sin (double x)
{
  double sine, cosine;
  defined_sincos (x, &sine, &cosine);
  return sine;
}

#endif

/* SPDX-License-Identifier: MIT
 *
 * Arithmetic. Nothing is fused that is not said to be: results may differ in the last bits from a card's, which fuses a b + c.
 */
#ifndef CUDA_ON_CPU_DEVICE_MATH_H
#define CUDA_ON_CPU_DEVICE_MATH_H

#include <math.h>
#include <stdint.h>
#include <type_traits>

/* Of two types the wider, of two as wide the unsigned one, as CUDA's overloads have it. */
template <typename A, typename B>
using cuda_on_cpu_common =
  std::enable_if_t<(std::is_arithmetic_v<A> || std::is_enum_v<A>) &&(std::is_arithmetic_v<B> || std::is_enum_v<B>),
                   decltype (A () + B ())>;

template <typename A, typename B>
inline cuda_on_cpu_common<A, B>
min (A a, B b)
{
  using T = cuda_on_cpu_common<A, B>;
  if constexpr (std::is_floating_point_v<T>)
    return fmin ((T) a, (T) b);
  else
    return (T) a < (T) b ? (T) a : (T) b;
}

template <typename A, typename B>
inline cuda_on_cpu_common<A, B>
max (A a, B b)
{
  using T = cuda_on_cpu_common<A, B>;
  if constexpr (std::is_floating_point_v<T>)
    return fmax ((T) a, (T) b);
  else
    return (T) a > (T) b ? (T) a : (T) b;
}

/* Rounded to nearest, with any operation before and after. */
static inline float
__fadd_rn (float a, float b)
{
  return a + b;
}
static inline float
__fsub_rn (float a, float b)
{
  return a - b;
}
static inline float
__fmul_rn (float a, float b)
{
  return a * b;
}
static inline float
__fdiv_rn (float a, float b)
{
  return a / b;
}
static inline float
rsqrtf (float a)
{
  return 1 / sqrtf (a);
}
static inline float
__fmaf_rn (float a, float b, float c)
{
  return fmaf (a, b, c);
}
static inline float
__fdividef (float a, float b)
{
  return a / b;
}
static inline double
__dadd_rn (double a, double b)
{
  return a + b;
}
static inline double
__dsub_rn (double a, double b)
{
  return a - b;
}
static inline double
__dmul_rn (double a, double b)
{
  return a * b;
}
static inline double
__ddiv_rn (double a, double b)
{
  return a / b;
}
static inline double
__dsqrt_rn (double a)
{
  return sqrt (a);
}
static inline double
__fma_rn (double a, double b, double c)
{
  return fma (a, b, c);
}

static inline float
__saturatef (float v)
{
  return v > 0 ? v < 1 ? v : 1 : 0; /* of NaN: 0 */
}

/* To the nearest integer, of those that the type has; of NaN 0, or what the instruction gives. */
static inline unsigned
__float2uint_rn (float v)
{
  return v >= 4294967296.f ? UINT32_MAX : v > 0 ? (unsigned) rintf (v) : 0;
}

static inline unsigned
__double2uint_rn (double v)
{
  return v >= 4294967295. ? UINT32_MAX : v > 0 ? (unsigned) rint (v) : 0;
}

static inline int
__double2int_rn (double v)
{
  return v >= 2147483647. ? INT32_MAX : v <= -2147483648. ? INT32_MIN : v == v ? (int) rint (v) : INT32_MIN;
}

/* Of pi times v: what is left of v below 1/4 is exact. */
static inline void
sincospi (double v, double *sine, double *cosine)
{
  const double rest = remainder (v, 2), quarter = rint (rest * 2), x = M_PI * (rest - quarter / 2);
  const double s = sin (x), c = cos (x);
  switch ((int) quarter & 3) {
  case 0: *sine = s, *cosine = c; break;
  case 1: *sine = c, *cosine = -s; break;
  case 2: *sine = -s, *cosine = -c; break;
  default: *sine = -c, *cosine = s;
  }
}

/* glibc has another since 2.41. */
#define sinpi cuda_sinpi

static inline double
cuda_sinpi (double v)
{
  double sine, cosine;
  sincospi (v, &sine, &cosine);
  return sine;
}

#endif

/* SPDX-License-Identifier: MIT
 *
 * Bits of words, and words as several small numbers.
 */
#ifndef CUDA_ON_CPU_DEVICE_WORDS_H
#define CUDA_ON_CPU_DEVICE_WORDS_H

#include <stdint.h>
#include <string.h>

static inline int
__popc (unsigned v)
{
  return __builtin_popcount (v);
}
static inline int
__popcll (unsigned long long v)
{
  return __builtin_popcountll (v);
}
static inline int
__ffs (int v)
{
  return __builtin_ffs (v);
}
static inline int
__ffsll (long long v)
{
  return __builtin_ffsll (v);
}
static inline int
__clz (int v)
{
  return v ? __builtin_clz ((unsigned) v) : 32;
}
static inline int
__clzll (long long v)
{
  return v ? __builtin_clzll ((unsigned long long) v) : 64;
}
static inline unsigned
__umulhi (unsigned a, unsigned b)
{
  return (unsigned) ((uint64_t) a * b >> 32);
}

static inline unsigned
__brev (unsigned v)
{
  unsigned turned = 0;
  for (int i = 0; i < 32; i++)
    turned |= (v >> i & 1) << (31 - i);
  return turned;
}

static inline unsigned
__funnelshift_r (unsigned low, unsigned high, unsigned by)
{
  return (unsigned) (((uint64_t) high << 32 | low) >> (by & 31));
}

template <typename To, typename From>
static inline To
cuda_on_cpu_bits (From v)
{
  static_assert (sizeof (To) == sizeof (From), "as many bits");
  To to;
  memcpy (&to, &v, sizeof to);
  return to;
}

static inline int
__float_as_int (float v)
{
  return cuda_on_cpu_bits<int> (v);
}
static inline unsigned
__float_as_uint (float v)
{
  return cuda_on_cpu_bits<unsigned> (v);
}
static inline float
__int_as_float (int v)
{
  return cuda_on_cpu_bits<float> (v);
}
static inline float
__uint_as_float (unsigned v)
{
  return cuda_on_cpu_bits<float> (v);
}
static inline long long
__double_as_longlong (double v)
{
  return cuda_on_cpu_bits<long long> (v);
}
static inline double
__longlong_as_double (long long v)
{
  return cuda_on_cpu_bits<double> (v);
}
static inline int
__double2hiint (double v)
{
  return (int) (cuda_on_cpu_bits<uint64_t> (v) >> 32);
}

static inline double
__hiloint2double (int high, int low)
{
  return cuda_on_cpu_bits<double> ((uint64_t) (unsigned) high << 32 | (unsigned) low);
}

/* F for each of the numbers of T in words. */
template <typename T, typename F>
static inline unsigned
cuda_on_cpu_each (unsigned a, unsigned b, F f)
{
  T x[4 / sizeof (T)], y[4 / sizeof (T)];
  memcpy (x, &a, 4);
  memcpy (y, &b, 4);
  for (unsigned i = 0; i < 4 / sizeof (T); i++)
    x[i] = (T) f (x[i], y[i]);
  memcpy (&a, x, 4);
  return a;
}

static inline unsigned
__vminu2 (unsigned a, unsigned b)
{
  return cuda_on_cpu_each<uint16_t> (a, b, [] (int x, int y) { return x < y ? x : y; });
}

static inline unsigned
__vmaxu2 (unsigned a, unsigned b)
{
  return cuda_on_cpu_each<uint16_t> (a, b, [] (int x, int y) { return x > y ? x : y; });
}

static inline unsigned
__vaddus4 (unsigned a, unsigned b)
{
  return cuda_on_cpu_each<uint8_t> (a, b, [] (int x, int y) { return x + y < 255 ? x + y : 255; });
}

static inline unsigned
__vimin3_u16x2 (unsigned a, unsigned b, unsigned c)
{
  return __vminu2 (__vminu2 (a, b), c);
}

static inline int
__vimax3_s32 (int a, int b, int c)
{
  return a > b ? a > c ? a : c : b > c ? b : c;
}

#endif

/* SPDX-License-Identifier: MIT
 *
 * For functions that are written with vectors of a length of their own: they are compiled for processors that have these, and called on no
 * others. A vector that is longer than the processor's is taken apart number by number, which is slower than none at all.
 */
#ifndef KERNELS_COMMON_VECTORS_H
#define KERNELS_COMMON_VECTORS_H

#include <math.h>

#if defined(__x86_64__) && defined(__GNUC__) && (defined(__clang__) || !defined(__SANITIZE_ADDRESS__))                 \
  && !defined(__SANITIZE_THREAD__)
#include <immintrin.h>
#define HAS_AVX
#define AVX2 __attribute__ ((target ("arch=x86-64-v3")))
#define AVX512 __attribute__ ((target ("arch=x86-64-v4")))
#else
#define AVX2
#define AVX512
#endif

/* a b + c with one rounding, of vectors of 16, 32 and 64 bytes; where the processor has no such vectors number by number. These are macros,
 * as a function that returns a vector which the processor lacks has another ABI, which compilers warn of. */
#define NUMBERS(NAME, T, BYTES)                                                                                        \
  typedef T numbers_##NAME __attribute__ ((vector_size (BYTES), aligned (sizeof (T)), may_alias))
#define FMA_EACH(NAME, FMA, A, B, C)                                                                                   \
  __extension__({                                                                                                      \
    const numbers_##NAME fma_a = (numbers_##NAME) (A), fma_b = (numbers_##NAME) (B);                                   \
    numbers_##NAME fma_c = (numbers_##NAME) (C);                                                                       \
    for (int fma_i = 0; fma_i < (int) (sizeof fma_c / sizeof fma_c[0]); fma_i++)                                       \
      fma_c[fma_i] = FMA (fma_a[fma_i], fma_b[fma_i], fma_c[fma_i]);                                                   \
    fma_c;                                                                                                             \
  })
NUMBERS (f32_16, float, 16);
NUMBERS (f64_16, double, 16);
#define FMA_f32_16(a, b, c) FMA_EACH (f32_16, fmaf, a, b, c)
#define FMA_f64_16(a, b, c) FMA_EACH (f64_16, fma, a, b, c)
#ifdef HAS_AVX
#define FMA_f32_32(a, b, c) _mm256_fmadd_ps ((__m256) (a), (__m256) (b), (__m256) (c))
#define FMA_f32_64(a, b, c) _mm512_fmadd_ps ((__m512) (a), (__m512) (b), (__m512) (c))
#define FMA_f64_32(a, b, c) _mm256_fmadd_pd ((__m256d) (a), (__m256d) (b), (__m256d) (c))
#define FMA_f64_64(a, b, c) _mm512_fmadd_pd ((__m512d) (a), (__m512d) (b), (__m512d) (c))
#else
NUMBERS (f32_32, float, 32);
NUMBERS (f32_64, float, 64);
NUMBERS (f64_32, double, 32);
NUMBERS (f64_64, double, 64);
#define FMA_f32_32(a, b, c) FMA_EACH (f32_32, fmaf, a, b, c)
#define FMA_f32_64(a, b, c) FMA_EACH (f32_64, fmaf, a, b, c)
#define FMA_f64_32(a, b, c) FMA_EACH (f64_32, fma, a, b, c)
#define FMA_f64_64(a, b, c) FMA_EACH (f64_64, fma, a, b, c)
#endif

/* Bytes of this processor's longest vectors: 16, 32 (AVX2) or 64 (AVX512), and not more than `most`. */
static inline int
vector_bytes (int most)
{
  int bytes = 16;
#ifdef HAS_AVX
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma") && __builtin_cpu_supports ("bmi2"))
    bytes = 32;
  if (__builtin_cpu_supports ("avx512vl") && __builtin_cpu_supports ("avx512dq") && __builtin_cpu_supports ("avx512bw"))
    bytes = 64;
#endif
  return bytes < most ? bytes : most;
}

#endif

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

/* a b + c with one rounding, of vectors of 16, 32 and 64 bytes; where the processor has no such vectors number by number. Vectors go through
 * memory there: a function that returns one which the processor lacks has another ABI, which compilers warn of. */
#define DEFINE_FMA(NAME, T, BYTES, FMA_T)                                                                              \
  typedef T numbers_##NAME __attribute__ ((vector_size (BYTES), aligned (sizeof (T)), may_alias));                     \
  static inline __attribute__ ((always_inline))                                                                        \
  const numbers_##NAME *fma_##NAME (const numbers_##NAME *a, const numbers_##NAME *b, numbers_##NAME *c)               \
  {                                                                                                                    \
    for (int i = 0; i < (BYTES) / (int) sizeof (T); i++)                                                               \
      (*c)[i] = FMA_T ((*a)[i], (*b)[i], (*c)[i]);                                                                     \
    return c;                                                                                                          \
  }
#define NUMBERS(NAME, V) ((numbers_##NAME[]){(numbers_##NAME) (V)})
#define FMA_OF(NAME, A, B, C) (*fma_##NAME (NUMBERS (NAME, A), NUMBERS (NAME, B), NUMBERS (NAME, C)))
DEFINE_FMA (f32_16, float, 16, fmaf)
DEFINE_FMA (f64_16, double, 16, fma)
#define FMA_f32_16(a, b, c) FMA_OF (f32_16, a, b, c)
#define FMA_f64_16(a, b, c) FMA_OF (f64_16, a, b, c)
#ifdef HAS_AVX
#define FMA_f32_32(a, b, c) _mm256_fmadd_ps ((__m256) (a), (__m256) (b), (__m256) (c))
#define FMA_f32_64(a, b, c) _mm512_fmadd_ps ((__m512) (a), (__m512) (b), (__m512) (c))
#define FMA_f64_32(a, b, c) _mm256_fmadd_pd ((__m256d) (a), (__m256d) (b), (__m256d) (c))
#define FMA_f64_64(a, b, c) _mm512_fmadd_pd ((__m512d) (a), (__m512d) (b), (__m512d) (c))
#else
DEFINE_FMA (f32_32, float, 32, fmaf)
DEFINE_FMA (f32_64, float, 64, fmaf)
DEFINE_FMA (f64_32, double, 32, fma)
DEFINE_FMA (f64_64, double, 64, fma)
#define FMA_f32_32(a, b, c) FMA_OF (f32_32, a, b, c)
#define FMA_f32_64(a, b, c) FMA_OF (f32_64, a, b, c)
#define FMA_f64_32(a, b, c) FMA_OF (f64_32, a, b, c)
#define FMA_f64_64(a, b, c) FMA_OF (f64_64, a, b, c)
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

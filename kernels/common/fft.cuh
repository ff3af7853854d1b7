/* SPDX-License-Identifier: MIT
 *
 * Fourier transforms of lines in shared memory, in place, by all threads of a block. Lengths are multiples of 16, 2^a 3^b, or 1.
 * Frequencies have an order of their own, which forward() makes and inverse() expects. Multiply them only by others in the same order. So inverse
 * (forward (x)) is the length times x. Each step is a transform of 16 numbers or fewer in a thread's registers, and ends with a
 * __syncthreads.
 */
#ifndef KERNELS_COMMON_FFT_CUH
#define KERNELS_COMMON_FFT_CUH

#include "kernels/common/common.cuh"

template <typename T> struct alignas (2 * sizeof (T)) complex_number {
  T re, im;
};

template <typename T>
__device__ __forceinline__ complex_number<T>
operator* (complex_number<T> a, complex_number<T> b)
{
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

template <typename T>
__device__ __forceinline__ complex_number<T>
conjugate (complex_number<T> a)
{
  return {a.re, -a.im};
}

/* ---- In registers ---- */

/* exp (2 pi i k / N) for the N that transforms are put together from. */
template <int N>
__device__ __forceinline__ complex_number<double>
root_of_one (int k)
{
  constexpr double c1 = N == 9 ? 0.76604444311897803520 : 0.92387953251128675613;
  constexpr double c2 = N == 9 ? 0.17364817766693034885 : 0.70710678118654752440;
  constexpr double s1 = N == 9 ? 0.64278760968653932632 : 0.38268343236508977173;
  constexpr double s2 = N == 9 ? 0.98480775301220805937 : 0.70710678118654752440;
  constexpr double c4 = N == 9 ? -0.93969262078590838405 : 0, s4 = N == 9 ? 0.34202014332566873304 : 1;
  if (N == 8)
    k *= 2;
  switch (k) { /* what products of two numbers below 4 can be */
  case 1: return {c1, s1};
  case 2: return {c2, s2};
  case 3: return {s1, c1};
  case 4: return {c4, s4};
  case 6: return {-s2, c2};
  case 9: return {-c1, -s1};
  default: return {1, 0};
  }
}

/* In place, by exp (SIGN 2 pi i j k / N). */
template <int SIGN, typename T>
__device__ __forceinline__ void
transform (complex_number<T> (&v)[2])
{
  const complex_number<T> a = v[0], b = v[1];
  v[0] = {a.re + b.re, a.im + b.im};
  v[1] = {a.re - b.re, a.im - b.im};
}

template <int SIGN, typename T>
__device__ __forceinline__ void
transform (complex_number<T> (&v)[3])
{
  const T s = (T) (SIGN * 0.86602540378443864676);
  const complex_number<T> sum = {v[1].re + v[2].re, v[1].im + v[2].im};
  const complex_number<T> middle = {v[0].re - sum.re / 2, v[0].im - sum.im / 2};
  const complex_number<T> turned = {s * (v[2].im - v[1].im), s * (v[1].re - v[2].re)};
  v[0] = {v[0].re + sum.re, v[0].im + sum.im};
  v[1] = {middle.re + turned.re, middle.im + turned.im};
  v[2] = {middle.re - turned.re, middle.im - turned.im};
}

template <int SIGN, typename T>
__device__ __forceinline__ void
transform (complex_number<T> (&v)[4])
{
  complex_number<T> even[2] = {v[0], v[2]}, odd[2] = {v[1], v[3]};
  transform<SIGN> (even);
  transform<SIGN> (odd);
  const complex_number<T> turned = {-SIGN * odd[1].im, SIGN * odd[1].re};
  v[0] = {even[0].re + odd[0].re, even[0].im + odd[0].im};
  v[1] = {even[1].re + turned.re, even[1].im + turned.im};
  v[2] = {even[0].re - odd[0].re, even[0].im - odd[0].im};
  v[3] = {even[1].re - turned.re, even[1].im - turned.im};
}

/* A B numbers: B transforms of A of them, then A of B. */
template <int A, int B, int SIGN, typename T>
__device__ __forceinline__ void
transform_product (complex_number<T> (&v)[A * B])
{
  complex_number<T> u[B][A];
#pragma unroll
  for (int b = 0; b < B; b++) {
#pragma unroll
    for (int a = 0; a < A; a++)
      u[b][a] = v[B * a + b];
    transform<SIGN> (u[b]);
#pragma unroll
    for (int a = 1; a < A; a++)
      if (b) {
        const complex_number<double> w = root_of_one<A * B> (a * b);
        u[b][a] = u[b][a] * complex_number<T>{(T) w.re, (T) (SIGN * w.im)};
      }
  }
#pragma unroll
  for (int a = 0; a < A; a++) {
    complex_number<T> across[B];
#pragma unroll
    for (int b = 0; b < B; b++)
      across[b] = u[b][a];
    transform<SIGN> (across);
#pragma unroll
    for (int b = 0; b < B; b++)
      v[a + A * b] = across[b];
  }
}

template <int SIGN, typename T>
__device__ __forceinline__ void
transform (complex_number<T> (&v)[8])
{
  transform_product<4, 2, SIGN> (v);
}

template <int SIGN, typename T>
__device__ __forceinline__ void
transform (complex_number<T> (&v)[9])
{
  transform_product<3, 3, SIGN> (v);
}

template <int SIGN, typename T>
__device__ __forceinline__ void
transform (complex_number<T> (&v)[16])
{
  transform_product<4, 4, SIGN> (v);
}

/* ---- Plans ---- */

enum { FFT_STEPS = 8 };

/* Where number k of a line lies: a gap after each 16 keeps numbers that are 16 apart in other banks. */
__host__ __device__ __forceinline__ int
fft_index (int k)
{
  return k + (k >> 4);
}

struct fft_step {
  int32_t radix, apart, stride;  /* so far apart are the numbers that it takes together, and lie they in memory */
  uint32_t per_line, per_stride; /* see part_of() */
};

struct fft_plan {
  int32_t n, steps;
  fft_step step[FFT_STEPS];
};

/* For division of numbers below 65536 by d, as part_of() does it. */
static inline uint32_t
fft_reciprocal (int64_t d)
{
  return (uint32_t) (((1LL << 32) + d - 1) / d);
}

__device__ __forceinline__ int
part_of (int n, uint32_t reciprocal)
{
  return reciprocal ? (int) __umulhi ((uint32_t) n, reciprocal) : n;
}

static inline void
fft_add_step (fft_plan *p, int64_t *rest, int32_t radix)
{
  *rest /= radix;
  p->step[p->steps++] = {radix, (int32_t) *rest, fft_index ((int) *rest), fft_reciprocal (p->n / radix),
                         fft_reciprocal (*rest)};
}

/* Steps of 16 come last: then numbers that are taken together are 1 or a multiple of 16 apart, and in memory all equally far. */
static inline fft_plan
fft_plan_of (int64_t n)
{
  fft_plan p = {(int32_t) n, 0, {}};
  int64_t rest = n;
  while (rest % 9 == 0)
    fft_add_step (&p, &rest, 9);
  while (rest % 3 == 0)
    fft_add_step (&p, &rest, 3);
  int bits = 0;
  while (rest >> bits > 1)
    bits++;
  if (bits % 4)
    fft_add_step (&p, &rest, 1 << bits % 4);
  while (rest > 1)
    fft_add_step (&p, &rest, 16);
  return p;
}

/* ---- In shared memory ---- */

template <typename T> struct fft_lines {
  fft_plan plan;
  int32_t count, pitch;           /* lines of a block; numbers from one to the next */
  const complex_number<T> *waves; /* exp (-2 pi i k / n) */
};

/* exp (SIGN 2 pi i j k / n) for k = 0 ... R - 1 times the numbers; `by`: j times n over the length of the step. */
template <int R, int SIGN, typename T>
__device__ __forceinline__ void
fft_turn (complex_number<T> (&v)[R], const complex_number<T> *waves, int by)
{
  complex_number<T> w[R];
#pragma unroll
  for (int k = 1; k < R; k++) {
    const int high = k >= 8 ? 8 : k >= 4 ? 4 : k >= 2 ? 2 : 1;
    w[k] = k == high ? waves[by * k] : w[high] * w[k - high];
    v[k] = v[k] * (SIGN < 0 ? w[k] : conjugate (w[k]));
  }
}

template <int R, int SIGN, typename T>
__device__ __forceinline__ void
fft_do_step (complex_number<T> *numbers, const fft_lines<T> &lines, const fft_step &s)
{
  const int each = lines.plan.n / R, apart = s.apart, waves_apart = part_of (each, s.per_stride);
  for (int i = (int) threadIdx.x; i < lines.count * each; i += (int) blockDim.x) {
    const int line = part_of (i, s.per_line), at = i - line * each, group = part_of (at, s.per_stride),
              j = at - group * apart;
    complex_number<T> *from = numbers + line * lines.pitch, v[R];
    from += fft_index (group * apart * R + j);
#pragma unroll
    for (int k = 0; k < R; k++)
      v[k] = from[k * s.stride];
    if (SIGN > 0 && apart > 1)
      fft_turn<R, SIGN> (v, lines.waves, j * waves_apart);
    transform<SIGN> (v);
    if (SIGN < 0 && apart > 1)
      fft_turn<R, SIGN> (v, lines.waves, j * waves_apart);
#pragma unroll
    for (int k = 0; k < R; k++)
      from[k * s.stride] = v[k];
  }
  __syncthreads ();
}

template <int SIGN, typename T>
__device__ __forceinline__ void
fft_all_steps (complex_number<T> *numbers, const fft_lines<T> &lines)
{
  const int steps = lines.plan.steps;
  for (int i = 0; i < steps; i++) {
    const fft_step &s = lines.plan.step[SIGN < 0 ? i : steps - 1 - i];
    switch (s.radix) {
    case 2: fft_do_step<2, SIGN> (numbers, lines, s); break;
    case 3: fft_do_step<3, SIGN> (numbers, lines, s); break;
    case 4: fft_do_step<4, SIGN> (numbers, lines, s); break;
    case 8: fft_do_step<8, SIGN> (numbers, lines, s); break;
    case 9: fft_do_step<9, SIGN> (numbers, lines, s); break;
    default: fft_do_step<16, SIGN> (numbers, lines, s); break;
    }
  }
}

/* All threads of the block; what they wrote into the lines is seen. */
template <typename T>
__device__ __forceinline__ void
fft_forward (complex_number<T> *numbers, const fft_lines<T> &lines)
{
  fft_all_steps<-1> (numbers, lines);
}

template <typename T>
__device__ __forceinline__ void
fft_inverse (complex_number<T> *numbers, const fft_lines<T> &lines)
{
  fft_all_steps<1> (numbers, lines);
}

#endif

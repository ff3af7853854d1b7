/* SPDX-License-Identifier: MIT
 *
 * Radix 4, decimated in frequency forwards and in time backwards, so that no line is ever put in another order; a last, or first,
 * step of radix 2 where the length is no power of four.
 */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=fast")
#endif
#include "kernels/common/fft.h"

/* (vr, vi) times (c, -s), into row k. */
#define PUT(K, VR, VI, C, S)                                                                                           \
  AT (re, K) = (VR) * (C) + (VI) * (S);                                                                                \
  AT (im, K) = (VI) * (C) - (VR) * (S)

#define DEFINE_FFT(NAME, T)                                                                                            \
  typedef T lanes_##NAME __attribute__ ((vector_size (FFT_VECTOR), aligned (sizeof (T)), may_alias));                  \
  typedef T four_##NAME __attribute__ ((vector_size (4 * sizeof (T)), aligned (sizeof (T)), may_alias));               \
                                                                                                                       \
  VECTORISED static void forward_##NAME (void *real, void *imaginary, int64_t stride, int64_t n, const void *waves)    \
  {                                                                                                                    \
    typedef lanes_##NAME lanes;                                                                                        \
    T *re = real, *im = imaginary;                                                                                     \
    const T *cosine = waves, *sine = cosine + n;                                                                       \
    int64_t q = n / 4;                                                                                                 \
    for (int64_t step = 1; q > 0; q /= 4, step *= 4)                                                                   \
      for (int64_t j = 0; j < q; j++) {                                                                                \
        const T c1 = cosine[j * step], c2 = cosine[2 * j * step], c3 = cosine[3 * j * step];                           \
        const T s1 = sine[j * step], s2 = sine[2 * j * step], s3 = sine[3 * j * step];                                 \
        for (int64_t k = j; k < n; k += 4 * q) {                                                                       \
          lanes ar = AT (re, k), ai = AT (im, k), br = AT (re, k + q), bi = AT (im, k + q);                            \
          lanes cr = AT (re, k + 2 * q), ci = AT (im, k + 2 * q), dr = AT (re, k + 3 * q), di = AT (im, k + 3 * q);    \
          lanes er = ar + cr, ei = ai + ci, fr = ar - cr, fi = ai - ci;                                                \
          lanes gr = br + dr, gi = bi + di, hr = bi - di, hi = dr - br;                                                \
          AT (re, k) = er + gr;                                                                                        \
          AT (im, k) = ei + gi;                                                                                        \
          PUT (k + q, fr + hr, fi + hi, c1, s1);                                                                       \
          PUT (k + 2 * q, er - gr, ei - gi, c2, s2);                                                                   \
          PUT (k + 3 * q, fr - hr, fi - hi, c3, s3);                                                                   \
        }                                                                                                              \
      }                                                                                                                \
    for (int64_t k = 0; odd_power (n) && k < n; k += 2) {                                                              \
      lanes ar = AT (re, k), ai = AT (im, k), br = AT (re, k + 1), bi = AT (im, k + 1);                                \
      AT (re, k) = ar + br;                                                                                            \
      AT (im, k) = ai + bi;                                                                                            \
      AT (re, k + 1) = ar - br;                                                                                        \
      AT (im, k + 1) = ai - bi;                                                                                        \
    }                                                                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void inverse_##NAME (void *real, void *imaginary, int64_t stride, int64_t n, const void *waves)    \
  {                                                                                                                    \
    typedef lanes_##NAME lanes;                                                                                        \
    T *re = real, *im = imaginary;                                                                                     \
    const T *cosine = waves, *sine = cosine + n;                                                                       \
    for (int64_t k = 0; odd_power (n) && k < n; k += 2) {                                                              \
      lanes ar = AT (re, k), ai = AT (im, k), br = AT (re, k + 1), bi = AT (im, k + 1);                                \
      AT (re, k) = ar + br;                                                                                            \
      AT (im, k) = ai + bi;                                                                                            \
      AT (re, k + 1) = ar - br;                                                                                        \
      AT (im, k + 1) = ai - bi;                                                                                        \
    }                                                                                                                  \
    int64_t q = odd_power (n) ? 2 : 1;                                                                                 \
    for (int64_t step = n / 4 / q; q < n; q *= 4, step /= 4)                                                           \
      for (int64_t j = 0; j < q; j++) {                                                                                \
        const T c1 = cosine[j * step], c2 = cosine[2 * j * step], c3 = cosine[3 * j * step];                           \
        const T s1 = sine[j * step], s2 = sine[2 * j * step], s3 = sine[3 * j * step];                                 \
        for (int64_t k = j; k < n; k += 4 * q) {                                                                       \
          lanes xr = AT (re, k + q), xi = AT (im, k + q), yr = AT (re, k + 2 * q), yi = AT (im, k + 2 * q);            \
          lanes zr = AT (re, k + 3 * q), zi = AT (im, k + 3 * q), ar = AT (re, k), ai = AT (im, k);                    \
          lanes br = xr * c1 - xi * s1, bi = xi * c1 + xr * s1, cr = yr * c2 - yi * s2, ci = yi * c2 + yr * s2;        \
          lanes dr = zr * c3 - zi * s3, di = zi * c3 + zr * s3;                                                        \
          lanes er = ar + cr, ei = ai + ci, fr = br + dr, fi = bi + di;                                                \
          lanes gr = ar - cr, gi = ai - ci, hr = di - bi, hi = br - dr;                                                \
          AT (re, k) = er + fr;                                                                                        \
          AT (im, k) = ei + fi;                                                                                        \
          AT (re, k + q) = gr + hr;                                                                                    \
          AT (im, k + q) = gi + hi;                                                                                    \
          AT (re, k + 2 * q) = er - fr;                                                                                \
          AT (im, k + 2 * q) = ei - fi;                                                                                \
          AT (re, k + 3 * q) = gr - hr;                                                                                \
          AT (im, k + 3 * q) = gi - hi;                                                                                \
        }                                                                                                              \
      }                                                                                                                \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void transpose_##NAME (void *to, int64_t to_pitch, const void *from, int64_t from_pitch,           \
                                           int64_t rows, int64_t columns)                                              \
  {                                                                                                                    \
    typedef four_##NAME four;                                                                                          \
    for (int64_t y = 0; y < rows; y += 4)                                                                              \
      for (int64_t x = 0; x < columns; x += 4) {                                                                       \
        const T *in = (const T *) from + y * from_pitch + x;                                                           \
        T *out = (T *) to + x * to_pitch + y;                                                                          \
        four a = *(const four *) in, b = *(const four *) (in + from_pitch);                                            \
        four c = *(const four *) (in + 2 * from_pitch), d = *(const four *) (in + 3 * from_pitch);                     \
        four ac = __builtin_shufflevector (a, c, 0, 4, 1, 5), bd = __builtin_shufflevector (b, d, 0, 4, 1, 5);         \
        *(four *) out = __builtin_shufflevector (ac, bd, 0, 4, 1, 5);                                                  \
        *(four *) (out + to_pitch) = __builtin_shufflevector (ac, bd, 2, 6, 3, 7);                                     \
        ac = __builtin_shufflevector (a, c, 2, 6, 3, 7), bd = __builtin_shufflevector (b, d, 2, 6, 3, 7);              \
        *(four *) (out + 2 * to_pitch) = __builtin_shufflevector (ac, bd, 0, 4, 1, 5);                                 \
        *(four *) (out + 3 * to_pitch) = __builtin_shufflevector (ac, bd, 2, 6, 3, 7);                                 \
      }                                                                                                                \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void multiply_##NAME (void *to, const void *first, const void *second, int64_t n, bool add)        \
  {                                                                                                                    \
    T *restrict re = to, *restrict im = re + n;                                                                        \
    const T *ar = first, *ai = ar + n, *br = second, *bi = br + n;                                                     \
    for (int64_t i = 0; !add && i < n; i++)                                                                            \
      re[i] = im[i] = 0;                                                                                               \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      re[i] += ar[i] * br[i] - ai[i] * bi[i];                                                                          \
      im[i] += ar[i] * bi[i] + ai[i] * br[i];                                                                          \
    }                                                                                                                  \
  }

#define AT(A, K) (*(lanes *) ((A) + (K) *stride))

static bool
odd_power (int64_t n)
{
  return (n & 0x5555555555555555) == 0;
}

DEFINE_FFT (f32, float)
DEFINE_FFT (f64, double)

const fft *
fft_of (fv_type type)
{
  static const fft of_f32 = {forward_f32, inverse_f32, transpose_f32, multiply_f32};
  static const fft of_f64 = {forward_f64, inverse_f64, transpose_f64, multiply_f64};
  return type == FV_F32 ? &of_f32 : &of_f64;
}

void
fft_waves (void *waves, fv_type type, int64_t n)
{
  const double turn = 6.283185307179586476925;
  for (int64_t k = 0; k < n; k++) {
    double c = cos (turn * (double) k / (double) n), s = sin (turn * (double) k / (double) n);
    if (type == FV_F32) {
      ((float *) waves)[k] = (float) c;
      ((float *) waves)[n + k] = (float) s;
    } else {
      ((double *) waves)[k] = c;
      ((double *) waves)[n + k] = s;
    }
  }
}

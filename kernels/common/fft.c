/* SPDX-License-Identifier: MIT
 *
 * Radix 8 and 4, decimated in frequency forwards and in time backwards, so that no line is ever put in another order. Radix 8 takes
 * fewer passes, and more registers than processors without AVX-512 have: with shorter vectors it is taken once at most.
 */
#include "kernels/common/fft.h"

#include "kernels/common/vectors.h"

enum { NO_TURN, TURN_BEFORE, TURN_AFTER };

/* What radix 8 does of a length: a power of two is a power of eight and no, one or two fours; or at most one eight and fours. */
INLINE int64_t
eights (int64_t n, bool many)
{
  int power = __builtin_ctzll ((unsigned long long) n);
  return many ? n >> 2 * ((3 - power % 3) % 3) : power % 2 ? 8 : 1;
}

#define DEFINE_FFT(NAME, T, BYTES, ARCH, FMA)                                                                          \
  typedef T lanes_##NAME __attribute__ ((vector_size (BYTES), aligned (sizeof (T)), may_alias));                       \
                                                                                                                       \
  INLINE void dft4_##NAME (lanes_##NAME *re, lanes_##NAME *im)                                                         \
  {                                                                                                                    \
    lanes_##NAME er = re[0] + re[2], ei = im[0] + im[2], fr = re[0] - re[2], fi = im[0] - im[2];                       \
    lanes_##NAME gr = re[1] + re[3], gi = im[1] + im[3], hr = re[1] - re[3], hi = im[1] - im[3];                       \
    re[0] = er + gr, im[0] = ei + gi, re[1] = fr + hi, im[1] = fi - hr;                                                \
    re[2] = er - gr, im[2] = ei - gi, re[3] = fr - hi, im[3] = fi + hr;                                                \
  }                                                                                                                    \
                                                                                                                       \
  /* Even frequencies of the sums of halves, odd ones of the differences, turned by eighths. */                        \
  INLINE void dft8_##NAME (lanes_##NAME *re, lanes_##NAME *im)                                                         \
  {                                                                                                                    \
    const T root = (T) 0.70710678118654752440;                                                                         \
    lanes_##NAME even[2][4], odd[2][4];                                                                                \
    for (int m = 0; m < 4; m++) {                                                                                      \
      even[0][m] = re[m] + re[m + 4], even[1][m] = im[m] + im[m + 4];                                                  \
      odd[0][m] = re[m] - re[m + 4], odd[1][m] = im[m] - im[m + 4];                                                    \
    }                                                                                                                  \
    const lanes_##NAME ar = odd[0][1], ai = odd[1][1], br = odd[0][2], cr = odd[0][3], ci = odd[1][3];                 \
    odd[0][1] = (ar + ai) * root, odd[1][1] = (ai - ar) * root;                                                        \
    odd[0][2] = odd[1][2], odd[1][2] = -br;                                                                            \
    odd[0][3] = (ci - cr) * root, odd[1][3] = (ci + cr) * -root;                                                       \
    dft4_##NAME (even[0], even[1]);                                                                                    \
    dft4_##NAME (odd[0], odd[1]);                                                                                      \
    for (int m = 0; m < 4; m++) {                                                                                      \
      re[2 * m] = even[0][m], im[2 * m] = even[1][m];                                                                  \
      re[2 * m + 1] = odd[0][m], im[2 * m + 1] = odd[1][m];                                                            \
    }                                                                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  ARCH INLINE void turn_##NAME (lanes_##NAME *re, lanes_##NAME *im, T cosine, T sine)                                  \
  {                                                                                                                    \
    const lanes_##NAME r = *re, i = *im, c = cosine - (lanes_##NAME){0}, s = sine - (lanes_##NAME){0};                 \
    *re = (lanes_##NAME) FMA (r, c, i * s);                                                                            \
    *im = (lanes_##NAME) FMA (i, c, -r * s);                                                                           \
  }                                                                                                                    \
                                                                                                                       \
  /* All butterflies with the same waves: of elements j + m q, j + radix q + m q, ... */                               \
  ARCH INLINE void butterflies_##NAME (T *re_at, T *im_at, int64_t stride, int64_t n, int64_t q, int64_t j,            \
                                       const T *cosine, const int radix, const int turn)                               \
  {                                                                                                                    \
    const T *sine = cosine + n;                                                                                        \
    const int64_t step = n / q / radix * j, lanes = BYTES / (int64_t) sizeof (T);                                      \
    for (int64_t k = j; k < n; k += radix * q)                                                                         \
      for (int64_t at = k * stride; at < k * stride + FFT_VECTOR / (int64_t) sizeof (T); at += lanes) {                \
        lanes_##NAME re[8], im[8];                                                                                     \
        for (int m = 0; m < radix; m++) {                                                                              \
          re[m] = *(lanes_##NAME *) (re_at + at + m * q * stride);                                                     \
          im[m] = *(lanes_##NAME *) (im_at + at + m * q * stride);                                                     \
          if (m && turn == TURN_BEFORE)                                                                                \
            turn_##NAME (&re[m], &im[m], cosine[m * step], sine[m * step]);                                            \
        }                                                                                                              \
        (radix == 8 ? dft8_##NAME : dft4_##NAME) (re, im);                                                             \
        for (int m = 0; m < radix; m++) {                                                                              \
          if (m && turn == TURN_AFTER)                                                                                 \
            turn_##NAME (&re[m], &im[m], cosine[m * step], sine[m * step]);                                            \
          *(lanes_##NAME *) (re_at + at + m * q * stride) = re[m];                                                     \
          *(lanes_##NAME *) (im_at + at + m * q * stride) = im[m];                                                     \
        }                                                                                                              \
      }                                                                                                                \
  }                                                                                                                    \
                                                                                                                       \
  ARCH INLINE void pass_##NAME (T *re, T *im, int64_t stride, int64_t n, int64_t q, const T *waves, const int radix,   \
                                const int turn)                                                                        \
  {                                                                                                                    \
    butterflies_##NAME (re, im, stride, n, q, 0, waves, radix, NO_TURN);                                               \
    for (int64_t j = 1; j < q; j++)                                                                                    \
      butterflies_##NAME (re, im, stride, n, q, j, waves, radix, turn);                                                \
  }                                                                                                                    \
                                                                                                                       \
  static void ARCH forward_##NAME (void *re, void *im, int64_t stride, int64_t n, const void *waves)                   \
  {                                                                                                                    \
    int64_t length = n;                                                                                                \
    for (; length > eights (n, BYTES == FFT_VECTOR); length /= 4)                                                      \
      pass_##NAME (re, im, stride, n, length / 4, waves, 4, TURN_AFTER);                                               \
    for (; length > 1; length /= 8)                                                                                    \
      pass_##NAME (re, im, stride, n, length / 8, waves, 8, TURN_AFTER);                                               \
  }                                                                                                                    \
                                                                                                                       \
  /* With real and imaginary parts exchanged, which turns the other way round. */                                      \
  static void ARCH inverse_##NAME (void *re, void *im, int64_t stride, int64_t n, const void *waves)                   \
  {                                                                                                                    \
    int64_t q = 1;                                                                                                     \
    for (; q < eights (n, BYTES == FFT_VECTOR); q *= 8)                                                                \
      pass_##NAME (im, re, stride, n, q, waves, 8, TURN_BEFORE);                                                       \
    for (; q < n; q *= 4)                                                                                              \
      pass_##NAME (im, re, stride, n, q, waves, 4, TURN_BEFORE);                                                       \
  }

#define DEFINE_REST(NAME, T)                                                                                           \
  typedef T four_##NAME __attribute__ ((vector_size (4 * sizeof (T)), aligned (sizeof (T)), may_alias));               \
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

/* Rounded twice, which is quicker than fma() without an instruction for it. */
#define TWICE(a, b, c) ((a) * (b) + (c))
DEFINE_FFT (f32_16, float, 16, , TWICE)
DEFINE_FFT (f32_32, float, 32, AVX2, FMA_f32_32)
DEFINE_FFT (f32_64, float, 64, AVX512, FMA_f32_64)
DEFINE_FFT (f64_16, double, 16, , TWICE)
DEFINE_FFT (f64_32, double, 32, AVX2, FMA_f64_32)
DEFINE_FFT (f64_64, double, 64, AVX512, FMA_f64_64)
DEFINE_REST (f32, float)
DEFINE_REST (f64, double)

const fft *
fft_with (fv_type type, int most)
{
  static const fft of_f32[] = {{forward_f32_16, inverse_f32_16, transpose_f32, multiply_f32},
                               {forward_f32_32, inverse_f32_32, transpose_f32, multiply_f32},
                               {forward_f32_64, inverse_f32_64, transpose_f32, multiply_f32}};
  static const fft of_f64[] = {{forward_f64_16, inverse_f64_16, transpose_f64, multiply_f64},
                               {forward_f64_32, inverse_f64_32, transpose_f64, multiply_f64},
                               {forward_f64_64, inverse_f64_64, transpose_f64, multiply_f64}};
  return &(type == FV_F32 ? of_f32 : of_f64)[vector_bytes (most) / 32];
}

const fft *
fft_of (fv_type type)
{
  return fft_with (type, FFT_VECTOR);
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

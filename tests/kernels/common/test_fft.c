/* SPDX-License-Identifier: MIT
 *
 * Fourier transforms with vectors of every length, whichever this processor has: a product of spectra is a cyclic convolution.
 */
#include "kernels/common/fft.h"
#include "tests/support/init.h"

#include <glib.h>

enum { LONGEST = 512, MAX_LANES = FFT_VECTOR / 4, STRIDE = MAX_LANES + 3 };

/* An array of complex numbers, in lanes: real parts, then imaginary ones. */
typedef union numbers {
  float f32[2 * LONGEST * STRIDE];
  double f64[2 * LONGEST * STRIDE];
} numbers;

static numbers a, b;
static double re[2][LONGEST][MAX_LANES], im[2][LONGEST][MAX_LANES];

static double
get (fv_type type, const numbers *n, int i)
{
  return type == FV_F32 ? (double) n->f32[i] : n->f64[i];
}

static void
put (fv_type type, numbers *n, int i, double v)
{
  if (type == FV_F32)
    n->f32[i] = (float) v;
  else
    n->f64[i] = v;
}

static void
fill (fv_type type, numbers *to, int which, int length, int lanes)
{
  for (int k = 0; k < length; k++)
    for (int i = 0; i < lanes; i++) {
      put (type, to, k * STRIDE + i, re[which][k][i] = g_test_rand_double_range (-1, 1));
      put (type, to, (length + k) * STRIDE + i, im[which][k][i] = g_test_rand_double_range (-1, 1));
    }
}

/* Of each lane by itself. */
static void
check_convolution (fv_type type, int length, int lanes, double tolerance)
{
  for (int k = 0; k < length; k++)
    for (int i = 0; i < lanes; i++) {
      double real = 0, imaginary = 0;
      for (int j = 0; j < length; j++) {
        int m = (k - j + length) % length;
        real += re[0][j][i] * re[1][m][i] - im[0][j][i] * im[1][m][i];
        imaginary += re[0][j][i] * im[1][m][i] + im[0][j][i] * re[1][m][i];
      }
      g_assert_cmpfloat_with_epsilon (get (type, &a, k * STRIDE + i) / length, real, tolerance);
      g_assert_cmpfloat_with_epsilon (get (type, &a, (length + k) * STRIDE + i) / length, imaginary, tolerance);
    }
}

static void
check (fv_type type, int bytes, int length)
{
  const fft *f = fft_with (type, bytes);
  const int size = (int) type_bytes (type), lanes = FFT_VECTOR / size, half = length * STRIDE;
  double waves[2 * LONGEST];
  numbers *both[] = {&a, &b};
  fft_waves (waves, type, length);
  for (int which = 0; which < 2; which++) {
    fill (type, both[which], which, length, lanes);
    f->forward (both[which], (char *) both[which] + half * size, STRIDE, length, waves);
  }
  for (int i = 0; i < half; i++) {
    double ar = get (type, &a, i), ai = get (type, &a, half + i), br = get (type, &b, i), bi = get (type, &b, half + i);
    put (type, &a, i, ar * br - ai * bi);
    put (type, &a, half + i, ar * bi + ai * br);
  }
  f->inverse (&a, (char *) &a + half * size, STRIDE, length, waves);
  check_convolution (type, length, lanes, (type == FV_F32 ? 2e-6 : 4e-15) * length);
}

static void
test_convolution (void)
{
  for (int length = 4; length <= LONGEST; length *= 2)
    for (int bytes = 16; bytes <= FFT_VECTOR; bytes *= 2) {
      check (FV_F32, bytes, length);
      check (FV_F64, bytes, length);
    }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/fft/convolution", test_convolution);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT
 *
 * Sums over windows with vectors of every length, whichever this processor has, against sums one by one.
 */
#include "kernels/convolve/convolve_direct.h"
#include "tests/support/init.h"

#include <glib.h>

enum { ROWS = 2 * DIRECT_ROWS, COLUMNS = 2 * DIRECT_BYTES / 4, PITCH = COLUMNS + 16, ALL = 32 * PITCH, WEIGHTS = 256 };

/* An array of numbers. */
typedef union numbers {
  float f32[ALL];
  double f64[ALL];
} numbers;

static numbers in, out, weights;

static double
get (fv_type type, const numbers *n, int64_t i)
{
  return type == FV_F32 ? (double) n->f32[i] : n->f64[i];
}

static void
fill (fv_type type, numbers *to, int n)
{
  for (int i = 0; i < n; i++) {
    const double v = g_test_rand_double_range (-1, 1);
    if (type == FV_F32)
      to->f32[i] = (float) v;
    else
      to->f64[i] = v;
  }
}

static void
check (fv_type type, int bytes, int64_t m, int64_t n, bool add)
{
  const direct_sums *d = direct_with (type, bytes);
  static numbers before;
  fill (type, &in, ALL);
  fill (type, &out, ALL);
  fill (type, &weights, WEIGHTS);
  before = out;
  d->correlate (&out, &in, PITCH, &weights, m, n, ROWS, COLUMNS, add);
  for (int64_t y = 0; y < ROWS; y++)
    for (int64_t x = 0; x < COLUMNS; x++) {
      double sum = add ? get (type, &before, y * PITCH + x) : 0;
      for (int64_t i = 0; i < m * n; i++)
        sum += get (type, &weights, i) * get (type, &in, (y + i / n) * PITCH + x + i % n);
      g_assert_cmpfloat_with_epsilon (get (type, &out, y * PITCH + x), sum,
                                      (type == FV_F32 ? 2e-7 : 4e-16) * (double) (m * n + 4));
    }
}

static void
test_correlate (void)
{
  static const int64_t sizes[][2] = {{1, 1}, {1, 15}, {15, 1}, {2, 2}, {3, 3}, {4, 9}, {5, 7}, {15, 15}};
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (int bytes = 16; bytes <= DIRECT_BYTES / 2; bytes *= 2)
      for (int add = 0; add < 2; add++) {
        check (FV_F32, bytes, sizes[i][0], sizes[i][1], add);
        check (FV_F64, bytes, sizes[i][0], sizes[i][1], add);
      }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/convolve_direct/correlate", test_correlate);
  return g_test_run ();
}

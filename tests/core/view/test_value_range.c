/* SPDX-License-Identifier: MIT
 *
 * Between which values a slider goes, of small images, where every pixel is looked at, and of a large one.
 */
#include "core/view/value_range.h"

#include "tests/support/support.h"

#include <float.h>
#include <math.h>

static void
assert_range (fv_type type, gint64 n, const double *values, gboolean good, double low, double high)
{
  g_autoptr (Image) image = image_of (type, FV_IMAGE, 1, n, values);
  double found[2];
  g_assert_cmpint (value_range (image, &found[0], &found[1]), ==, good);
  if (good) {
    g_assert_cmpfloat (found[0], ==, low);
    g_assert_cmpfloat (found[1], ==, high);
  }
}

static void
test_small (void)
{
  assert_range (FV_U8, 3, (const double[]){7, 9, 30}, TRUE, 0, 255);
  assert_range (FV_U16, 3, (const double[]){700, 900, 3000}, TRUE, 700, 3000);
  assert_range (FV_I32, 2, (const double[]){-5, 8}, TRUE, -5, 8);
  assert_range (FV_I8, 2, (const double[]){-128, 127}, TRUE, -128, 127);
  assert_range (FV_I16, 2, (const double[]){-5, 8}, TRUE, -5, 8);
  assert_range (FV_U32, 2, (const double[]){7, 4294967295.0}, TRUE, 7, 4294967295.0);
  assert_range (FV_F16, 5, (const double[]){0.5, NAN, -2.25, INFINITY, 1}, TRUE, -2.25, 1);
  assert_range (FV_F32, 5, (const double[]){0.5, NAN, -2.25, INFINITY, 1}, TRUE, -2.25, 1);
}

/* What no slider can have. */
static void
test_none (void)
{
  assert_range (FV_U16, 2, (const double[]){5, 5}, FALSE, 0, 0);
  assert_range (FV_F64, 2, (const double[]){NAN, -INFINITY}, FALSE, 0, 0);
  assert_range (FV_F64, 2, (const double[]){-DBL_MAX, DBL_MAX}, FALSE, 0, 0);
  assert_range (FV_F64, 2, (const double[]){0, 4.94e-324}, FALSE, 0, 0);
}

/* Of 140001 pixels every third is looked at, and there is room above the greatest: 1000 + 1000 / 8, and whole. */
static void
test_large (void)
{
  const gint64 n = 140001;
  g_autofree double *values = g_new0 (double, n);
  values[999] = 1000; /* 999 = 3 * 333 */
  values[1000] = 5000;
  assert_range (FV_U16, n, values, TRUE, 0, 1125);
  values[999] = 1001;
  assert_range (FV_U16, n, values, TRUE, 0, 1127);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/value-range/small", test_small);
  g_test_add_func ("/value-range/none", test_none);
  g_test_add_func ("/value-range/large", test_large);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT
 *
 * The functions that are the same on every device are those that they are named after: the C library's in long double say so.
 */
#include "kernels/common/defined.h"
#include "tests/support/init.h"

#include <float.h>
#include <glib.h>

enum { TRIES = 200000 };

/* In ULP of the right value. */
static double
off (double found, long double right)
{
  const double nearest = (double) right, unit = nextafter (fabs (nearest), INFINITY) - fabs (nearest);
  if (found == nearest || (isnan (found) && isnan (nearest)))
    return 0;
  return isfinite (found) && isfinite (nearest) ? fabs ((double) ((long double) found - right)) / unit : INFINITY;
}

#define ASSERT_NEAR(FOUND, RIGHT, X)                                                                                   \
  if (off (FOUND, RIGHT) > 2.5)                                                                                        \
  g_error (#FOUND " is %.17g for %.17g, not %.17g", FOUND, X, (double) (RIGHT))

static double
between (double low, double high)
{
  return g_test_rand_double_range (low, high);
}

static void
test_exponentials (void)
{
  for (int i = 0; i < TRIES; i++) {
    const double x = i % 2 ? between (-745, 709.7) : between (-1, 1);
    const double positive = i % 2 ? exp (between (-744, 709)) : between (0.5, 2), y = between (-7, 7);
    ASSERT_NEAR (defined_exp (x), expl (x), x);
    ASSERT_NEAR (defined_log (positive), logl (positive), positive);
    ASSERT_NEAR (defined_pow (positive, y), powl (positive, y), positive);
    ASSERT_NEAR (defined_cbrt (positive), cbrtl (positive), positive);
    ASSERT_NEAR (defined_cbrt (-positive), cbrtl (-positive), -positive);
  }
}

static void
test_angles (void)
{
  for (int i = 0; i < TRIES; i++) {
    const double x = i % 2 ? between (-3, 3) : exp (between (-300, 300)), y = between (-3, 3), r = between (-1, 1),
                 angle = between (-7, 7), large = between (-1e6, 1e6);
    ASSERT_NEAR (defined_atan2 (y, x), atan2l (y, x), x);
    ASSERT_NEAR (defined_acos (r), acosl (r), r);
    ASSERT_NEAR (defined_sin (angle), sinl (angle), angle);
    ASSERT_NEAR (defined_cos (angle), cosl (angle), angle);
    g_assert_true (fabsl (defined_sin (large) - sinl (large)) < DBL_EPSILON);
    g_assert_true (fabsl (defined_cos (large) - cosl (large)) < DBL_EPSILON);
  }
}

static void
test_ends (void)
{
  static const double ends[] = {0, -0.0, 1, -1, 0x1p-1074, 0x1p-1022, DBL_MAX, -DBL_MAX, INFINITY, -INFINITY, NAN},
                      none[] = {INFINITY, -INFINITY, NAN};
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++) {
    const double x = ends[i];
    ASSERT_NEAR (defined_exp (x), expl (x), x);
    ASSERT_NEAR (defined_log (x), logl (x), x);
    ASSERT_NEAR (defined_cbrt (x), cbrtl (x), x);
    for (guint k = 0; k < G_N_ELEMENTS (ends); k++) {
      if (x >= 0 && !signbit (x))
        ASSERT_NEAR (defined_pow (x, ends[k]), powl (x, ends[k]), x);
      if (isfinite (x) && isfinite (ends[k]))
        ASSERT_NEAR (defined_atan2 (ends[k], x), atan2l (ends[k], x), x);
    }
  }
  for (guint i = 0; i < G_N_ELEMENTS (none); i++)
    g_assert_true (isnan (defined_sin (none[i])) && isnan (defined_cos (none[i]))
                   && isnan (defined_atan2 (none[i], 1)));
  g_assert_true (isnan (defined_pow (-1, 0.5)) && isnan (defined_pow (NAN, 2)) && isnan (defined_pow (2, NAN)));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/defined/exponentials", test_exponentials);
  g_test_add_func ("/defined/angles", test_angles);
  g_test_add_func ("/defined/ends", test_ends);
  return g_test_run ();
}

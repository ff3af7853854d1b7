/* SPDX-License-Identifier: MIT
 *
 * Limits and stretches as astropy 5.2.1 has them: ZScaleInterval(), PercentileInterval() and its stretches, of the same values.
 */
#include "core/view/contrast_limits.h"
#include "core/view/stretch.h"
#include "tests/support/support.h"

/* A background with noise; every so many values stand out of it. */
static double *
make_sky (gsize n, gsize stars)
{
  double *values = g_new (double, n);
  guint64 state = 12345;
  for (gsize i = 0; i < n; i++) {
    double sum = 0;
    for (int k = 0; k < 4; k++) {
      state = (state * 1103515245 + 12345) % 2147483648;
      sum += (double) state / 2147483648.0;
    }
    values[i] = 100 + 10 * (sum - 2);
    if (stars && i % stars == 0)
      values[i] += 5 * (double) (i % 1009);
  }
  return values;
}

static const struct {
  gsize n, stars;
  double zscale[2], max[2], some[2]; /* 99.5 and 90 percent */
} skies[] = {
  {1, 0, {97.4169749, 97.4169749}, {97.4169749, 97.4169749}, {97.4169749, 97.4169749}},
  {7, 0, {96.2915416, 107.188087}, {96.3084231, 107.177718}, {96.6291716, 106.980704}},
  {999, 50, {84.2566942, 134.674975}, {86.8507478, 4222.9569}, {91.3075285, 110.508108}},
  {40000, 17, {82.658292, 138.620347}, {85.0104298, 4922.38269}, {90.5713784, 842.897496}},
  {40000, 3, {84.8001557, 5142.92523}, {85.5211394, 5102.90338}, {91.6802534, 4372.11322}},
};

static void
check (Range found, const double expected[2])
{
  g_assert_cmpfloat_with_epsilon (found.low, expected[0], 1e-7 * fabs (expected[0]));
  g_assert_cmpfloat_with_epsilon (found.high, expected[1], 1e-7 * fabs (expected[1]));
}

static void
test_limits (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (skies); i++) {
    g_autofree double *values = make_sky (skies[i].n, skies[i].stars);
    check (limits_zscale (values, skies[i].n), skies[i].zscale);
    check (limits_percent (values, skies[i].n, 99.5), skies[i].max);
    check (limits_percent (values, skies[i].n, 90), skies[i].some);
  }
}

/* What is not finite does not count, and a plane without contrast has no limits. */
static void
test_plane (void)
{
  g_autofree double *values = make_sky (1000, 50), *flat = g_new (double, 6);
  g_autoptr (Image) image = NULL, constant = NULL, none = NULL;
  Range limits;
  values[999] = NAN;
  for (int i = 0; i < 6; i++)
    flat[i] = 3;
  image = image_of (FV_F64, FV_IMAGE, 20, 50, values);
  constant = image_of (FV_F32, FV_IMAGE, 2, 3, flat);
  flat[0] = flat[1] = flat[2] = NAN, flat[3] = flat[4] = flat[5] = INFINITY;
  none = image_of (FV_F32, FV_IMAGE, 2, 3, flat);
  g_assert_true (limits_of_plane (image, 0, 0, &limits, NULL));
  check (limits, skies[2].zscale);
  g_assert_true (limits_of_plane (image, 0, 99.5, &limits, NULL));
  check (limits, skies[2].max);
  g_assert_false (limits_of_plane (constant, 0, 0, &limits, NULL));
  g_assert_false (limits_of_plane (none, 0, 99, &limits, NULL));
}

static void
test_stretches (void)
{
  static const struct {
    Stretch stretch;
    double a, at[3]; /* 0.001, 0.25, 1 */
  } expected[] = {{STRETCH_LINEAR, 0, {0.001, 0.25, 1}},         {STRETCH_LOG, 1000, {0.10032882, 0.79977552, 1}},
                  {STRETCH_LOG, 50, {0.01240904, 0.6619545, 1}}, {STRETCH_ASINH, 0.1, {0.00333525, 0.54940249, 1}},
                  {STRETCH_SQRT, 0, {0.03162278, 0.5, 1}},       {STRETCH_POWER, 2, {1e-6, 0.0625, 1}}};
  static const double positions[] = {0.001, 0.25, 1};
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    for (int k = 0; k < 3; k++)
      g_assert_cmpfloat_with_epsilon (stretch_at (expected[i].stretch, expected[i].a, 1, positions[k]),
                                      expected[i].at[k], 1e-8);
  g_assert_cmpfloat_with_epsilon (stretch_at (STRETCH_SQRT, 0, 2, 0.25), 0.25, 1e-12);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/contrast-limits/limits", test_limits);
  g_test_add_func ("/contrast-limits/plane", test_plane);
  g_test_add_func ("/contrast-limits/stretches", test_stretches);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT
 *
 * Means and variances on what can be worked out by hand.
 */
#include "tests/support/support.h"

#include <math.h>

/* Of 1 ... 9 the mean is 5 and the variance 60 / 9. */
static void
test_nine_numbers (Device *device)
{
  static const double nine[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  static const char *const footprints[] = {"square", "imagej", "matrix matrix='1 1 1; 1 1 1; 1 1 1'"};
  g_autoptr (Image) image = image_of (FV_U8, FV_IMAGE, 3, 3, nine);
  for (guint i = 0; i < G_N_ELEMENTS (footprints); i++) {
    g_autofree char *mean = g_strdup_printf ("mean radius=1 footprint=%s", footprints[i]);
    g_autofree char *variance = g_strdup_printf ("variance radius=1 footprint=%s", footprints[i]);
    CallResult result;
    run_step (mean, image, NULL, device, &result, NULL);
    g_assert_cmpfloat (image_value (result.images[0], 0, 1, 1), ==, 5);
    call_result_clear (&result);
    run_step (variance, image, NULL, device, &result, NULL);
    g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, 1, 1), 60 / 9., 1e-6);
    call_result_clear (&result);
  }
}

/* In a ramp along x a square has the mean of its middle and the variance r (r + 1) / 3; beyond a NaN nothing is lost, however far the sums run. */
static void
test_ramp_with_a_hole (Device *device)
{
  enum { SIDE = 100, HOLE = 50, RADIUS = 5 };
  g_autofree double *values = g_new (double, SIDE *SIDE);
  for (int i = 0; i < SIDE * SIDE; i++)
    values[i] = i % SIDE;
  values[HOLE * SIDE + HOLE] = NAN;
  g_autoptr (Image) image = image_of (FV_F64, FV_IMAGE, SIDE, SIDE, values);
  CallResult mean, variance;
  run_step ("mean footprint=square radius=5", image, NULL, device, &mean, NULL);
  run_step ("variance footprint=square radius=5", image, NULL, device, &variance, NULL);
  for (int y = 0; y < SIDE; y++)
    for (int x = RADIUS; x < SIDE - RADIUS; x++) {
      double m = image_value (mean.images[0], 0, y, x), v = image_value (variance.images[0], 0, y, x);
      if (ABS (y - HOLE) <= RADIUS && ABS (x - HOLE) <= RADIUS) {
        g_assert_true (isnan (m) && isnan (v));
        continue;
      }
      g_assert_cmpfloat_with_epsilon (m, x, 1e-12);
      g_assert_cmpfloat_with_epsilon (v, RADIUS * (RADIUS + 1) / 3., 1e-9);
    }
  call_result_clear (&mean);
  call_result_clear (&variance);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/mean/nine-numbers", test_nine_numbers);
  add_device_test ("/mean/ramp-with-a-hole", test_ramp_with_a_hole);
  return g_test_run ();
}

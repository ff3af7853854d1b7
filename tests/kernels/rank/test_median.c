/* SPDX-License-Identifier: MIT
 *
 * Rank filters on what can be worked out by hand: nine numbers, ramps under footprints small and large, and an impulse.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

static void
check_nine (const char *step, Device *device, double corner, double center)
{
  static const double nine[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  g_autoptr (Image) image = image_of (FV_U16, FV_IMAGE, 3, 3, nine);
  CallResult result;
  run_step (step, image, NULL, device, &result, NULL);
  g_assert_cmpfloat (image_value (result.images[0], 0, 0, 0), ==, corner);
  g_assert_cmpfloat (image_value (result.images[0], 0, 1, 1), ==, center);
  call_result_clear (&result);
}

/* At the corner the nearest border makes it 1 1 1 1 2 2 4 4 5. */
static void
test_nine_numbers (Device *device)
{
  check_nine ("median footprint=square radius=1", device, 2, 5);
  check_nine ("minimum footprint=square radius=1", device, 1, 1);
  check_nine ("maximum footprint=square radius=1", device, 5, 9);
  check_nine ("percentile percentile=80 footprint=square radius=1", device, 4, 8);
  check_nine ("median footprint=square radius=1 border=constant value=100", device, 100, 5);
  check_nine ("median footprint=imagej radius=1", device, 2, 5);
  check_nine ("median footprint=diamond radius=1", device, 1, 5);
}

/* Where a symmetric footprint lies in a ramp, its median is the middle; minima and maxima are a radius away. */
static void
test_ramps (Device *device)
{
  enum { ROWS = 90, COLUMNS = 150 };
  static const fv_type types[] = {FV_U8, FV_U16, FV_I32, FV_F32, FV_F64};
  static const int radii[] = {1, 3, 17, 40};
  g_autofree double *values = g_new (double, ROWS *COLUMNS);
  for (int i = 0; i < ROWS * COLUMNS; i++)
    values[i] = i % COLUMNS;
  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    for (guint k = 0; k < G_N_ELEMENTS (radii); k++) {
      g_autoptr (Image) image = image_of (types[t], FV_IMAGE, ROWS, COLUMNS, values);
      g_autofree char *median = g_strdup_printf ("median radius=%d border=mirror", radii[k]);
      g_autofree char *maximum = g_strdup_printf ("maximum radius=%d border=wrap", radii[k]);
      CallResult middle, max;
      run_step (median, image, NULL, device, &middle, NULL);
      run_step (maximum, image, NULL, device, &max, NULL);
      for (int y = 0; y < ROWS; y++)
        for (int x = radii[k]; x < COLUMNS - radii[k]; x++) {
          g_assert_cmpfloat (image_value (middle.images[0], 0, y, x), ==, x);
          g_assert_cmpfloat (image_value (max.images[0], 0, y, x), ==, x + radii[k]);
        }
      call_result_clear (&middle);
      call_result_clear (&max);
    }
}

/* A single bright pixel is noise to a median, however small the footprint; a maximum paints the footprint. */
static void
test_impulse (Device *device)
{
  double values[11 * 11] = {[5 * 11 + 5] = 200};
  g_autoptr (Image) image = image_of (FV_U8, FV_IMAGE, 11, 11, values);
  CallResult result;
  run_step ("median radius=1", image, NULL, device, &result, NULL);
  for (int i = 0; i < 121; i++)
    g_assert_cmpfloat (image_value (result.images[0], 0, i / 11, i % 11), ==, 0);
  call_result_clear (&result);
  run_step ("maximum footprint=imagej radius=2", image, NULL, device, &result, NULL);
  for (int y = -5; y <= 5; y++)
    for (int x = -5; x <= 5; x++)
      g_assert_cmpfloat (image_value (result.images[0], 0, y + 5, x + 5), ==, x * x + y * y <= 5 ? 200 : 0);
  call_result_clear (&result);
}

static void
test_ball_needs_a_volume (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 3, 9, 9, 1);
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step ("median footprint=ball", image, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "footprint");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/median/nine-numbers", test_nine_numbers);
  add_device_test ("/median/ramps", test_ramps);
  add_device_test ("/median/impulse", test_impulse);
  add_device_test ("/median/ball-needs-a-volume", test_ball_needs_a_volume);
  return g_test_run ();
}

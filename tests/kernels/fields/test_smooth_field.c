/* SPDX-License-Identifier: MIT
 *
 * Random Smooth Field: what its numbers are distributed like, what they depend on, and sizes.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>

enum { SIDE = 400 };

static Image *
field_of (const char *step, Image *like, Device *device)
{
  CallResult result;
  run_step (step, like, NULL, device, &result, NULL);
  Image *image = image_ref (result.images[0]);
  call_result_clear (&result);
  return image;
}

/* With a node at each pixel: moments of 160 000 numbers, within five standard errors, and their range. */
static void
test_distributions (Device *device)
{
  static const struct {
    const char *step;
    double mean, variance, fourth; /* the last about the mean, over the square of the variance */
  } cases[] = {{"smooth_field distance=1 mean=2 amplitude=3 seed=4", 2, 9, 3},
               {"smooth_field distance=1 mean=2 amplitude=3 seed=4 distribution=uniform", 2, 3, 1.8}};
  g_autoptr (Image) like = image_random (FV_U8, FV_IMAGE, 1, 1, SIDE, SIDE, 1);
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autoptr (Image) field = field_of (cases[c].step, like, device);
    double n = SIDE * SIDE, sum = 0, squares = 0, fourths = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
      double d = image_value (field, 0, i / SIDE, i % SIDE) - cases[c].mean;
      g_assert_cmpfloat (fabs (d), <=, c ? 3 : 3 * 6.8);
      sum += d;
      squares += d * d;
      fourths += d * d * d * d;
    }
    double variance = squares / n;
    g_assert_cmpfloat (fabs (sum / n), <, 5 * sqrt (cases[c].variance / n));
    g_assert_cmpfloat (fabs (variance / cases[c].variance - 1), <, 5 * sqrt ((cases[c].fourth - 1) / n));
    g_assert_cmpfloat (fabs (fourths / n / variance / variance - cases[c].fourth), <, 0.1);
  }
}

static void
test_depends (Device *device)
{
  g_autoptr (Image) stack = image_random (FV_F32, FV_IMAGE, 2, 3, 30, 40, 1),
                    other = image_random (FV_U8, FV_IMAGE, 1, 1, 30, 40, 2);
  g_autoptr (Image) field = field_of ("smooth_field distance=9", stack, device);
  g_autoptr (Image) again = field_of ("smooth_field distance=9", other, device);
  g_autoptr (Image) seed = field_of ("smooth_field distance=9 seed=2", other, device);
  g_autoptr (Image) flat = field_of ("smooth_field mean=7 amplitude=0 volume=yes", stack, device);
  g_autoptr (Image) volume = field_of ("smooth_field distance=2 volume=yes", stack, device);
  g_assert_cmpint (image_info (field)->type, ==, FV_F32);
  g_assert_cmpint (image_info (field)->channels, ==, 2);
  for (int plane = 0; plane < 6; plane++)
    g_assert_cmpfloat (image_value (field, plane, 20, 30), ==, image_value (again, 0, 20, 30));
  g_assert_cmpfloat (image_value (seed, 0, 20, 30), !=, image_value (again, 0, 20, 30));
  g_assert_cmpfloat_with_epsilon (image_value (flat, 5, 20, 30), 7, 1e-5);
  g_assert_cmpfloat (image_value (volume, 0, 20, 30), !=, image_value (volume, 1, 20, 30));
  g_assert_cmpfloat (image_value (volume, 1, 20, 30), ==, image_value (volume, 4, 20, 30)); /* the other channel */
}

static void
test_size (Device *device)
{
  g_autoptr (Image) like = image_random (FV_U8, FV_IMAGE, 1, 2, 3, 4, 1);
  g_autoptr (Image) wide = field_of ("smooth_field width=50", like, device);
  g_autoptr (Image) deep = field_of ("smooth_field width=50 height=20 depth=7 volume=yes", like, device);
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_cmpint (image_info (wide)->columns, ==, 50);
  g_assert_cmpint (image_info (wide)->rows, ==, 3);
  g_assert_cmpint (image_info (deep)->rows, ==, 20);
  g_assert_cmpint (image_info (deep)->depth, ==, 7);
  g_autoptr (Image) alone = field_of ("smooth_field width=50 height=20 depth=7 volume=yes", NULL, device);
  for (int z = 0; z < 7; z++)
    g_assert_cmpfloat (image_value (alone, z, 11, 43), ==, image_value (deep, z, 11, 43));
  g_assert_cmpint (image_info (alone)->columns, ==, 50);
  g_assert_false (run_step ("smooth_field width=9", NULL, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "height");
  g_clear_error (&error);
  g_assert_false (run_step ("smooth_field depth=7", like, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "depth");
  g_clear_error (&error);
  g_assert_false (run_step ("smooth_field width=2147483647 height=2147483647", like, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "width");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/smooth-field/distributions", test_distributions);
  add_device_test ("/smooth-field/depends", test_depends);
  add_device_test ("/smooth-field/size", test_size);
  return g_test_run ();
}

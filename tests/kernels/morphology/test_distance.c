/* SPDX-License-Identifier: MIT
 *
 * distance: what can be worked out by hand.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>

enum { SIDE = 9 };

/* One background pixel at (2, 6) of a plane. */
static void
test_one_pixel (Device *device)
{
  static const char *const steps[] = {"distance", "distance metric=city", "distance metric=chessboard"};
  double values[SIDE * SIDE];
  g_autoptr (Image) image = NULL;
  for (int i = 0; i < SIDE * SIDE; i++)
    values[i] = i != 2 * SIDE + 6;
  image = image_of (FV_U8, FV_MASK, SIDE, SIDE, values);
  for (int metric = 0; metric < 3; metric++) {
    CallResult result;
    run_step (steps[metric], image, NULL, device, &result, NULL);
    g_assert_cmpint (image_info (result.images[0])->type, ==, FV_F32);
    g_assert_cmpint (image_info (result.images[0])->role, ==, FV_IMAGE);
    for (int y = 0; y < SIDE; y++)
      for (int x = 0; x < SIDE; x++) {
        double dy = abs (y - 2), dx = abs (x - 6);
        double expected = metric == 0 ? hypot (dy, dx) : metric == 1 ? dy + dx : MAX (dy, dx);
        g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, y, x), expected, 1e-6);
      }
    call_result_clear (&result);
  }
}

/* No background at all; the next plane has some, which only a volume sees. */
static void
test_no_background (Device *device)
{
  double values[2 * SIDE * SIDE];
  g_autoptr (Image) image = NULL;
  CallResult result;
  for (int i = 0; i < 2 * SIDE * SIDE; i++)
    values[i] = i != SIDE * SIDE;
  image = image_of_planes (FV_U8, FV_MASK, 1, 2, SIDE, SIDE, values);
  run_step ("distance", image, NULL, device, &result, NULL);
  g_assert_true (isinf (image_value (result.images[0], 0, 4, 4)));
  g_assert_cmpfloat (image_value (result.images[0], 1, 4, 3), ==, 5);
  call_result_clear (&result);
  run_step ("distance volume=yes", image, NULL, device, &result, NULL);
  g_assert_cmpfloat (image_value (result.images[0], 0, 2, 2), ==, 3);
  call_result_clear (&result);
}

static void
test_physical_needs_euclidean (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_MASK, 1, 1, 5, 5, 1);
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step ("distance metric=city units=physical", image, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "units");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/distance/one-pixel", test_one_pixel);
  add_device_test ("/distance/no-background", test_no_background);
  add_device_test ("/distance/physical-needs-euclidean", test_physical_needs_euclidean);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT
 *
 * Edges of a ramp and of a step, by hand; and what is refused.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>

enum { SIDE = 9 };

/* The one number that the step gives in the middle of v(x, y) = a x + b y. */
static void
assert_slope (Device *device, const char *step, fv_type type, double a, double b, double want)
{
  double values[SIDE * SIDE];
  for (int i = 0; i < SIDE * SIDE; i++)
    values[i] = a * (i % SIDE) + b * (i / SIDE);
  g_autoptr (Image) image = image_of (type, FV_IMAGE, SIDE, SIDE, values);
  CallResult result;
  run_step (step, image, NULL, device, &result, NULL);
  g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, SIDE / 2, SIDE / 2), want, 1e-5);
  call_result_clear (&result);
}

/* A difference over two pixels is twice the slope. */
static void
test_ramp (Device *device)
{
  assert_slope (device, "sobel", FV_F32, 3, 4, 10 / sqrt (2));
  assert_slope (device, "sobel direction=x", FV_U16, 3, 4, 6);
  assert_slope (device, "sobel direction=y", FV_F64, 3, -4, -8);
  assert_slope (device, "sobel method=scipy", FV_U8, 3, 4, 40);
  assert_slope (device, "sobel method=scipy direction=x", FV_I32, 3, 4, 24);
  assert_slope (device, "sobel method=imagej", FV_U8, 3, 4, 40);
  assert_slope (device, "sobel method=imagej", FV_U16, 1, 1, 11); /* of 11.3 */
  assert_slope (device, "sobel method=imagej", FV_U8, 20, 20, 226);
  assert_slope (device, "sobel method=imagej", FV_F32, 1, 1, sqrt (128));
}

static void
test_refused (Device *device)
{
  const double one = 1;
  g_autoptr (Image) image = image_of (FV_U8, FV_IMAGE, 1, 1, &one);
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step ("sobel direction=z", image, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "direction");
  g_assert_true (run_step ("sobel direction=z volume=yes", image, NULL, device, &result, NULL));
  call_result_clear (&result);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/sobel/ramp", test_ramp);
  add_device_test ("/sobel/refused", test_refused);
  return g_test_run ();
}

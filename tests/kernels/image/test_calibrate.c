/* SPDX-License-Identifier: MIT
 *
 * calibrate: the size of a pixel, its unit in one spelling, and pixels that stay as they are.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

static void
check (Device *device, const char *step, double z, double y, double x, const char *unit)
{
  g_autoptr (Image) image = image_random (FV_F32, FV_IMAGE, 2, 3, 37, 53, 5);
  CallResult result;
  run_step (step, image, NULL, device, &result, NULL);
  const ImageInfo *info = image_info (result.images[0]);
  g_assert_cmpfloat (info->spacing[0], ==, z);
  g_assert_cmpfloat (info->spacing[1], ==, y);
  g_assert_cmpfloat (info->spacing[2], ==, x);
  for (int axis = 0; axis < 3; axis++)
    g_assert_cmpstr (info->units[axis], ==, unit);
  g_assert_cmpint (info->channels, ==, 2);
  g_assert_cmpint (info->depth, ==, 3);
  assert_images_equal (result.images[0], image);
  call_result_clear (&result);
}

static void
test_sizes (Device *device)
{
  check (device, "calibrate width=0.325 unit=um", 0.325, 0.325, 0.325, "µm");
  check (device, "calibrate width=0.1 height=0.3 depth=0.7 unit=nm", 0.7, 0.3, 0.1, "nm");
  check (device, "calibrate", 1, 1, 1, "");
  check (device, "calibrate unit=pixel", 1, 1, 1, "");
}

/* Another size in the same unit is exact, too, and one in another unit replaces it on all axes. */
static void
test_again (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 2, 5, 7, 1);
  CallResult first, second;
  run_step ("calibrate width=0.3 depth=0.9 unit=µm", image, NULL, device, &first, NULL);
  run_step ("calibrate width=0.7 depth=1.1 unit=µm", first.images[0], NULL, device, &second, NULL);
  g_assert_cmpfloat (image_info (second.images[0])->spacing[0], ==, 1.1);
  g_assert_cmpfloat (image_info (second.images[0])->spacing[2], ==, 0.7);
  call_result_clear (&second);
  run_step ("calibrate", first.images[0], NULL, device, &second, NULL);
  g_assert_cmpstr (image_info (second.images[0])->units[0], ==, "");
  g_assert_cmpfloat (image_info (second.images[0])->spacing[0], ==, 1);
  call_result_clear (&second);
  call_result_clear (&first);
}

static void
test_no_unit (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 1, 5, 7, 1);
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step ("calibrate width=2", image, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "unit");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/calibrate/sizes", test_sizes);
  add_device_test ("/calibrate/again", test_again);
  add_device_test ("/calibrate/no-unit", test_no_unit);
  return g_test_run ();
}

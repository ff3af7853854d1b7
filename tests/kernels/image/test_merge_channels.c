/* SPDX-License-Identifier: MIT
 *
 * merge_channels: when the result is a color image, and images that do not go together.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

static void
test_rgb (Device *device)
{
  g_autoptr (Image) one = image_random (FV_U8, FV_IMAGE, 1, 2, 5, 7, 1);
  g_autoptr (Image) two = image_random (FV_U8, FV_IMAGE, 2, 2, 5, 7, 2);
  g_autoptr (GError) error = NULL;
  CallResult result;
  run_step ("merge_channels rgb=yes", one, two, device, &result, NULL);
  g_assert_cmpint (image_info (result.images[0])->role, ==, FV_RGB);
  g_assert_cmpint (image_info (result.images[0])->channels, ==, 3);
  g_assert_cmpint (image_info (result.images[0])->depth, ==, 2);
  g_assert_cmpfloat (image_value (result.images[0], 3, 4, 6), ==, image_value (two, 1, 4, 6));
  call_result_clear (&result);
  g_assert_false (run_step ("merge_channels rgb=yes", one, one, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "rgb");
}

static void
test_wrong (Device *device)
{
  g_autoptr (Image) first = image_random (FV_U8, FV_IMAGE, 1, 2, 5, 7, 1);
  g_autoptr (Image) other_type = image_random (FV_U16, FV_IMAGE, 1, 2, 5, 7, 1);
  g_autoptr (Image) other_size = image_random (FV_U8, FV_IMAGE, 1, 2, 5, 8, 1);
  g_autoptr (Image) other_depth = image_random (FV_U8, FV_IMAGE, 1, 1, 5, 7, 1);
  Image *const others[] = {other_type, other_size, other_depth};
  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    g_autoptr (GError) error = NULL;
    CallResult result;
    g_assert_false (run_step ("merge_channels", first, others[i], device, &result, &error));
    g_assert_cmpstr (step_error_field (error), ==, "c2");
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/merge-channels/rgb", test_rgb);
  add_device_test ("/merge-channels/wrong", test_wrong);
  return g_test_run ();
}

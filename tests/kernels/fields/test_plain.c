/* SPDX-License-Identifier: MIT
 *
 * Plain Image: what size, channels and frames it has, of an image and without one, and what is refused.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

static Image *
plain_of (const char *step, Image *like, Device *device)
{
  CallResult result;
  run_step (step, like, NULL, device, &result, NULL);
  Image *image = image_ref (result.images[0]);
  call_result_clear (&result);
  return image;
}

static void
test_size (Device *device)
{
  g_autoptr (Image) rgb = image_random (FV_U8, FV_RGB, 3, 1, 5, 7, 1);
  g_autoptr (Image) alone = plain_of ("plain width=256 height=2 depth=3 channels=2 fill=ramp", NULL, device);
  g_autoptr (Image) like = plain_of ("plain fill=white type=u16", rgb, device);
  g_autoptr (Image) gray = plain_of ("plain channels=1 depth=4", rgb, device);
  const ImageInfo *info = image_info (alone);
  g_assert_cmpint (info->columns, ==, 256);
  g_assert_cmpint (info->rows, ==, 2);
  g_assert_cmpint (info->depth, ==, 3);
  g_assert_cmpint (info->channels, ==, 2);
  for (int x = 0; x < 256; x++)
    g_assert_cmpfloat (image_value (alone, 5, 1, x), ==, x);
  g_assert_cmpint (image_info (like)->channels, ==, 3);
  g_assert_cmpint (image_info (like)->role, ==, FV_IMAGE);
  g_assert_cmpfloat (image_value (like, 2, 4, 6), ==, 65535);
  g_assert_cmpint (image_info (gray)->channels, ==, 1);
  g_assert_cmpint (image_info (gray)->depth, ==, 4);
}

/* Noise continues from pixel to pixel over planes, channels and frames: all differ. */
static void
test_noise (Device *device)
{
  g_autoptr (Image) one = plain_of ("plain fill=noise width=60 height=50 depth=2 channels=2", NULL, device);
  g_autoptr (Image) other = plain_of ("plain fill=noise width=60 height=50 depth=2 channels=2 seed=2", NULL, device);
  int same = 0, equal = 0;
  for (int plane = 0; plane < 4; plane++)
    for (int y = 0; y < 50; y++)
      for (int x = 0; x < 60; x++) {
        double value = image_value (one, plane, y, x);
        same += value == image_value (one, (plane + 1) % 4, y, x);
        equal += value == image_value (other, plane, y, x);
      }
  /* Two normal numbers of standard deviation 255 / 8 are rounded to the same with a chance of 1 / (2 sqrt (pi) 31.9). */
  g_assert_cmpint (same, <, 12000 * 0.0088 + 5 * 10.3);
  g_assert_cmpint (equal, <, 12000 * 0.0088 + 5 * 10.3);
}

static void
test_refused (Device *device)
{
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step ("plain width=9", NULL, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "height");
  g_clear_error (&error);
  g_assert_false (run_step ("plain width=2147483647 height=2147483647", NULL, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "width");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/plain/size", test_size);
  add_device_test ("/plain/noise", test_noise);
  add_device_test ("/plain/refused", test_refused);
  return g_test_run ();
}

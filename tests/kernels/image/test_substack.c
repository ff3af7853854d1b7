/* SPDX-License-Identifier: MIT
 *
 * substack: lists as they may and may not be written, and what the image is then.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

static void
test_sizes (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_RGB, 3, 5, 4, 6, 2);
  CallResult result;
  run_step ("substack channels=2-3 slices='5 - 1 - 2'", image, NULL, device, &result, NULL);
  const ImageInfo *info = image_info (result.images[0]);
  g_assert_cmpint (info->channels, ==, 2);
  g_assert_cmpint (info->depth, ==, 3);
  g_assert_cmpint (info->role, ==, FV_IMAGE);
  for (gint64 p = 0; p < 6; p++)
    g_assert_cmpfloat (image_value (result.images[0], p, 3, 5), ==,
                       image_value (image, (p / 3 + 1) * 5 + 4 - 2 * (p % 3), 3, 5));
  call_result_clear (&result);
  run_step ("substack slices=2", image, NULL, device, &result, NULL);
  g_assert_cmpint (image_info (result.images[0])->role, ==, FV_RGB);
  call_result_clear (&result);
}

static void
test_wrong (Device *device)
{
  static const char *const wrong[][2] = {
    {"slices=0", "slices"},     {"slices=6", "slices"},     {"slices=1,", "slices"},
    {"slices=1-", "slices"},    {"slices=1-3-0", "slices"}, {"slices=a", "slices"},
    {"slices='1 2'", "slices"}, {"slices=-1", "slices"},    {"channels=4", "channels"},
    {"frames=2", "frames"},     {"frames=1-9", "frames"},   {"slices=99999999999999999999", "slices"}};
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 3, 5, 4, 6, 2);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autofree char *step = g_strconcat ("substack ", wrong[i][0], NULL);
    g_autoptr (GError) error = NULL;
    CallResult result;
    g_assert_false (run_step (step, image, NULL, device, &result, &error));
    g_assert_cmpstr (step_error_field (error), ==, wrong[i][1]);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/substack/sizes", test_sizes);
  add_device_test ("/substack/wrong", test_wrong);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT
 *
 * hyperstack: what the image is then, and numbers that its planes cannot be.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <string.h>

/* Eight planes; there and back is the image again. */
static void
test_back (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U16, FV_IMAGE, 2, 4, 3, 5, 1);
  CallResult frames, back;
  run_step ("hyperstack", image, NULL, device, &frames, NULL);
  const ImageInfo *info = image_info (frames.images[0]);
  g_assert_cmpint (info->channels, ==, 2);
  g_assert_cmpint (info->depth, ==, 1);
  g_assert_cmpint (info->frames, ==, 4);
  run_step ("hyperstack slices=0 frames=1", frames.images[0], NULL, device, &back, NULL);
  info = image_info (back.images[0]);
  g_assert_cmpint (info->depth, ==, 4);
  g_assert_cmpint (info->frames, ==, 1);
  for (gint64 p = 0; p < 8; p++)
    g_assert_cmpfloat (image_value (back.images[0], p, 2, 4), ==, image_value (image, p, 2, 4));
  call_result_clear (&frames);
  call_result_clear (&back);
}

static void
test_roles (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_RGB, 3, 2, 4, 6, 2);
  CallResult result;
  run_step ("hyperstack", image, NULL, device, &result, NULL);
  g_assert_cmpint (image_info (result.images[0])->role, ==, FV_RGB);
  call_result_clear (&result);
  run_step ("hyperstack channels=1", image, NULL, device, &result, NULL);
  g_assert_cmpint (image_info (result.images[0])->role, ==, FV_IMAGE);
  g_assert_cmpint (image_info (result.images[0])->frames, ==, 6);
  call_result_clear (&result);
}

static void
test_wrong (Device *device)
{
  static const char *const wrong[][2] = {
    {"slices=0", "slices"},     {"slices=3", "slices"},
    {"frames=5", "frames"},     {"channels=3", "channels"},
    {"channels=9", "channels"}, {"channels=1048576 slices=1048576 frames=1048576", "channels"}};
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 2, 4, 3, 5, 1);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autofree char *step = g_strconcat ("hyperstack ", wrong[i][0], NULL);
    g_autoptr (GError) error = NULL;
    CallResult result;
    g_assert_false (run_step (step, image, NULL, device, &result, &error));
    g_assert_cmpstr (step_error_field (error), ==, wrong[i][1]);
  }
}

/* A number that is not given is not said to be one. */
static void
test_words (Device *device)
{
  static const char *const said[][2] = {{"slices=3", "8 planes: they cannot be 2 channels of 3 slices and any number"},
                                        {"slices=0 frames=3", "of 3 frames and any number of slices"},
                                        {"slices=20", "of 20 slices and any number of frames"},
                                        {"slices=3 frames=5", "of 3 slices and 5 frames"}};
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 2, 4, 3, 5, 1);
  for (guint i = 0; i < G_N_ELEMENTS (said); i++) {
    g_autofree char *step = g_strconcat ("hyperstack ", said[i][0], NULL);
    g_autoptr (GError) error = NULL;
    CallResult result;
    g_assert_false (run_step (step, image, NULL, device, &result, &error));
    g_assert_nonnull (strstr (error->message, said[i][1]));
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/hyperstack/back", test_back);
  add_device_test ("/hyperstack/roles", test_roles);
  add_device_test ("/hyperstack/wrong", test_wrong);
  add_device_test ("/hyperstack/words", test_words);
  return g_test_run ();
}

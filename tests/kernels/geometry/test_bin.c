/* SPDX-License-Identifier: MIT
 *
 * bin: sizes, pixel sizes and roles, and blocks that are larger than the image.
 */
#include "tests/support/support.h"

static void
test_sizes (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_RGB, 3, 7, 11, 13, 1);
  const ImageInfo *before = image_info (image), *info;
  CallResult result;
  run_step ("bin x=2 y=3 z=4 output=same", image, NULL, device, &result, NULL);
  info = image_info (result.images[0]);
  g_assert_cmpint (info->role, ==, FV_RGB);
  g_assert_cmpint (info->channels, ==, 3);
  g_assert_cmpint (info->depth, ==, 1);
  g_assert_cmpint (info->rows, ==, 3);
  g_assert_cmpint (info->columns, ==, 6);
  g_assert_cmpfloat (info->spacing[0], ==, 4 * before->spacing[0]);
  g_assert_cmpfloat (info->spacing[1], ==, 3 * before->spacing[1]);
  g_assert_cmpfloat (info->spacing[2], ==, 2 * before->spacing[2]);
  call_result_clear (&result);
}

static void
test_roles (Device *device)
{
  static const struct {
    const char *step;
    fv_type type;
    fv_role was, is;
  } cases[] = {{"bin", FV_U8, FV_RGB, FV_IMAGE},
               {"bin method=max", FV_U8, FV_MASK, FV_MASK},
               {"bin output=same", FV_U8, FV_MASK, FV_IMAGE},
               {"bin method=max", FV_I32, FV_LABELS, FV_LABELS}};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Image) image = image_random (cases[i].type, cases[i].was, cases[i].was == FV_RGB ? 3 : 1, 1, 5, 7, i);
    CallResult result;
    run_step (cases[i].step, image, NULL, device, &result, NULL);
    g_assert_cmpint (image_info (result.images[0])->role, ==, cases[i].is);
    call_result_clear (&result);
  }
}

/* A block has no more pixels than the image. */
static void
test_small (Device *device)
{
  static const double values[] = {3, 8, 4};
  g_autoptr (Image) image = image_of (FV_U8, FV_IMAGE, 1, 3, values);
  CallResult result;
  run_step ("bin x=100 y=2 z=9", image, NULL, device, &result, NULL);
  g_assert_cmpint (image_info (result.images[0])->columns, ==, 1);
  g_assert_cmpfloat (image_value (result.images[0], 0, 0, 0), ==, 5);
  call_result_clear (&result);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/bin/sizes", test_sizes);
  add_device_test ("/bin/roles", test_roles);
  add_device_test ("/bin/small", test_small);
  return g_test_run ();
}

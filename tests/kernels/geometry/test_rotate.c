/* SPDX-License-Identifier: MIT
 *
 * rotate: what an image is then, how large, and that objects are not mixed.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

static void
test_roles (Device *device)
{
  static const struct {
    const char *step;
    fv_role was, is;
  } cases[] = {{"rotate angle=5", FV_RGB, FV_RGB},
               {"rotate angle=5", FV_MASK, FV_IMAGE},
               {"rotate angle=5 interpolation=nearest", FV_MASK, FV_MASK},
               {"rotate angle=5 interpolation=nearest value=9", FV_MASK, FV_IMAGE},
               {"rotate angle=5 interpolation=nearest border=nearest value=9", FV_MASK, FV_MASK}};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Image) image = image_random (FV_U8, cases[i].was, 3, 1, 5, 7, i);
    CallResult result;
    run_step (cases[i].step, image, NULL, device, &result, NULL);
    g_assert_cmpint (image_info (result.images[0])->role, ==, cases[i].is);
    g_assert_cmpint (image_info (result.images[0])->columns, ==, 7);
    call_result_clear (&result);
  }
}

/* 30 degrees: 3 cos + 200 sin and 200 cos + 3 sin. One pixel stays one. */
static void
test_sizes (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 1, 3, 200, 1);
  g_autoptr (Image) pixel = image_random (FV_U8, FV_IMAGE, 1, 1, 1, 1, 1);
  CallResult result;
  run_step ("rotate angle=-30 enlarge=yes", image, NULL, device, &result, NULL);
  g_assert_cmpint (image_info (result.images[0])->rows, ==, 103);
  g_assert_cmpint (image_info (result.images[0])->columns, ==, 175);
  call_result_clear (&result);
  run_step ("rotate angle=45 enlarge=yes", pixel, NULL, device, &result, NULL);
  g_assert_cmpint (image_info (result.images[0])->rows, ==, 1);
  g_assert_cmpfloat (image_value (result.images[0], 0, 0, 0), ==, image_value (pixel, 0, 0, 0));
  call_result_clear (&result);
}

static void
test_labels (Device *device)
{
  g_autoptr (Image) image = image_random (FV_I32, FV_LABELS, 1, 1, 5, 7, 1);
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step ("rotate angle=5", image, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "interpolation");
  run_step ("rotate angle=5 interpolation=nearest", image, NULL, device, &result, NULL);
  g_assert_cmpint (image_info (result.images[0])->role, ==, FV_LABELS);
  call_result_clear (&result);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_device_test ("/rotate/roles", test_roles);
  add_device_test ("/rotate/sizes", test_sizes);
  add_device_test ("/rotate/labels", test_labels);
  return g_test_run ();
}

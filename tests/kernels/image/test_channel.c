/* SPDX-License-Identifier: MIT
 *
 * A channel by its number: its pixels, and what they are. A color of an RGB image is a plain image; labels stay labels.
 */
#include "tests/support/support.h"

static void
test_role (Device *device)
{
  static const struct {
    fv_type type;
    fv_role role, is;
  } cases[] = {
    {FV_U8, FV_RGB, FV_IMAGE}, {FV_U8, FV_MASK, FV_MASK}, {FV_I32, FV_LABELS, FV_LABELS}, {FV_F32, FV_IMAGE, FV_IMAGE}};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Image) image = image_random (cases[i].type, cases[i].role, 3, 2, 5, 7, i);
    CallResult result;
    run_step ("channel index=1", image, NULL, device, &result, NULL);
    const ImageInfo *info = image_info (result.images[0]);
    g_assert_cmpint (info->role, ==, cases[i].is);
    g_assert_cmpint (info->channels, ==, 1);
    for (gint64 z = 0; z < 2; z++)
      for (gint64 p = 0; p < 5 * 7; p++)
        g_assert_cmpfloat (image_value (result.images[0], z, p / 7, p % 7), ==,
                           image_value (image, 2 + z, p / 7, p % 7));
    call_result_clear (&result);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/channel/role", test_role);
  return g_test_run ();
}

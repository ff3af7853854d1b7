/* SPDX-License-Identifier: MIT
 *
 * crop: rectangles that reach beyond the image are refused by the name of what does.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

static void
test_wrong (Device *device)
{
  static const char *const wrong[][2] = {
    {"crop x=7", "x"}, {"crop y=5", "y"}, {"crop x=3 width=5", "width"}, {"crop height=6", "height"}};
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 1, 5, 7, 1);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;
    CallResult result;
    g_assert_false (run_step (wrong[i][0], image, NULL, device, &result, &error));
    g_assert_cmpstr (step_error_field (error), ==, wrong[i][1]);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/crop/wrong", test_wrong);
  return g_test_run ();
}

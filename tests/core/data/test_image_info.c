/* SPDX-License-Identifier: MIT
 *
 * An image in one line of text.
 */
#include "core/data/image_info.h"
#include "tests/support/init.h"

static void
check (const ImageInfo *info, const char *expected)
{
  g_autofree char *text = image_info_text (info);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_text (void)
{
  char none[] = "", um[] = "µm";
  ImageInfo info = {
    .type = FV_U16, .frames = 1, .channels = 1, .depth = 1, .rows = 5, .columns = 7, .spacing = {3, 0.5, 0.25}};
  check (&info, "7×5 16-bit");
  for (int axis = 0; axis < 3; axis++)
    info.units[axis] = none;
  check (&info, "7×5 16-bit");
  for (int axis = 0; axis < 3; axis++)
    info.units[axis] = um;
  check (&info, "7×5 16-bit, 0.25 × 0.5 µm");
  info.channels = 2, info.depth = 3, info.frames = 4;
  check (&info, "7×5 16-bit, 2 channels, 3 slices, 4 frames, 0.25 × 0.5 × 3 µm");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/image-info/text", test_text);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT
 *
 * reslice, and a stack cut along a line by kymograph: sizes of pixels go with their axes.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

static void
check (Device *device, const char *step, const gint64 size[3], const double spacing[3])
{
  g_autoptr (GError) error = NULL;
  ImageInfo info = {.type = FV_U8,
                    .frames = 1,
                    .channels = 2,
                    .depth = 4,
                    .rows = 5,
                    .columns = 7,
                    .spacing = {3, 1, 0.5},
                    .units = {(char *) "µm", (char *) "µm", (char *) "µm"}};
  g_autoptr (Image) image = image_new (&info, &error);
  CallResult result;
  g_assert_no_error (error);
  memset (image_pixels (image), 9, 2 * 4 * 5 * 7);
  run_step (step, image, NULL, device, &result, NULL);
  const ImageInfo *made = image_info (result.images[0]);
  g_assert_cmpint (made->channels, ==, 2);
  g_assert_cmpint (made->depth, ==, size[0]);
  g_assert_cmpint (made->rows, ==, size[1]);
  g_assert_cmpint (made->columns, ==, size[2]);
  for (int axis = 0; axis < 3; axis++)
    g_assert_cmpfloat_with_epsilon (made->spacing[axis], spacing[axis], 1e-12);
  call_result_clear (&result);
}

static void
test_spacing (Device *device)
{
  check (device, "reslice", (const gint64[]){5, 4, 7}, (const double[]){1, 3, 0.5});
  check (device, "reslice start=left", (const gint64[]){7, 4, 5}, (const double[]){0.5, 3, 1});
  /* Three pixels to the right and four down are 5 long: 6 samples, apart by hypot (1.5, 4) / 5. */
  check (device, "kymograph axis=z x2=3 y2=4", (const gint64[]){1, 4, 6}, (const double[]){3, 3, 0.8544003745317532});
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/reslice/spacing", test_spacing);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT
 *
 * split: two discs that touch, by ImageJ's lines, too, and what has no background.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

enum { ROWS = 31, COLUMNS = 51 };

/* Discs of radius 12 about (15, 13) and (15, 37). */
static Image *
discs (void)
{
  g_autofree double *values = g_new0 (double, ROWS *COLUMNS);
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < COLUMNS; x++) {
      int left = (y - 15) * (y - 15) + (x - 13) * (x - 13), right = (y - 15) * (y - 15) + (x - 37) * (x - 37);
      values[y * COLUMNS + x] = MIN (left, right) <= 150;
    }
  return image_of (FV_U8, FV_MASK, ROWS, COLUMNS, values);
}

static void
test_discs (Device *device)
{
  g_autoptr (Image) image = discs ();
  CallResult result;
  run_step ("split", image, NULL, device, &result, NULL);
  g_assert_cmpfloat (result.scalars[0], ==, 2);
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < COLUMNS; x++) {
      double expected = image_value (image, 0, y, x) == 0 ? 0 : x < 25 ? 1 : 2;
      if (x != 25)
        g_assert_cmpfloat (image_value (result.images[0], 0, y, x), ==, expected);
    }
  call_result_clear (&result);
  run_step ("split h=12", image, NULL, device, &result, NULL); /* no peak rises so far over the neck */
  g_assert_cmpfloat (result.scalars[0], ==, 1);
  call_result_clear (&result);
}

/* All of it is one object. */
static void
test_no_background (Device *device)
{
  static const double values[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  g_autoptr (Image) image = image_of (FV_U8, FV_MASK, 3, 4, values);
  CallResult result;
  run_step ("split", image, NULL, device, &result, NULL);
  g_assert_cmpfloat (result.scalars[0], ==, 1);
  for (int i = 0; i < 12; i++)
    g_assert_cmpfloat (image_value (result.images[0], 0, i / 4, i % 4), ==, 1);
  call_result_clear (&result);
}

/* As in ImageJ a line of one pixel between the discs belongs to no object. Planes are independent, and parameters that only flooding uses are
 * ignored. */
static void
test_imagej (Device *device)
{
  static const char step[] = "split method=imagej by=intensity volume=yes";
  g_autoptr (Image) image = discs ();
  CallResult result;
  run_step (step, image, NULL, device, &result, NULL);
  g_assert_cmpfloat (result.scalars[0], ==, 2);
  for (int y = 0; y < ROWS; y++) {
    int lines = 0;
    for (int x = 0; x < COLUMNS; x++) {
      double found = image_value (result.images[0], 0, y, x);
      bool cut = image_value (image, 0, y, x) != 0 && found == 0;
      lines += cut;
      if (!cut)
        g_assert_cmpfloat (found, ==, image_value (image, 0, y, x) == 0 ? 0 : x < 25 ? 1 : 2);
      else
        g_assert_cmpint (ABS (x - 25), <=, 1);
    }
    g_assert_cmpint (lines, ==, image_value (image, 0, y, 25) != 0);
  }
  call_result_clear (&result);
  run_step ("split method=imagej h=12", image, NULL, device, &result, NULL);
  g_assert_cmpfloat (result.scalars[0], ==, 1);
  g_assert_cmpfloat (image_value (result.images[0], 0, 15, 25), ==, 1);
  call_result_clear (&result);
}

static void
test_needs_intensity (Device *device)
{
  g_autoptr (Image) image = discs ();
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step ("split by=intensity", image, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "intensity");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/split/discs", test_discs);
  add_device_test ("/split/no-background", test_no_background);
  add_device_test ("/split/imagej", test_imagej);
  add_device_test ("/split/needs-intensity", test_needs_intensity);
  return g_test_run ();
}

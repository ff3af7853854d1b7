/* SPDX-License-Identifier: MIT
 *
 * watershed: rows of pixels that are flooded by hand.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

/* Digits are values, '?' is NaN; in markers and labels '.' is none. */
static Image *
row_of (const char *digits, fv_type type, fv_role role)
{
  g_autofree double *values = g_new0 (double, strlen (digits));
  for (gsize i = 0; digits[i]; i++)
    values[i] = digits[i] == '?' ? NAN : digits[i] == '.' ? 0 : digits[i] - '0';
  return image_of (type, role, 1, (gint64) strlen (digits), values);
}

static void
check (const char *step, const char *values, const char *markers, const char *labels, Device *device)
{
  g_autoptr (Image) image = row_of (values, FV_F32, FV_IMAGE), seeds = row_of (markers, FV_I32, FV_LABELS);
  CallResult result;
  run_step (step, image, seeds, device, &result, NULL);
  g_assert_cmpint (image_info (result.images[0])->role, ==, FV_LABELS);
  for (gint64 i = 0; labels[i]; i++)
    g_assert_cmpfloat (image_value (result.images[0], 0, 0, i), ==, labels[i] == '.' ? 0 : labels[i] - '0');
  call_result_clear (&result);
}

static void
test_rows (Device *device)
{
  /* A ridge goes to the side from which the lower level comes. */
  check ("watershed", "3019142", "..1..2.", "1111222", device);
  check ("watershed", "3029112", "..1..2.", "1112222", device);
  check ("watershed invert=yes", "6970887", "..1..2.", "1112222", device);
  /* A plateau is shared from its edges; its middle goes to the smaller label, wherever that is. */
  check ("watershed", "1555551", "1.....2", "1111222", device);
  check ("watershed", "1555551", "2.....1", "2221111", device);
  check ("watershed", "05555551", "1......2", "11112222", device);
  /* A basin without a marker goes whole to the first object that crosses its lower edge. */
  check ("watershed", "070060", "1....2", "112222", device);
  /* NaN stops the flood. */
  check ("watershed", "12?45?6", "1...2..", "11.22..", device);
  /* The line takes pixels of the larger label. */
  check ("watershed line=yes", "1555551", "1.....2", "1111.22", device);
}

static void
test_wrong (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 1, 5, 6, 1);
  g_autoptr (Image) seeds = image_random (FV_I32, FV_LABELS, 1, 1, 5, 7, 1);
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step ("watershed", image, seeds, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "markers");
  g_clear_error (&error);
  g_assert_false (run_step ("watershed connectivity=26", image, image, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "connectivity");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/watershed/rows", test_rows);
  add_device_test ("/watershed/wrong", test_wrong);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT
 *
 * profile of a few pixels, by hand; and what is refused.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

static void
check (const CallResult *result, const char *key, const double *expected, gint64 n)
{
  const TableColumn *column = table_find (result->table, key);
  g_assert_nonnull (column);
  g_assert_cmpint (table_rows (result->table), ==, n);
  for (gint64 i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (column->values[i], expected[i], 1e-12);
}

/* Along the upper edge and down the right one; the corner is there once. Between rows the mean of both, of a width of 2. */
static void
test_corner (Device *device)
{
  const double pixels[] = {0, 1, 2, 10, 11, 12, 20, 21, 22};
  g_autoptr (Image) image = image_of (FV_U8, FV_IMAGE, 3, 3, pixels);
  CallResult result;
  run_step ("profile points='0 0; 2 0; 2 2'", image, NULL, device, &result, NULL);
  check (&result, "distance", (const double[]){0, 1, 2, 3, 4}, 5);
  check (&result, "value", (const double[]){0, 1, 2, 12, 22}, 5);
  call_result_clear (&result);
  run_step ("profile points='0 .5; 2 .5' width=2", image, NULL, device, &result, NULL);
  check (&result, "value", (const double[]){5, 6, 7}, 3);
  call_result_clear (&result);
  run_step ("profile points='1 1; 1 1'", image, NULL, device, &result, NULL);
  check (&result, "distance", (const double[]){0}, 1);
  check (&result, "value", (const double[]){11}, 1);
  call_result_clear (&result);
}

/* Pixels of 0.5 x 2 um: three to the right and four down are five long, in steps of a fifth of hypot (1.5, 8). */
static void
test_units (Device *device)
{
  g_autoptr (GError) error = NULL;
  ImageInfo info = {.type = FV_U8,
                    .frames = 1,
                    .channels = 1,
                    .depth = 2,
                    .rows = 5,
                    .columns = 4,
                    .spacing = {1, 2, 0.5},
                    .units = {(char *) "µm", (char *) "µm", (char *) "µm"}};
  g_autoptr (Image) image = image_new (&info, &error);
  CallResult result;
  g_assert_no_error (error);
  memset (image_pixels (image), 9, 2 * 5 * 4);
  run_step ("profile points='0 0; 3 4'", image, NULL, device, &result, NULL);
  const double step = 1.6278820596099706;
  check (
    &result, "distance",
    (const double[]){0, step, 2 * step, 3 * step, 4 * step, 5 * step, 0, step, 2 * step, 3 * step, 4 * step, 5 * step},
    12);
  check (&result, "z", (const double[]){1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2}, 12);
  g_assert_cmpstr (table_find (result.table, "distance")->unit, ==, "µm");
  call_result_clear (&result);
}

static void
refuse (Device *device, const char *step, const char *says)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 1, 4, 4, 5);
  g_autoptr (GError) error = NULL;
  CallResult result;
  run_step (step, image, NULL, device, &result, &error);
  g_assert_error (error, STEP_ERROR, FV_BAD_ARGUMENT);
  g_assert_cmpstr (step_error_field (error), ==, "points");
  g_assert_nonnull (strstr (error->message, says));
}

static void
test_refused (Device *device)
{
  refuse (device, "profile points='1 2'", "two points or more");
  refuse (device, "profile points='1 2 3; 4 5 6'", "two points or more");
  refuse (device, "profile points='1 2; 3 4 / 1 2; 3 4'", "two points or more");
  refuse (device, "profile points='0 0; 2e6 0'", "from -1000000 to 1000000");
  refuse (device, "profile points='0 0; 1e6 0; 0 0'", "longer than");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/profile/corner", test_corner);
  add_device_test ("/profile/units", test_units);
  add_device_test ("/profile/refused", test_refused);
  return g_test_run ();
}

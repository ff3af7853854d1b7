/* SPDX-License-Identifier: MIT
 *
 * register: an image that is turned and moved lies on the other one then, as rotate would lay it by the numbers of the table; where there is nothing to
 * see, or too little, it stays where it is.
 */
#include "tests/support/support.h"

#include <math.h>

enum { ROWS = 96, COLUMNS = 112 };

/* Waves, as a camera sees them that is turned by so many degrees, and moved. */
static void
fill (double *values, double angle, double dx, double dy)
{
  const double c = cos (angle * G_PI / 180), s = sin (angle * G_PI / 180);
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < COLUMNS; x++) {
      const double across = x - (COLUMNS - 1) / 2.0, down = y - (ROWS - 1) / 2.0, u = c * across - s * down + dx,
                   v = s * across + c * down + dy;
      values[y * COLUMNS + x] = sin (0.31 * u + 0.1 * v) + cos (0.23 * v - 0.17 * u)
                                + sin (0.11 * u * 1.7 + 0.37 * v + 1) + cos (0.05 * u) * sin (0.07 * v + 2);
    }
}

static void
test_rigid (Device *device)
{
  g_autofree double *values = g_new (double, 2 * ROWS * COLUMNS);
  CallResult result, turned;
  fill (values, 0, 0, 0);
  fill (values + ROWS * COLUMNS, 11.5, 4.25, -2.5);
  g_autoptr (Image) image = image_of_planes (FV_F64, FV_IMAGE, 1, 2, ROWS, COLUMNS, values);
  run_step ("register transform=rigid axis=z interpolation=cubic", image, NULL, device, &result, NULL);
  g_assert_cmpint (table_columns (result.table), ==, 4);
  for (int k = 1; k < 4; k++)
    g_assert_cmpfloat (table_value (result.table, k, 0), ==, 0);
  g_assert_cmpfloat_with_epsilon (table_value (result.table, 1, 1), 4.25, 0.01);
  g_assert_cmpfloat_with_epsilon (table_value (result.table, 2, 1), -2.5, 0.01);
  g_assert_cmpfloat_with_epsilon (table_value (result.table, 3, 1), 11.5, 0.01);
  for (int y = 24; y < ROWS - 24; y++)
    for (int x = 24; x < COLUMNS - 24; x++)
      g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 1, y, x), image_value (image, 0, y, x), 0.02);
  g_autofree char *step =
    g_strdup_printf ("rotate interpolation=cubic angle=%.17g x=%.17g y=%.17g", table_value (result.table, 3, 1),
                     table_value (result.table, 1, 1), table_value (result.table, 2, 1));
  run_step (step, image, NULL, device, &turned, NULL);
  for (int i = 0; i < ROWS * COLUMNS; i++)
    g_assert_cmpfloat (image_value (turned.images[0], 1, i / COLUMNS, i % COLUMNS), ==,
                       image_value (result.images[0], 1, i / COLUMNS, i % COLUMNS));
  call_result_clear (&result);
  call_result_clear (&turned);
}

static void
check_stays (Image *image, Device *device)
{
  CallResult result;
  run_step ("register transform=rigid axis=z", image, NULL, device, &result, NULL);
  for (int k = 1; k < 4; k++)
    g_assert_cmpfloat (table_value (result.table, k, 1), ==, 0);
  call_result_clear (&result);
}

static void
test_nothing (Device *device)
{
  g_autofree double *flat = g_new (double, 2 * ROWS * COLUMNS);
  for (int i = 0; i < 2 * ROWS * COLUMNS; i++)
    flat[i] = 7;
  g_autoptr (Image) same = image_of_planes (FV_U8, FV_IMAGE, 1, 2, ROWS, COLUMNS, flat);
  g_autoptr (Image) small = image_random (FV_U16, FV_IMAGE, 1, 2, 9, 200, 1);
  check_stays (same, device);
  check_stays (small, device);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_device_test ("/register/rigid", test_rigid);
  add_device_test ("/register/nothing", test_nothing);
  return g_test_run ();
}

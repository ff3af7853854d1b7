/* SPDX-License-Identifier: MIT
 *
 * register: an image that is rotated and moved coincides with the other one afterwards, as rotate would move it by the values of the table. Without
 * enough structure it stays where it is.
 */
#include "tests/support/support.h"

#include <math.h>

enum { ROWS = 96, COLUMNS = 112 };

/* Waves, as a camera sees them that is turned by so many degrees, and moved. */
static void
fill_sized (double *values, int rows, int columns, double angle, double dx, double dy)
{
  const double c = cos (angle * G_PI / 180), s = sin (angle * G_PI / 180);
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++) {
      const double across = x - (columns - 1) / 2.0, down = y - (rows - 1) / 2.0, u = c * across - s * down + dx,
                   v = s * across + c * down + dy;
      values[y * columns + x] = sin (0.31 * u + 0.1 * v) + cos (0.23 * v - 0.17 * u)
                                + sin (0.11 * u * 1.7 + 0.37 * v + 1) + cos (0.05 * u) * sin (0.07 * v + 2);
    }
}

static void
fill (double *values, double angle, double dx, double dy)
{
  fill_sized (values, ROWS, COLUMNS, angle, dx, dy);
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

/* Of several levels, and with pixels that are missing, each frame on the one before. */
static void
test_levels (Device *device)
{
  const int rows = 290, columns = 330, size = rows * columns;
  const double poses[3][3] = {{0, 0, 0}, {13.25, -9.5, 6.75}, {-7.5, 16.25, -11.5}}; /* x, y, angle */
  g_autofree double *values = g_new (double, 3 * size);
  CallResult result, again;
  for (int i = 0; i < 3; i++) {
    fill_sized (values + i * size, rows, columns, poses[i][2], poses[i][0], poses[i][1]);
    for (int k = 0; k < 50; k++)
      values[i * size + (k * 7919 + i * 31) % size] = k % 2 ? NAN : INFINITY;
  }
  g_autoptr (Image) image = image_of_planes (FV_F32, FV_IMAGE, 1, 3, rows, columns, values);
  run_step ("register transform=rigid axis=z to=previous", image, NULL, device, &result, NULL);
  run_step ("register transform=rigid axis=z to=previous", image, NULL, device, &again, NULL);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      g_assert_cmpfloat_with_epsilon (table_value (result.table, k + 1, i), poses[i][k], 0.01);
      g_assert_cmpfloat (table_value (result.table, k + 1, i), ==, table_value (again.table, k + 1, i));
    }
  call_result_clear (&result);
  call_result_clear (&again);
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
  init_tests (&argc, &argv);
  add_device_test ("/register/rigid", test_rigid);
  add_device_test ("/register/levels", test_levels);
  add_device_test ("/register/nothing", test_nothing);
  return g_test_run ();
}

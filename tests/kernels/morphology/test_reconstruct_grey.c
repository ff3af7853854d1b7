/* SPDX-License-Identifier: MIT
 *
 * Gray reconstruction of rows that can be worked out by hand, what its inputs must be, and its work in strips.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>

/* One row of each. */
static void
check (const char *step, gint64 n, const double *seed, const double *mask, const double *expected, Device *device)
{
  g_autoptr (Image) from = image_of (FV_F32, FV_IMAGE, 1, n, seed), limit = image_of (FV_F32, FV_IMAGE, 1, n, mask);
  CallResult result;
  run_step (step, from, limit, device, &result, NULL);
  for (gint64 i = 0; i < n; i++)
    if (isnan (expected[i]))
      g_assert_true (isnan (image_value (result.images[0], 0, 0, i)));
    else
      g_assert_cmpfloat (image_value (result.images[0], 0, 0, i), ==, expected[i]);
  call_result_clear (&result);
}

static void
test_rows (Device *device)
{
  const double mask[] = {5, 9, 3, 7, 8, 1, 4}, seed[] = {0, 6, 0, 0, 20, 0, 2}, grown[] = {5, 6, 3, 7, 8, 1, 2};
  double below[7], from[7], sunk[7];
  check ("reconstruct_grey", 7, seed, mask, grown, device);
  for (int i = 0; i < 7; i++) {
    below[i] = -mask[i];
    from[i] = -seed[i];
    sunk[i] = -grown[i];
  }
  check ("reconstruct_grey method=erosion", 7, from, below, sunk, device);
}

/* NaN of either stays, and nothing passes it. */
static void
test_nan_is_a_wall (Device *device)
{
  const double mask[] = {9, 9, NAN, 9, 9, 9, 9}, seed[] = {4, 0, 0, 0, 0, NAN, 3};
  const double grown[] = {4, 4, NAN, 0, 0, NAN, 3};
  check ("reconstruct_grey", 7, seed, mask, grown, device);
}

static void
test_inputs_must_fit (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 1, 5, 7, 1);
  g_autoptr (Image) wide = image_random (FV_U8, FV_IMAGE, 1, 1, 5, 8, 1);
  g_autoptr (Image) deep = image_random (FV_U16, FV_IMAGE, 1, 1, 5, 7, 1);
  Image *wrong[] = {wide, deep};
  for (int i = 0; i < 2; i++) {
    g_autoptr (GError) error = NULL;
    CallResult result;
    g_assert_false (run_step ("reconstruct_grey", image, wrong[i], device, &result, &error));
    g_assert_cmpstr (step_error_field (error), ==, "mask");
  }
}

/* A way that goes to and fro through many strips: all of it, and nothing else, is reached. */
static void
test_strips (Device *device)
{
  enum { ROWS = 1200, COLUMNS = 1001 };
  g_autofree double *way = g_new0 (double, ROWS *COLUMNS), *start = g_new0 (double, ROWS *COLUMNS);
  g_autoptr (Image) mask = NULL, seed = NULL;
  CallResult result;
  for (gint64 y = 0; y < ROWS; y++)
    for (gint64 x = 0; x < COLUMNS; x++)
      way[y * COLUMNS + x] = x % 2 == 0 || y == (x % 4 == 1 ? 0 : ROWS - 1) ? 200 : 10;
  start[0] = 200;
  mask = image_of (FV_U8, FV_IMAGE, ROWS, COLUMNS, way);
  seed = image_of (FV_U8, FV_IMAGE, ROWS, COLUMNS, start);
  run_step ("reconstruct_grey connectivity=4", seed, mask, device, &result, NULL);
  assert_images_equal (result.images[0], mask);
  call_result_clear (&result);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/reconstruct-grey/rows", test_rows);
  add_device_test ("/reconstruct-grey/nan-is-a-wall", test_nan_is_a_wall);
  add_device_test ("/reconstruct-grey/inputs-must-fit", test_inputs_must_fit);
  add_device_test ("/reconstruct-grey/strips", test_strips);
  return g_test_run ();
}

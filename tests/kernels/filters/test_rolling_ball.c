/* SPDX-License-Identifier: MIT
 *
 * The sliding paraboloid: a round hill is background, and objects on it are not. Also objects in corners, NaN and infinite pixels, and one long line,
 * whose background is found by going from each touched pixel to the next, as ImageJ does.
 */
#include "tests/support/support.h"

#include <math.h>

enum { ROWS = 41, COLUMNS = 53, LONG = 30011 };

/* The background of these numbers. */
static Image *
background_of (const char *step, fv_type type, gint64 rows, gint64 columns, const double *values, Device *device)
{
  g_autoptr (Image) image = image_of (type, FV_IMAGE, rows, columns, values);
  CallResult result;
  run_step (step, image, NULL, device, &result, NULL);
  Image *background = image_ref (result.images[1]);
  call_result_clear (&result);
  return background;
}

static void
make_hill (double radius, double *to)
{
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < COLUMNS; x++)
      to[y * COLUMNS + x] = 100 - ((x - 20) * (x - 20) + (y - 15) * (y - 15)) / (2 * radius);
}

static void
test_hill (Device *device)
{
  double hill[ROWS * COLUMNS], objects[ROWS * COLUMNS];
  make_hill (12, hill);
  memcpy (objects, hill, sizeof hill);
  objects[7 * COLUMNS + 9] += 50;
  objects[30 * COLUMNS + 40] += 5;
  objects[30 * COLUMNS + 41] += 3;
  const char *steps[] = {"rolling_ball method=paraboloid radius=12 smooth=no",
                         "rolling_ball method=paraboloid radius=9 smooth=no"};
  for (int i = 0; i < 2; i++) {
    g_autoptr (Image) bare = background_of (steps[i], FV_F64, ROWS, COLUMNS, hill, device);
    for (int p = 0; p < ROWS * COLUMNS; p++)
      g_assert_cmpfloat_with_epsilon (image_value (bare, 0, p / COLUMNS, p % COLUMNS), hill[p], 1e-9);
  }
  g_autoptr (Image) with = background_of (steps[0], FV_F64, ROWS, COLUMNS, objects, device);
  for (int p = 0; p < ROWS * COLUMNS; p++)
    g_assert_cmpfloat_with_epsilon (image_value (with, 0, p / COLUMNS, p % COLUMNS), hill[p], 1e-9);
  g_autoptr (Image) flat =
    background_of ("rolling_ball method=paraboloid radius=24 smooth=no", FV_F64, ROWS, COLUMNS, hill, device);
  g_assert_cmpfloat (image_value (flat, 0, 15, 20), <, 90);
}

/* Of a flat image with a square in one corner or at an edge the rest is the background; smoothed or not, bright or dark. */
static void
test_corner (Device *device)
{
  double values[ROWS * COLUMNS];
  const char *steps[] = {"rolling_ball method=paraboloid radius=60 smooth=no",
                         "rolling_ball method=paraboloid radius=60"};
  for (int corner = 0; corner < 4; corner++)
    for (int i = 0; i < 2; i++) {
      for (int p = 0; p < ROWS * COLUMNS; p++) {
        int y = p / COLUMNS, x = p % COLUMNS;
        values[p] = (corner / 2 ? ROWS - 1 - y : y) < 4 && (corner % 2 ? COLUMNS - 1 - x : x) < 4 ? 200 : 30;
      }
      g_autoptr (Image) background = background_of (steps[i], FV_U8, ROWS, COLUMNS, values, device);
      for (int p = 0; p < ROWS * COLUMNS; p++)
        g_assert_cmpfloat (fabs (image_value (background, 0, p / COLUMNS, p % COLUMNS) - 30), <=, i ? 8 : 1);
    }
}

static void
test_missing (Device *device)
{
  double values[ROWS * COLUMNS];
  make_hill (12, values);
  for (int p = 0; p < ROWS * COLUMNS; p += 7)
    values[p] = p % 3 ? NAN : p % 2 ? INFINITY : -INFINITY;
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, ROWS, COLUMNS, values);
  const char *steps[] = {"rolling_ball method=paraboloid radius=12 smooth=no",
                         "rolling_ball method=paraboloid radius=12 light=yes"};
  for (int i = 0; i < 2; i++) {
    CallResult result;
    run_step (steps[i], image, NULL, device, &result, NULL);
    for (int p = 0; p < ROWS * COLUMNS; p++) {
      double v = image_value (result.images[0], 0, p / COLUMNS, p % COLUMNS);
      g_assert_true (isfinite (values[p]) ? fabs (v) < (i ? 80 : 1e-3) : !isfinite (v));
    }
    call_result_clear (&result);
  }
}

/* From each touched pixel to that with the smallest slope of the parabola through both. */
static void
slide_by_slopes (double *v, int n, double c)
{
  for (int i = 0, next; i < n - 1; i = next) {
    double min = INFINITY;
    next = i + 1;
    for (int k = i + 1; k < n; k++) {
      double slope = (v[k] - v[i]) / (k - i) + c * (k - i);
      if (slope < min) {
        min = slope;
        next = k;
      }
    }
    for (int k = i + 1; k < next; k++)
      v[k] = v[i] + (k - i) * (min - c * (k - i));
  }
}

static void
test_long (Device *device)
{
  g_autofree double *values = g_new (double, LONG);
  guint32 state = 1;
  for (int i = 0; i < LONG; i++) {
    state = state * 1664525u + 1013904223u;
    values[i] = (state >> 25) + 3000 * sin (i / 900.) + (i > 9000 && i < 15000 ? 20000 : 0);
  }
  const char *step = "rolling_ball method=paraboloid radius=400 smooth=no";
  g_autoptr (Image) row = background_of (step, FV_F64, 1, LONG, values, device);
  g_autoptr (Image) column = background_of (step, FV_F64, LONG, 1, values, device);
  slide_by_slopes (values, LONG, 0.5 / 400);
  for (int i = 0; i < LONG; i++) {
    g_assert_cmpfloat_with_epsilon (image_value (row, 0, 0, i), values[i], 1e-6);
    g_assert_cmpfloat_with_epsilon (image_value (column, 0, i, 0), values[i], 1e-6);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/rolling_ball/hill", test_hill);
  add_device_test ("/rolling_ball/corner", test_corner);
  add_device_test ("/rolling_ball/missing", test_missing);
  add_device_test ("/rolling_ball/long", test_long);
  return g_test_run ();
}

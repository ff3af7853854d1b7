/* SPDX-License-Identifier: MIT
 *
 * rotate: what an image is then, how large, that objects are not mixed, and what stands between the pixels of images larger than a tile.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>

static void
test_roles (Device *device)
{
  static const struct {
    const char *step;
    fv_role was, is;
  } cases[] = {{"rotate angle=5", FV_RGB, FV_RGB},
               {"rotate angle=5", FV_MASK, FV_IMAGE},
               {"rotate angle=5 interpolation=nearest", FV_MASK, FV_MASK},
               {"rotate angle=5 interpolation=nearest value=9", FV_MASK, FV_IMAGE},
               {"rotate angle=5 interpolation=nearest border=nearest value=9", FV_MASK, FV_MASK}};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Image) image = image_random (FV_U8, cases[i].was, 3, 1, 5, 7, i);
    CallResult result;
    run_step (cases[i].step, image, NULL, device, &result, NULL);
    g_assert_cmpint (image_info (result.images[0])->role, ==, cases[i].is);
    g_assert_cmpint (image_info (result.images[0])->columns, ==, 7);
    call_result_clear (&result);
  }
}

/* 30 degrees: 3 cos + 200 sin and 200 cos + 3 sin. One pixel stays one. */
static void
test_sizes (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 1, 3, 200, 1);
  g_autoptr (Image) pixel = image_random (FV_U8, FV_IMAGE, 1, 1, 1, 1, 1);
  CallResult result;
  run_step ("rotate angle=-30 enlarge=yes", image, NULL, device, &result, NULL);
  g_assert_cmpint (image_info (result.images[0])->rows, ==, 103);
  g_assert_cmpint (image_info (result.images[0])->columns, ==, 175);
  call_result_clear (&result);
  run_step ("rotate angle=45 enlarge=yes", pixel, NULL, device, &result, NULL);
  g_assert_cmpint (image_info (result.images[0])->rows, ==, 1);
  g_assert_cmpfloat (image_value (result.images[0], 0, 0, 0), ==, image_value (pixel, 0, 0, 0));
  call_result_clear (&result);
}

static void
test_labels (Device *device)
{
  g_autoptr (Image) image = image_random (FV_I32, FV_LABELS, 1, 1, 5, 7, 1);
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step ("rotate angle=5", image, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "interpolation");
  run_step ("rotate angle=5 interpolation=nearest", image, NULL, device, &result, NULL);
  g_assert_cmpint (image_info (result.images[0])->role, ==, FV_LABELS);
  call_result_clear (&result);
}

enum { ROWS = 150, COLUMNS = 203, LEVEL = 1000000 };

/* A slope on a high level, of whole numbers that floats hold: between its pixels it is the slope, to the last digit of what it is there. A small
 * angle leads along a row of pixels, where integer positions must be distinguished from those between them. */
static void
test_slope (Device *device)
{
  static const double angles[] = {30, -77.3, 135, 0.001, 90.0001};
  g_autofree double *values = g_new (double, 2 * ROWS * COLUMNS);
  for (gint64 i = 0; i < 2 * ROWS * COLUMNS; i++)
    values[i] = LEVEL + 3 * (double) (i % COLUMNS) - 2 * (double) (i / COLUMNS % ROWS);
  g_autoptr (Image) image = image_of_planes (FV_F32, FV_IMAGE, 1, 2, ROWS, COLUMNS, values);
  for (guint i = 0; i < G_N_ELEMENTS (angles); i++) {
    g_autofree char *step = g_strdup_printf ("rotate angle=%g value=-1", angles[i]);
    double c = cos (angles[i] * G_PI / 180), s = sin (angles[i] * G_PI / 180);
    gint64 inside = 0;
    CallResult result;
    run_step (step, image, NULL, device, &result, NULL);
    for (gint64 y = 0; y < ROWS; y++)
      for (gint64 x = 0; x < COLUMNS; x++) {
        double h = (double) x - (COLUMNS - 1) / 2., v = (double) y - (ROWS - 1) / 2.;
        double u = c * h + s * v + (COLUMNS - 1) / 2., w = c * v - s * h + (ROWS - 1) / 2.;
        double got = image_value (result.images[0], y % 2, y, x);
        if (u > 0 && u < COLUMNS - 1 && w > 0 && w < ROWS - 1) {
          g_assert_cmpfloat_with_epsilon (got, LEVEL + 3 * u - 2 * w, 0.0626);
          inside++;
        } else if (u < -1 || u > COLUMNS || w < -1 || w > ROWS)
          g_assert_cmpfloat (got, ==, -1);
      }
    g_assert_cmpint (inside, >, ROWS * ROWS / 2);
    call_result_clear (&result);
  }
}

/* One NaN and one infinite pixel spread to what is within a pixel of them, and no further. */
static void
test_not_finite (Device *device)
{
  g_autofree double *values = g_new0 (double, ROWS *COLUMNS);
  const double c = cos (G_PI / 6), s = sin (G_PI / 6), spots[2][2] = {{70, 100}, {90, 40}};
  values[70 * COLUMNS + 100] = NAN;
  values[90 * COLUMNS + 40] = INFINITY;
  g_autoptr (Image) image = image_of_planes (FV_F32, FV_IMAGE, 1, 1, ROWS, COLUMNS, values);
  CallResult result;
  run_step ("rotate angle=30", image, NULL, device, &result, NULL);
  for (gint64 y = 0; y < ROWS; y++)
    for (gint64 x = 0; x < COLUMNS; x++) {
      double h = (double) x - (COLUMNS - 1) / 2., v = (double) y - (ROWS - 1) / 2.;
      double u = c * h + s * v + (COLUMNS - 1) / 2., w = c * v - s * h + (ROWS - 1) / 2.;
      gboolean near[2];
      for (int i = 0; i < 2; i++)
        near[i] = fabs (w - spots[i][0]) < 1 && fabs (u - spots[i][1]) < 1;
      double got = image_value (result.images[0], 0, y, x);
      g_assert_true (near[0] ? isnan (got) : near[1] ? got == (double) INFINITY : got == 0);
    }
  call_result_clear (&result);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/rotate/roles", test_roles);
  add_device_test ("/rotate/sizes", test_sizes);
  add_device_test ("/rotate/labels", test_labels);
  add_device_test ("/rotate/slope", test_slope);
  add_device_test ("/rotate/not-finite", test_not_finite);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT
 *
 * Zoom: sizes, pixel spacing, ends, a ramp, and arguments that cannot be.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>

static Image *
calibrated (gint64 depth, gint64 rows, gint64 columns, double z, double y, double x)
{
  g_autoptr (Image) image = image_random (FV_F32, FV_IMAGE, 1, depth, rows, columns, 4);
  const double spacing[] = {z, y, x};
  ImageInfo info;
  Image *view;
  image_info_copy (&info, image_info (image));
  for (int axis = 0; axis < 3; axis++) {
    info.spacing[axis] = spacing[axis];
    g_free (info.units[axis]);
    info.units[axis] = g_strdup ("µm");
  }
  view = image_with_info (image, &info);
  image_info_clear (&info);
  return view;
}

static void
test_size (Device *device)
{
  g_autoptr (Image) image = image_random (FV_F32, FV_IMAGE, 1, 1, 5, 7, 1);
  CallResult result;
  run_step ("zoom factor=0.5", image, NULL, device, &result, NULL);
  g_assert_cmpint (image_info (result.images[0])->rows, ==, 2);
  g_assert_cmpint (image_info (result.images[0])->columns, ==, 4);
  call_result_clear (&result);
  run_step ("zoom factor=0.0001", image, NULL, device, &result, NULL);
  g_assert_cmpint (image_info (result.images[0])->rows, ==, 1);
  g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, 0, 0), image_value (image, 0, 0, 0), 0.01);
  call_result_clear (&result);
}

static void
test_spacing (Device *device)
{
  g_autoptr (Image) image = calibrated (5, 20, 30, 2, 0.5, 0.25);
  const ImageInfo *info;
  CallResult result;
  run_step ("zoom by=spacing spacing=0.5 volume=yes grid_mode=yes", image, NULL, device, &result, NULL);
  info = image_info (result.images[0]);
  g_assert_cmpint (info->depth, ==, 20);
  g_assert_cmpint (info->rows, ==, 20);
  g_assert_cmpint (info->columns, ==, 15);
  for (int axis = 0; axis < 3; axis++)
    g_assert_cmpfloat_with_epsilon (info->spacing[axis], 0.5, 1e-12);
  call_result_clear (&result);
}

/* By spacing the pixels get the size that was asked for, but for the rounding of the number of pixels; by factor the outermost
 * pixels stay where they are, unless one asks. */
static void
test_default_spacing (Device *device)
{
  static const struct {
    const char *step;
    double y, x;
  } expected[] = {{"zoom by=spacing spacing=0.5", 0.5, 0.5},
                  {"zoom by=spacing spacing=0.3", 20 * 0.5 / 33, 30 * 0.25 / 25},
                  {"zoom by=spacing spacing=0.5 grid_mode=no", 0.5, 0.25 * 29 / 14},
                  {"zoom factor=2", 0.5 * 19 / 39, 0.25 * 29 / 59},
                  {"zoom factor=2 grid_mode=yes", 0.25, 0.125}};
  g_autoptr (Image) image = calibrated (1, 20, 30, 1, 0.5, 0.25);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    CallResult result;
    run_step (expected[i].step, image, NULL, device, &result, NULL);
    g_assert_cmpfloat_with_epsilon (image_info (result.images[0])->spacing[1], expected[i].y, 1e-12);
    g_assert_cmpfloat_with_epsilon (image_info (result.images[0])->spacing[2], expected[i].x, 1e-12);
    call_result_clear (&result);
  }
}

/* A bright image has no dark frame when it is scaled to a spacing. */
static void
test_no_frame (Device *device)
{
  static const double sevens[] = {7, 7, 7, 7, 7, 7, 7, 7, 7};
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, 3, 3, sevens);
  CallResult result;
  run_step ("zoom by=spacing spacing=0.25", image, NULL, device, &result, NULL);
  for (int i = 0; i < 12; i++)
    g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, i, 11 - i), 7, 1e-5);
  g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, 0, 0), 7, 1e-5);
  call_result_clear (&result);
}

static void
test_ramp_and_ends (Device *device)
{
  static const double values[] = {0, 10, 20, 30}, wide[] = {0, 5, 10, 15, 20, 25, 30};
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, 1, 4, values);
  g_autoptr (Image) noise = image_random (FV_F32, FV_IMAGE, 1, 1, 3, 50, 9);
  CallResult result;
  run_step ("zoom by=size width=7 height=1 order=1", image, NULL, device, &result, NULL);
  for (int i = 0; i < 7; i++)
    g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, 0, i), wide[i], 1e-5);
  call_result_clear (&result);
  run_step ("zoom by=size width=96 height=3 order=3 value=99", noise, NULL, device, &result, NULL);
  g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, 1, 95), image_value (noise, 0, 1, 49), 0.01);
  call_result_clear (&result);
}

/* Samples outside the outermost pixels are the constant, along the axis that is scaled and along no other: a linear image is itself
 * everywhere else. */
static void
test_constant_outside (Device *device)
{
  static const char *const factors[] = {"2,1,1 volume=yes", "2,1", "1,2"};
  const gint64 n[3] = {7, 6, 2};
  double values[7 * 6 * 2];
  for (int i = 0; i < 7 * 6 * 2; i++)
    values[i] = i / 12 * 100 + i / 2 % 6 * 10 + i % 2 * 4;
  g_autoptr (Image) image = image_of_planes (FV_F64, FV_IMAGE, 1, n[0], n[1], n[2], values);
  for (int axis = 0; axis < 3; axis++) {
    g_autofree char *step =
      g_strdup_printf ("zoom factor=%s order=1 grid_mode=yes border=constant value=9", factors[axis]);
    CallResult result;
    run_step (step, image, NULL, device, &result, NULL);
    const ImageInfo *info = image_info (result.images[0]);
    for (gint64 z = 0; z < info->depth; z++)
      for (gint64 y = 0; y < info->rows; y++)
        for (gint64 x = 0; x < info->columns; x++) {
          double at[3] = {(double) z, (double) y, (double) x};
          at[axis] = (at[axis] + 0.5) / 2 - 0.5;
          gboolean inside = at[axis] >= 0 && at[axis] <= (double) n[axis] - 1;
          g_assert_cmpfloat_with_epsilon (image_value (result.images[0], z, y, x),
                                          inside ? at[0] * 100 + at[1] * 10 + at[2] * 4 : 9, 1e-9);
        }
    g_assert_cmpint (info->depth * info->rows * info->columns, ==, 2 * 7 * 6 * 2);
    call_result_clear (&result);
  }
}

/* A row stays by itself when only columns are made, a plane when the volume does not count: NaN shows who looked where. */
static void
test_untouched_axes (Device *device)
{
  static const char *const steps[] = {"zoom factor=1,1.5 order=3", "zoom factor=1,1.5 order=1",
                                      "zoom factor=1,0.5 order=3", "zoom factor=1,1,1.5 order=3 volume=yes"};
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    g_autoptr (Image) image = image_random (FV_F32, FV_IMAGE, 1, 3, 9, 20, 2);
    CallResult result;
    float *row = (float *) image_pixels (image) + (9 + 4) * 20; /* plane 1, row 4 */
    for (int x = 0; x < 20; x++)
      row[x] = NAN;
    run_step (steps[i], image, NULL, device, &result, NULL);
    for (gint64 z = 0; z < 3; z++)
      for (gint64 y = 0; y < 9; y++)
        for (gint64 x = 0; x < image_info (result.images[0])->columns; x++)
          g_assert_cmpint (isnan (image_value (result.images[0], z, y, x)) != 0, ==, z == 1 && y == 4);
    call_result_clear (&result);
  }
}

static void
test_wrong (Device *device)
{
  static const struct {
    const char *step, *field;
  } wrong[] = {{"zoom order=3", "order"},
               {"zoom by=spacing order=0", "spacing"},
               {"zoom by=size width=2147483647 height=2147483647 order=0", "width"}};
  g_autoptr (Image) labels = image_random (FV_I32, FV_LABELS, 1, 1, 9, 9, 1);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;
    CallResult result;
    g_assert_false (run_step (wrong[i].step, labels, NULL, device, &result, &error));
    g_assert_cmpstr (step_error_field (error), ==, wrong[i].field);
  }
}

enum { COARSE = 17, FINE = 65, PERIOD = 8 }; /* samples, samples, coarse samples */

/* cos cos cos, which a mirror at the border continues, at one of n points between the first and the last coarse sample. */
static double
wave (int z, int y, int x, int n)
{
  const double phase = 2 * G_PI / PERIOD * (COARSE - 1) / (n - 1);
  return cos (phase * z) * cos (phase * y) * cos (phase * x);
}

/* How far the wave is, as a root of the mean square, from what is made of its coarse samples. */
static double
error_of_order (int order, Image *coarse, Device *device)
{
  g_autofree char *step = g_strdup_printf ("zoom by=size width=%d height=%d depth=%d volume=yes border=mirror order=%d",
                                           FINE, FINE, FINE, order);
  CallResult result;
  double sum = 0;
  run_step (step, coarse, NULL, device, &result, NULL);
  for (int z = 0; z < FINE; z++)
    for (int y = 0; y < FINE; y++)
      for (int x = 0; x < FINE; x++)
        sum += pow (image_value (result.images[0], z, y, x) - wave (z, y, x, FINE), 2);
  call_result_clear (&result);
  return sqrt (sum / FINE / FINE / FINE);
}

/* Eight samples a period, four times as many wanted: tricubic is 72 times as near as trilinear. The errors are SciPy's. */
static void
test_quality (Device *device)
{
  double samples[COARSE * COARSE * COARSE];
  for (int i = 0; i < COARSE * COARSE * COARSE; i++)
    samples[i] = wave (i / COARSE / COARSE, i / COARSE % COARSE, i % COARSE, COARSE);
  g_autoptr (Image) coarse = image_of_planes (FV_F32, FV_IMAGE, 1, COARSE, COARSE, COARSE, samples);
  g_assert_cmpfloat_with_epsilon (error_of_order (1, coarse, device), 0.05044685, 1e-6);
  g_assert_cmpfloat_with_epsilon (error_of_order (3, coarse, device), 0.0006997344, 1e-6);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/zoom/size", test_size);
  add_device_test ("/zoom/spacing", test_spacing);
  add_device_test ("/zoom/default-spacing", test_default_spacing);
  add_device_test ("/zoom/no-frame", test_no_frame);
  add_device_test ("/zoom/ramp-and-ends", test_ramp_and_ends);
  add_device_test ("/zoom/constant-outside", test_constant_outside);
  add_device_test ("/zoom/untouched-axes", test_untouched_axes);
  add_device_test ("/zoom/quality", test_quality);
  add_device_test ("/zoom/wrong", test_wrong);
  return g_test_run ();
}

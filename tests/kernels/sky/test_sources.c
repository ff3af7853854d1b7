/* SPDX-License-Identifier: MIT
 *
 * sources: what can be worked out by hand, and arguments and inputs that are wrong.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>

enum { ROWS = 20, COLUMNS = 24 };

static double
number (Table *table, const char *key, gint64 row)
{
  const TableColumn *column = table_find (table, key);
  g_assert_nonnull (column);
  return column->values[row];
}

/* Two squares of 3 x 3 and 4 x 4 in which all pixels are equal, and one pixel where the deviation is large. */
static void
test_squares (Device *device)
{
  double v[ROWS * COLUMNS] = {0}, hidden[ROWS * COLUMNS] = {0};
  for (int i = 0; i < ROWS * COLUMNS; i++) {
    int y = i / COLUMNS, x = i % COLUMNS;
    v[i] = y >= 4 && y < 7 && x >= 5 && x < 8 ? 10 : y >= 12 && y < 16 && x >= 15 && x < 19 ? 20 : 0;
  }
  hidden[12 * COLUMNS + 15] = 255;
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, ROWS, COLUMNS, v);
  CallResult result;
  run_step ("sources sigma=2 threshold=3 filter=none apertures=1.2,30", image, NULL, device, &result, NULL);
  g_assert_cmpint (table_rows (result.table), ==, 2);
  g_assert_cmpfloat (number (result.table, "x", 0), ==, 6);
  g_assert_cmpfloat (number (result.table, "y", 0), ==, 5);
  g_assert_cmpfloat (number (result.table, "flux", 0), ==, 90);
  g_assert_cmpfloat (number (result.table, "flux_err", 0), ==, 6); /* 9 pixels of sigma 2 */
  g_assert_cmpfloat (number (result.table, "snr", 0), ==, 15);
  g_assert_cmpfloat (number (result.table, "peak", 0), ==, 10);
  g_assert_cmpfloat (number (result.table, "area", 1), ==, 16);
  g_assert_cmpfloat_with_epsilon (number (result.table, "a", 0), sqrt (2 / 3.), 1e-12); /* the variance of -1 0 1 */
  g_assert_cmpfloat_with_epsilon (number (result.table, "b", 1), sqrt (1.25), 1e-12);
  g_assert_cmpfloat_with_epsilon (number (result.table, "theta", 0), G_PI / 4, 1e-12); /* neither long nor wide */
  g_assert_cmpfloat_with_epsilon (number (result.table, "flux_aperture-1", 0), 90 + 320, 1e-9); /* all of the image */
  g_assert_cmpfloat_with_epsilon (number (result.table, "flux_aperture_err-1", 0), 2 * sqrt (ROWS * COLUMNS), 1e-9);
  g_assert_cmpfloat (number (result.table, "flags", 0), ==, 16);
  g_assert_cmpfloat (image_value (result.images[0], 0, 6, 7), ==, 1);
  g_assert_cmpfloat (image_value (result.images[0], 0, 12, 15), ==, 2);
  call_result_clear (&result);

  g_autoptr (Image) sigma = image_of (FV_U8, FV_IMAGE, ROWS, COLUMNS, hidden);
  run_step ("sources threshold=3 filter=none", image, sigma, device, &result, NULL); /* sigma 0, and 255 at one pixel */
  g_assert_cmpint (table_rows (result.table), ==, 2);
  g_assert_cmpfloat (number (result.table, "area", 1), ==, 15);
  call_result_clear (&result);
}

/* Nothing is found in an image of one value, of which sigma is 0, and of NaN. */
static void
test_nothing (Device *device)
{
  double v[ROWS * COLUMNS];
  for (int what = 0; what < 2; what++) {
    for (int i = 0; i < ROWS * COLUMNS; i++)
      v[i] = what ? NAN : 0;
    g_autoptr (Image) image = image_of (FV_F64, FV_IMAGE, ROWS, COLUMNS, v);
    CallResult result;
    run_step ("sources", image, NULL, device, &result, NULL);
    g_assert_cmpint (table_rows (result.table), ==, 0);
    g_assert_cmpfloat (image_value (result.images[0], 0, 3, 3), ==, 0);
    call_result_clear (&result);
  }
}

/* A circle within one pixel, about its center: it contains all 25 samples of 0.2 px, or 9 of them. */
static void
test_small_circles (Device *device)
{
  double v[ROWS * COLUMNS] = {[5 * COLUMNS + 7] = 8};
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, ROWS, COLUMNS, v);
  CallResult result;
  run_step ("sources sigma=1 min_area=1 filter=none apertures='0.6 0.3'", image, NULL, device, &result, NULL);
  g_assert_cmpint (table_rows (result.table), ==, 1);
  g_assert_cmpfloat_with_epsilon (number (result.table, "flux_aperture-0", 0), 8, 1e-12);
  g_assert_cmpfloat_with_epsilon (number (result.table, "flux_aperture-1", 0), 8 * 9 / 25., 1e-12);
  g_assert_cmpfloat (number (result.table, "flags", 0), ==, 8 + 128); /* a pixel has no moments */
  call_result_clear (&result);
}

/* A pixel of 6 under the pyramid has a signal-to-noise ratio of 4 * 6 / (6 sigma) at its position, and half of that at its neighbors. A convolution
 * finds something at the second one, too, where a single quiet pixel lies amid noise. */
static void
test_matched (Device *device)
{
  double v[ROWS * COLUMNS] = {[8 * COLUMNS + 6] = 6, [8 * COLUMNS + 17] = 6}, noise[ROWS * COLUMNS];
  for (int i = 0; i < ROWS * COLUMNS; i++)
    noise[i] = i % COLUMNS < 12 || i == 8 * COLUMNS + 18 ? 1 : 8;
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, ROWS, COLUMNS, v);
  g_autoptr (Image) sigma = image_of (FV_F64, FV_IMAGE, ROWS, COLUMNS, noise);
  CallResult result;
  run_step ("sources threshold=0.7 min_area=1", image, sigma, device, &result, NULL);
  g_assert_cmpint (table_rows (result.table), ==, 2);
  call_result_clear (&result);
  run_step ("sources threshold=1.9 min_area=1 filter_type=matched", image, sigma, device, &result, NULL);
  g_assert_cmpint (table_rows (result.table), ==, 1);
  g_assert_cmpfloat (number (result.table, "area", 0), ==, 5);
  g_assert_cmpfloat (number (result.table, "x", 0), ==, 6);
  call_result_clear (&result);
  run_step ("sources sigma=2 threshold=1.9 min_area=1 filter_type=matched", image, NULL, device, &result, NULL);
  g_assert_cmpint (table_rows (result.table), ==, 2);
  g_assert_cmpfloat (number (result.table, "area", 0), ==, 1);
  call_result_clear (&result);
}

/* Amid the source lies a pixel far below 0, of high variance, that the filter hardly weighs. Filtered pixels are 10, -15, -5, -15, 10, thirds, and
 * their variance along the row is 50 / -15 + 1/12. The short axis is undefined then; Kron's flux is that of the smallest circle. */
static void
test_negative (Device *device)
{
  double v[ROWS * COLUMNS] = {[8 * COLUMNS + 5] = 10, [8 * COLUMNS + 6] = -25, [8 * COLUMNS + 7] = 10},
                  noise[ROWS * COLUMNS];
  for (int i = 0; i < ROWS * COLUMNS; i++)
    noise[i] = i == 8 * COLUMNS + 6 ? 1000 : 1;
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, ROWS, COLUMNS, v);
  g_autoptr (Image) sigma = image_of (FV_F64, FV_IMAGE, ROWS, COLUMNS, noise);
  CallResult result;
  run_step ("sources threshold=4 filter=matrix matrix='1 1 1' filter_type=matched", image, sigma, device, &result,
            NULL);
  g_assert_cmpint (table_rows (result.table), ==, 1);
  g_assert_cmpfloat (number (result.table, "area", 0), ==, 5);
  g_assert_cmpfloat (number (result.table, "x", 0), ==, 6);
  g_assert_cmpfloat_with_epsilon (number (result.table, "a", 0), sqrt (1 / 12.), 1e-12);
  g_assert_true (isnan (number (result.table, "b", 0)));
  g_assert_cmpfloat (number (result.table, "kron_radius", 0), ==, 0);
  g_assert_cmpfloat (number (result.table, "flux_kron", 0), ==, -5);
  g_assert_cmpfloat (number (result.table, "flags", 0), ==, 8 + 128);
  call_result_clear (&result);
}

/* Along the falling diagonal the ellipse lies so, too, and Kron's radius is the mean of the distance in it: sqrt (1/2) / sqrt (7/12). */
static void
test_diagonal (Device *device)
{
  double v[ROWS * COLUMNS] = {[5 * COLUMNS + 8] = 4, [6 * COLUMNS + 7] = 4};
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, ROWS, COLUMNS, v);
  CallResult result;
  run_step ("sources sigma=1 min_area=1 filter=none", image, NULL, device, &result, NULL);
  g_assert_cmpint (table_rows (result.table), ==, 1);
  g_assert_cmpfloat_with_epsilon (number (result.table, "theta", 0), -G_PI / 4, 1e-12);
  g_assert_cmpfloat_with_epsilon (number (result.table, "kron_radius", 0), sqrt (6 / 7.), 1e-7);
  call_result_clear (&result);
}

static void
test_errors (Device *device)
{
  static const struct {
    const char *step, *field;
  } cases[] = {{"sources apertures=3,0", "apertures"},
               {"sources apertures='1;2'", "apertures"},
               {"sources apertures=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", "apertures"},
               {"sources filter=matrix matrix='0 0'", "matrix"},
               {"sources min_area=0", "min_area"}};
  double v[ROWS * COLUMNS] = {0};
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, ROWS, COLUMNS, v);
  g_autoptr (Image) small = image_random (FV_F32, FV_IMAGE, 1, 1, 5, COLUMNS, 1);
  g_autoptr (Image) channels = image_random (FV_F32, FV_IMAGE, 2, 1, 5, COLUMNS, 1);
  CallResult result;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_false (run_step (cases[i].step, image, NULL, device, &result, &error));
    g_assert_cmpstr (step_error_field (error), ==, cases[i].field);
  }
  g_autoptr (GError) of_rms = NULL, of_channels = NULL;
  g_assert_false (run_step ("sources", image, small, device, &result, &of_rms));
  g_assert_cmpstr (step_error_field (of_rms), ==, "rms");
  g_assert_false (run_step ("sources", channels, NULL, device, &result, &of_channels));
  g_assert_cmpstr (step_error_field (of_channels), ==, "image");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/sources/squares", test_squares);
  add_device_test ("/sources/nothing", test_nothing);
  add_device_test ("/sources/small-circles", test_small_circles);
  add_device_test ("/sources/matched", test_matched);
  add_device_test ("/sources/negative", test_negative);
  add_device_test ("/sources/diagonal", test_diagonal);
  add_device_test ("/sources/errors", test_errors);
  return g_test_run ();
}

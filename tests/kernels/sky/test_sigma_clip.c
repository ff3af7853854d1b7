/* SPDX-License-Identifier: MIT
 *
 * sigma_clip: what can be worked out by hand, and that many pixels in few bins and few in many give the sums that they must, also those
 * that lie close together far from 0.
 */
#include "tests/support/support.h"

#include <math.h>

enum { MEAN, MEDIAN, SIGMA, MINIMUM, MAXIMUM, KEPT, ITERATIONS };

/* 0 0 0 0 0 0 0 0 0 100: sigma is 30, so that 100 goes with kappa 3.3 and stays with 3.4. */
static void
test_by_hand (Device *device)
{
  const double values[10] = {[7] = 100};
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, 2, 5, values);
  CallResult result;
  run_step ("sigma_clip kappa=3.4", image, NULL, device, &result, NULL);
  g_assert_cmpfloat (result.scalars[MEAN], ==, 10);
  g_assert_cmpfloat (result.scalars[MEDIAN], ==, 0);
  g_assert_cmpfloat (result.scalars[SIGMA], ==, 30);
  g_assert_cmpfloat (result.scalars[MAXIMUM], ==, 100);
  g_assert_cmpfloat (result.scalars[ITERATIONS], ==, 0);
  call_result_clear (&result);
  run_step ("sigma_clip kappa=3.3", image, NULL, device, &result, NULL);
  g_assert_cmpfloat (result.scalars[SIGMA], ==, 0);
  g_assert_cmpfloat (result.scalars[MAXIMUM], ==, 0);
  g_assert_cmpfloat (result.scalars[KEPT], ==, 9);
  g_assert_cmpfloat (result.scalars[ITERATIONS], ==, 1);
  g_assert_cmpint (table_rows (result.table), ==, 1);
  g_assert_cmpstr (table_column (result.table, 0)->key, ==, "mean");
  g_assert_cmpfloat (table_value (result.table, KEPT, 0), ==, 9);
  call_result_clear (&result);
}

/* 0 ... n - 1 in each of two planes, the second one backwards: nothing is clipped. */
static void
test_ramp (Device *device)
{
  static const fv_type types[] = {FV_U16, FV_I32, FV_F32, FV_F64};
  enum { ROWS = 251, COLUMNS = 257, N = ROWS * COLUMNS };
  g_autofree double *values = g_new (double, 2 * N);
  for (int i = 0; i < N; i++)
    values[i] = values[2 * N - 1 - i] = i;
  for (guint t = 0; t < G_N_ELEMENTS (types); t++) {
    g_autoptr (Image) image = image_of_planes (types[t], FV_IMAGE, 1, 2, ROWS, COLUMNS, values);
    CallResult result;
    run_step ("sigma_clip", image, NULL, device, &result, NULL);
    g_assert_cmpint (result.scalar_rows, ==, 2);
    for (int plane = 0; plane < 2; plane++) {
      const double *found = result.scalars + 7 * plane;
      g_assert_cmpfloat (found[MEAN], ==, (N - 1) / 2.);
      g_assert_cmpfloat (found[MEDIAN], ==, (N - 1) / 2.);
      g_assert_cmpfloat_with_epsilon (found[SIGMA], sqrt (((double) N * N - 1) / 12), 1e-9);
      g_assert_cmpfloat (found[KEPT], ==, N);
      g_assert_cmpfloat (table_value (result.table, 0, plane), ==, plane + 1);
    }
    call_result_clear (&result);
  }
}

/* Pixels within 0.1 of 1000, and one of 1e30: that one is clipped, and leaves no trace in the digits of the others. */
static void
test_close_together (Device *device)
{
  static const fv_type types[] = {FV_F32, FV_F64};
  enum { ROWS = 251, COLUMNS = 257, N = ROWS * COLUMNS, FAR = 77 };
  g_autofree double *values = g_new (double, N);
  for (guint t = 0; t < G_N_ELEMENTS (types); t++) {
    long double sum = 0, squares = 0;
    for (int i = 0; i < N; i++) {
      const double v = 1000 + i * 7919 % 1000 * 1e-4;
      values[i] = i == FAR ? 1e30 : types[t] == FV_F32 ? (double) (float) v : v;
      sum += i == FAR ? 0 : (long double) values[i];
    }
    const long double mean = sum / (N - 1);
    for (int i = 0; i < N; i++)
      squares += i == FAR ? 0 : (values[i] - mean) * (values[i] - mean);
    g_autoptr (Image) image = image_of (types[t], FV_IMAGE, ROWS, COLUMNS, values);
    CallResult result;
    run_step ("sigma_clip", image, NULL, device, &result, NULL);
    g_assert_cmpfloat (result.scalars[KEPT], ==, N - 1);
    g_assert_cmpfloat (result.scalars[ITERATIONS], ==, 1);
    g_assert_cmpfloat_with_epsilon (result.scalars[MEAN], (double) mean, 1e-12 * 1000);
    g_assert_cmpfloat_with_epsilon (result.scalars[SIGMA], sqrt ((double) (squares / (N - 1))), 1e-12);
    call_result_clear (&result);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/sigma_clip/by-hand", test_by_hand);
  add_device_test ("/sigma_clip/ramp", test_ramp);
  add_device_test ("/sigma_clip/close-together", test_close_together);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT
 *
 * colocalize of a few pixels, by hand; and what is refused.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>

static double
found (const CallResult *result, const char *key)
{
  return table_find (result->table, key)->values[0];
}

/* b = 3 a - 1: what lies below each threshold is as well correlated as all, until two pixels are left. */
static void
test_line (Device *device)
{
  const double a[] = {1, 2, 3, 4, 5, 6}, b[] = {2, 5, 8, 11, 14, 17};
  g_autoptr (Image) first = image_of (FV_U8, FV_IMAGE, 2, 3, a), second = image_of (FV_F32, FV_IMAGE, 2, 3, b);
  CallResult result;
  run_step ("colocalize", first, second, device, &result, NULL);
  g_assert_cmpfloat (found (&result, "pixels"), ==, 6);
  g_assert_cmpfloat_with_epsilon (found (&result, "pearson"), 1, 1e-12);
  g_assert_cmpfloat_with_epsilon (found (&result, "slope"), 3, 1e-12);
  g_assert_cmpfloat_with_epsilon (found (&result, "intercept"), -1, 1e-12);
  g_assert_cmpfloat (found (&result, "m1"), ==, 1);
  g_assert_cmpfloat_with_epsilon (found (&result, "icq"), 0.5, 1e-12);
  g_assert_cmpfloat (found (&result, "threshold_a"), ==, 1);
  g_assert_cmpfloat (found (&result, "threshold_b"), ==, 2);
  g_assert_cmpfloat_with_epsilon (found (&result, "tm1"), 20. / 21, 1e-12);
  g_assert_cmpfloat (found (&result, "above_both"), ==, 5);
  g_assert_null (table_find (result.table, "costes_p"));
  call_result_clear (&result);
  run_step ("colocalize method=manual threshold_a=4 threshold_b=13", first, second, device, &result, NULL);
  g_assert_cmpfloat_with_epsilon (found (&result, "tm1"), 11. / 21, 1e-12);
  g_assert_cmpfloat_with_epsilon (found (&result, "tm2"), 31. / 57, 1e-12);
  g_assert_true (isnan (found (&result, "slope")));
  call_result_clear (&result);
}

/* Channels that fall together have no thresholds; ten shuffles of one block are ten times the same. */
static void
test_against (Device *device)
{
  const double values[] = {0, 1, 2, 3, 3, 2, 1, 0};
  g_autoptr (Image) image = image_of_planes (FV_U16, FV_IMAGE, 2, 1, 2, 2, values);
  CallResult result;
  run_step ("colocalize shuffles=10 block=2", image, NULL, device, &result, NULL);
  g_assert_cmpfloat_with_epsilon (found (&result, "pearson"), -1, 1e-12);
  g_assert_cmpfloat_with_epsilon (found (&result, "k1"), 4. / 14, 1e-12);
  g_assert_true (isnan (found (&result, "threshold_a")));
  g_assert_true (isnan (found (&result, "tm1")));
  g_assert_cmpfloat_with_epsilon (found (&result, "shuffled_mean"), -1, 1e-12);
  g_assert_cmpfloat_with_epsilon (found (&result, "shuffled_sd"), 0, 1e-12);
  g_assert_cmpfloat (found (&result, "costes_p"), ==, 0);
  call_result_clear (&result);
}

/* Independent noise: one shuffle in about two is below; the orders differ from each other. */
static void
test_shuffles (Device *device)
{
  g_autoptr (Image) image = image_random (FV_F32, FV_IMAGE, 2, 3, 64, 64, 5);
  CallResult result;
  run_step ("colocalize shuffles=400 block=2", image, NULL, device, &result, NULL);
  g_assert_cmpfloat_with_epsilon (found (&result, "shuffled_mean"), 0, 0.002);
  g_assert_cmpfloat_with_epsilon (found (&result, "shuffled_sd"), 1 / sqrt (3 * 64 * 64), 0.0015);
  call_result_clear (&result);
}

static void
assert_refused (Device *device, const char *step, Image *first, Image *second, const char *field)
{
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step (step, first, second, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, field);
}

static void
test_refused (Device *device)
{
  const double values[8] = {0};
  g_autoptr (Image) one = image_of (FV_U8, FV_IMAGE, 2, 2, values), wide = image_of (FV_U8, FV_IMAGE, 2, 3, values),
                    two = image_of_planes (FV_U8, FV_IMAGE, 2, 1, 2, 2, values);
  assert_refused (device, "colocalize", one, NULL, "second");
  assert_refused (device, "colocalize", one, wide, "second");
  assert_refused (device, "colocalize channel_b=2", two, NULL, "channel_b");
  assert_refused (device, "colocalize channel_a=2", two, one, "channel_a");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/colocalize/line", test_line);
  add_device_test ("/colocalize/against", test_against);
  add_device_test ("/colocalize/shuffles", test_shuffles);
  add_device_test ("/colocalize/refused", test_refused);
  return g_test_run ();
}

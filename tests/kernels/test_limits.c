/* SPDX-License-Identifier: MIT
 *
 * What is counted in 64 bits and numbered in 32: the checks that all devices share, with numbers that no test can reach by pixels.
 */
#include "kernels/regions/regions.h"
#include "kernels/label/label.h"
#include "tests/support/init.h"

#include <glib.h>

static void
test_runs (void)
{
  fv_error error = FV_ERROR_INIT;
  g_assert_cmpint (regions_check (INT32_MAX - 1, &error), ==, FV_OK);
  g_assert_cmpint (regions_check (INT32_MAX, &error), ==, FV_UNSUPPORTED);
  g_assert_cmpint (regions_check ((int64_t) 1 << 32, &error), ==, FV_UNSUPPORTED);
  g_assert_nonnull (strstr (error.text, "4294967296 pieces"));
  g_assert_cmpstr (error.field, ==, "image");
}

static void
test_labels (void)
{
  fv_error error = FV_ERROR_INIT;
  label_args args = {.most_objects = 0};
  g_assert_cmpint (label_most (&args), ==, INT32_MAX);
  g_assert_cmpint (label_too_many (&args, &error), ==, FV_UNSUPPORTED);
  g_assert_nonnull (strstr (error.text, "More than 2147483647 objects"));
  g_assert_cmpstr (error.field, ==, "image");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/limits/runs", test_runs);
  g_test_add_func ("/limits/labels", test_labels);
  return g_test_run ();
}

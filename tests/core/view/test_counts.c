/* SPDX-License-Identifier: MIT
 *
 * Counts of a plane's values, and ranges. The bin of each value is worked out again in long double, whose exponents reach further.
 */
#include "core/data/pixel_type.h"
#include "core/view/contrast.h"
#include "tests/support/support.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static void
count (Counts *counts, const double *values, gint64 n)
{
  ImageInfo info = {.type = FV_F64, .rows = 1, .columns = n};
  counts_of_plane (counts, &info, values);
}

static void
assert_counts (const double *values, gint64 n)
{
  Counts counts;
  guint64 expected[COUNTS_BINS] = {0};
  long double low = LDBL_MAX, high = -LDBL_MAX;
  for (gint64 i = 0; i < n; i++)
    if (isfinite (values[i])) {
      low = MIN (low, (long double) values[i]);
      high = MAX (high, (long double) values[i]);
    }
  for (gint64 i = 0; i < n; i++)
    if (isfinite (values[i])) {
      long double bin_at = high > low ? ((long double) values[i] - low) / (high - low) * COUNTS_BINS : 0;
      expected[MIN ((int) bin_at, COUNTS_BINS - 1)]++;
    }
  count (&counts, values, n);
  g_assert_cmpfloat (counts.range.low, ==, (double) low);
  g_assert_cmpfloat (counts.range.high, ==, (double) high);
  for (int i = 0; i < COUNTS_BINS; i++)
    g_assert_cmpuint (counts.bins[i], ==, expected[i]);
}

static void
test_wide_and_narrow (void)
{
  const double far[] = {-DBL_MAX, -1, 0, 1e308, DBL_MAX}, tiny[] = {0, 4.94e-324, 1e-323, 3e-320},
               close[] = {1, 1 + DBL_EPSILON}, small[] = {-1e-307, 2e-308, 3e-307}, one[] = {7, 7, 7};
  const double some[] = {NAN, 3, INFINITY, -2, -INFINITY, 0.5};
  assert_counts (far, G_N_ELEMENTS (far));
  assert_counts (tiny, G_N_ELEMENTS (tiny));
  assert_counts (close, G_N_ELEMENTS (close));
  assert_counts (small, G_N_ELEMENTS (small));
  assert_counts (one, G_N_ELEMENTS (one));
  assert_counts (some, G_N_ELEMENTS (some));
}

/* Of every type the same numbers are counted as in 64-bit floating point. */
static void
test_types (void)
{
  const double values[] = {3, 0, 100, 7, 7, 64, 99, 1, 50, 127};
  const gint64 n = G_N_ELEMENTS (values);
  Counts expected;
  count (&expected, values, n);
  for (guint i = 0; i < PIXEL_TYPES; i++) {
    g_autoptr (Image) image = image_of (pixel_types[i].type, FV_IMAGE, 1, n, values);
    Counts counts;
    counts_of_plane (&counts, image_info (image), image_plane (image, 0, NULL));
    if (counts.exact) /* bins are values */
      continue;
    g_assert_cmpfloat (counts.range.low, ==, 0);
    g_assert_cmpfloat (counts.range.high, ==, 127);
    g_assert_cmpmem (counts.bins, sizeof counts.bins, expected.bins, sizeof expected.bins);
  }
}

/* Any bits, as damaged files have them. */
static void
test_any_bits (void)
{
  double values[17];
  for (int round = 0; round < 20000; round++) {
    for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
      guint64 bits = (guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();
      memcpy (&values[i], &bits, sizeof bits);
    }
    gboolean any = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS (values); i++)
      any |= isfinite (values[i]);
    if (any)
      assert_counts (values, G_N_ELEMENTS (values));
  }
}

static void
test_nothing_finite (void)
{
  const double values[] = {NAN, INFINITY, -INFINITY};
  Counts counts;
  count (&counts, values, G_N_ELEMENTS (values));
  for (int i = 0; i < COUNTS_BINS; i++)
    g_assert_cmpuint (counts.bins[i], ==, 0);
}

/* 32-bit integers are counted as the same numbers in double are. */
static void
test_integers (void)
{
  static const gint32 values[] = {-2147483647 - 1, 2147483647, -1, 0, 1, 1 << 20, 7, 7};
  const ImageInfo info = {.type = FV_I32, .rows = 2, .columns = 4};
  double same[G_N_ELEMENTS (values)];
  Counts counts, expected;
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    same[i] = values[i];
  counts_of_plane (&counts, &info, values);
  count (&expected, same, G_N_ELEMENTS (same));
  g_assert_cmpmem (&counts, sizeof counts, &expected, sizeof expected);
}

/* Planes together: the range of all, and each value in the bin of that range, or beside it. */
static void
test_join (void)
{
  static const double values[3][4] = {{1, 2, 3, 9}, {-8, -8, 0, 4}, {5, 5, 5, 5}};
  Counts planes[3], all;
  guint64 expected[COUNTS_BINS] = {0}, n = 0;
  for (guint i = 0; i < 3; i++) {
    count (&planes[i], values[i], 4);
    for (guint v = 0; v < 4; v++)
      expected[MIN ((int) ((values[i][v] + 8) / 17 * COUNTS_BINS), COUNTS_BINS - 1)]++;
  }
  counts_join (&all, planes, 3);
  g_assert_cmpfloat (all.range.low, ==, -8);
  g_assert_cmpfloat (all.range.high, ==, 9);
  g_assert_false (all.exact);
  for (int i = 0; i < COUNTS_BINS; i++) {
    guint64 near = expected[i] + (i ? expected[i - 1] : 0) + (i + 1 < COUNTS_BINS ? expected[i + 1] : 0);
    g_assert_cmpuint (all.bins[i], <=, near);
    n += all.bins[i];
  }
  g_assert_cmpuint (n, ==, 12);
  counts_join (&all, &planes[1], 1); /* of one plane they stay */
  g_assert_cmpmem (all.bins, sizeof all.bins, planes[1].bins, sizeof all.bins);
  counts_join (&all, planes, 0);
  g_assert_cmpfloat (all.range.high, ==, 0);
}

/* Of 8 bits every bin is a value. */
static void
test_join_bytes (void)
{
  static const guint8 pixels[2][3] = {{0, 255, 7}, {7, 8, 255}};
  const ImageInfo info = {.type = FV_U8, .rows = 1, .columns = 3};
  Counts planes[2], all;
  for (guint i = 0; i < 2; i++)
    counts_of_plane (&planes[i], &info, pixels[i]);
  counts_join (&all, planes, 2);
  g_assert_true (all.exact);
  g_assert_true (all.bins[0] == 1 && all.bins[7] == 2 && all.bins[8] == 1 && all.bins[255] == 2);
}

static void
assert_auto (const double *values, gint64 n, double low, double high)
{
  Counts counts;
  ContrastAuto state = {0};
  Range limits;
  count (&counts, values, n);
  g_assert_true (contrast_auto (&state, &counts, NULL, &limits));
  g_assert_cmpfloat (limits.low, ==, low);
  g_assert_cmpfloat (limits.high, ==, high);
}

static void
test_limits (void)
{
  const double far[] = {-DBL_MAX, DBL_MAX}, tiny[] = {0, 3e-320};
  assert_auto (far, 2, -DBL_MAX, DBL_MAX);
  assert_auto (tiny, 2, 0, 3e-320);
}

static void
test_ranges (void)
{
  const Range far = {-DBL_MAX, DBL_MAX}, none = {3, 3}, tiny = {0, 4.94e-324}, max = {DBL_MAX, DBL_MAX};
  g_assert_cmpfloat (range_fraction (far, 0), ==, 0.5);
  g_assert_cmpfloat (range_fraction (far, INFINITY), ==, 1);
  g_assert_cmpfloat (range_fraction (far, NAN), ==, 0);
  g_assert_cmpfloat (range_fraction (none, 3), ==, 0);
  g_assert_cmpfloat (range_value (far, 0.5), ==, 0);
  g_assert_cmpfloat (range_value (far, 7), ==, DBL_MAX);
  g_assert_cmpint (range_part (tiny, 4.94e-324, 10), ==, 9);
  g_assert_cmpint (range_part (none, 3, 10), ==, 0);
  g_assert_true (range_widened (max).high > range_widened (max).low && isfinite (range_widened (max).high));
  g_assert_true (range_widened ((Range){5e-324, 5e-324}).high > 5e-324);
}

/* As NumPy's and people's eyes have them; and an end where values can hardly be told apart. */
static void
test_ticks (void)
{
  double first, step;
  g_assert_cmpint (range_ticks ((Range){0, 255}, 5, &first, &step), ==, 6); /* 0 50 ... 250 */
  g_assert_cmpfloat (first, ==, 0);
  g_assert_cmpfloat (step, ==, 50);
  g_assert_cmpint (range_ticks ((Range){-1, 1}, 4, &first, &step), ==, 5);
  g_assert_cmpfloat (first * step, ==, -1);
  g_assert_cmpfloat (step, ==, 0.5);
  g_assert_cmpint (range_ticks ((Range){1e18, 1e18 + 128}, 5, &first, &step), ==, 0);
  g_assert_cmpint (range_ticks ((Range){-DBL_MAX, DBL_MAX}, 5, &first, &step), <=, 10);
  g_assert_cmpint (range_ticks ((Range){0, 4.94e-324}, 5, &first, &step), <=, 10);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/counts/types", test_types);
  g_test_add_func ("/counts/wide-and-narrow", test_wide_and_narrow);
  g_test_add_func ("/counts/any-bits", test_any_bits);
  g_test_add_func ("/counts/nothing-finite", test_nothing_finite);
  g_test_add_func ("/counts/integers", test_integers);
  g_test_add_func ("/counts/join", test_join);
  g_test_add_func ("/counts/join-bytes", test_join_bytes);
  g_test_add_func ("/counts/limits", test_limits);
  g_test_add_func ("/range/fractions", test_ranges);
  g_test_add_func ("/range/ticks", test_ticks);
  return g_test_run ();
}

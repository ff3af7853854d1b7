/* SPDX-License-Identifier: MIT
 *
 * Statistics and summaries of tables against NumPy's: the expressions are next to the numbers.
 */
#include "core/measure/summary.h"
#include "tests/support/init.h"

#include <math.h>

enum { N = 1000 };

/* i = numpy.arange(1000); v = (i * 7919) % 1009 / 8 - 3 */
static double
value (gint64 i)
{
  return (double) (i * 7919 % 1009) / 8 - 3;
}

/* n, v.mean(), v.std(ddof=1), v.min(), v.max() */
static void
assert_statistics (Statistics s, gint64 count, double mean, double sd, double min, double max)
{
  g_assert_cmpint (s.count, ==, count);
  g_assert_cmpfloat_with_epsilon (s.mean, mean, 1e-12);
  g_assert_cmpfloat_with_epsilon (s.sd, sd, 1e-12);
  g_assert_cmpfloat (s.min, ==, min);
  g_assert_cmpfloat (s.max, ==, max);
}

static void
test_numpy (void)
{
  double values[N];
  guint8 mask[N];
  for (gint64 i = 0; i < N; i++) {
    values[i] = value (i);
    mask[i] = i % 3 == 0 ? 255 : 0;
  }
  assert_statistics (statistics_of (values, NULL, N), N, 60.08475, 36.438107499095167, -3, 123);
  assert_statistics (statistics_of (values, mask, N), 334, 60.904940119760482, 36.50909068984609, -3, 123); /* v[::3] */
}

/* A small deviation of large values: numpy.std([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16], ddof=1), the root of 30. */
static void
test_large (void)
{
  const double values[] = {1e9 + 4, 1e9 + 7, NAN, 1e9 + 13, 1e9 + 16};
  assert_statistics (statistics_of (values, NULL, 5), 4, 1e9 + 10, 5.4772255750516612, 1e9 + 4, 1e9 + 16);
}

static void
test_few (void)
{
  const double values[] = {NAN, 7, NAN};
  Statistics one = statistics_of (values, NULL, 3), none = statistics_of (values, NULL, 1);
  g_assert_cmpint (one.count, ==, 1);
  g_assert_true (one.mean == 7 && one.min == 7 && one.max == 7 && isnan (one.sd));
  g_assert_cmpint (none.count, ==, 0);
  g_assert_true (isnan (none.mean) && isnan (none.sd) && isnan (none.min) && isnan (none.max));
}

/* All rows; 999 in reverse order; and none. */
static void
test_summary (void)
{
  static const double medians[] = {60.1875, 60.125}, means[] = {60.08475, 60.082707707707705};
  g_autoptr (Table) table = table_new ();
  double *values = g_new (double, 2 * N);
  guint32 rows[N - 1];
  table_add_column (table, "v", "", "Values.", FV_COLUMN_FLOAT);
  table_add_column (table, "none", "", "Missing values.", FV_COLUMN_FLOAT);
  for (gint64 i = 0; i < N; i++) {
    values[i] = value (i);
    values[N + i] = NAN;
  }
  table_take_rows (table, values, N);
  for (guint i = 0; i < N - 1; i++)
    rows[i] = N - 2 - i;
  g_autoptr (GBytes) order = g_bytes_new_static (rows, sizeof rows), empty = g_bytes_new_static (rows, 0);
  for (int i = 0; i < 2; i++) {
    g_autoptr (GArray) made = summary_of_table (table, i ? order : NULL);
    const Summary *s = &g_array_index (made, Summary, 0), *missing = s + 1;
    g_assert_cmpuint (made->len, ==, 2);
    g_assert_cmpint (s->statistics.count, ==, N - i);
    g_assert_cmpfloat_with_epsilon (s->statistics.mean, means[i], 1e-12);
    g_assert_cmpfloat (s->median, ==, medians[i]);
    g_assert_cmpfloat (summary_median (table_column (table, 0), i ? order : NULL), ==, medians[i]);
    g_assert_true (missing->statistics.count == 0 && isnan (missing->median));
  }
  g_autoptr (GArray) none = summary_of_table (table, empty);
  g_assert_true (isnan (g_array_index (none, Summary, 0).median));
  g_assert_true (isnan (summary_median (table_column (table, 1), NULL)));
  g_assert_cmpfloat (table_value (table, 0, 1), ==, value (1)); /* as it was */
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/statistics/numpy", test_numpy);
  g_test_add_func ("/statistics/large", test_large);
  g_test_add_func ("/statistics/few", test_few);
  g_test_add_func ("/summary/table", test_summary);
  return g_test_run ();
}

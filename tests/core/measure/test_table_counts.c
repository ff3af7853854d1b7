/* SPDX-License-Identifier: MIT
 *
 * Distributions of columns against NumPy's: i = numpy.arange(500); v = (i * 7919) % 1009 / 8 - 3; w = (i * i * 31) % 257 / 4;
 * m = (i * 37) % 101 - 50.
 */
#include "core/measure/table_counts.h"
#include "tests/support/init.h"

#include <math.h>
#include <string.h>

enum { N = 500, BARS = 44 }; /* int(2 * numpy.sqrt(500)) */

static Table *
make_table (void)
{
  Table *table = table_new ();
  double *values = g_new (double, 4 * N);
  table_add_column (table, "v", "", "Values.", FV_COLUMN_FLOAT);
  table_add_column (table, "w", "", "Others.", FV_COLUMN_FLOAT);
  table_add_column (table, "m", "", "Whole numbers.", FV_COLUMN_INTEGER);
  table_add_column (table, "none", "", "None that is finite.", FV_COLUMN_FLOAT);
  for (gint64 i = 0; i < N; i++) {
    values[i] = (double) (i * 7919 % 1009) / 8 - 3;
    values[N + i] = (double) (i * i * 31 % 257) / 4;
    values[2 * N + i] = (double) (i * 37 % 101 - 50);
    values[3 * N + i] = i % 2 ? NAN : INFINITY;
  }
  table_take_rows (table, values, N);
  return table;
}

static TableCounts *
counts_of (Table *table, GBytes *order, const char *x, const char *y)
{
  TableCounts *counts = table_counts_new (table, order, table_find (table, x), y ? table_find (table, y) : NULL);
  table_counts_fill (counts);
  return counts;
}

/* numpy.histogram(v, 44), and of v[::3] between the ends of v. */
static void
test_histogram (void)
{
  static const guint all[BARS] = {13, 10, 12, 11, 12, 11, 11, 11, 11, 11, 12, 12, 10, 12, 11,
                                  12, 10, 13, 10, 12, 11, 12, 10, 12, 12, 11, 11, 11, 13, 10,
                                  12, 11, 12, 10, 13, 11, 11, 11, 12, 11, 11, 12, 11, 12};
  static const guint third[BARS] = {1, 3, 6, 6, 0, 3, 6, 6, 0, 3, 6, 6, 0, 4, 5, 6, 0, 4, 5, 6, 0, 4,
                                    5, 6, 1, 3, 6, 5, 1, 3, 6, 5, 1, 3, 6, 6, 0, 3, 6, 6, 0, 3, 6, 6};
  guint32 rows[(N + 2) / 3];
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    rows[i] = 3 * i;
  g_autoptr (Table) table = make_table ();
  g_autoptr (GBytes) order = g_bytes_new_static (rows, sizeof rows);
  g_autoptr (TableCounts) counts = counts_of (table, order, "v", NULL), whole = counts_of (table, NULL, "v", NULL);
  g_assert_cmpint (counts->x.cells, ==, BARS);
  g_assert_cmpint (counts->y.cells, ==, 1);
  g_assert_cmpmem (counts->all, sizeof all, all, sizeof all);
  g_assert_cmpmem (counts->shown, sizeof third, third, sizeof third);
  g_assert_cmpuint (counts->max, ==, 13);
  g_assert_null (whole->shown);
}

/* Cells that are whole numbers wide: numpy.histogram(m, 34, (-50.5, -50.5 + 34 * 3)). */
static void
test_integers (void)
{
  static const guint all[] = {15, 15, 15, 15, 15, 14, 15, 15, 15, 14, 15, 15, 15, 15, 15, 15, 15,
                              15, 14, 15, 15, 14, 15, 15, 15, 15, 15, 15, 15, 15, 14, 15, 15, 10};
  g_autoptr (Table) table = make_table ();
  g_autoptr (TableCounts) counts = counts_of (table, NULL, "m", NULL);
  g_assert_cmpint (counts->x.cells, ==, 34);
  g_assert_cmpfloat (counts->x.range.low, ==, -50.5);
  g_assert_cmpfloat (counts->x.range.high, ==, 51.5);
  g_assert_cmpmem (counts->all, sizeof all, all, sizeof all);
}

/* h = numpy.histogram2d(w, v, (80, 120))[0]: (h > 0).sum(), (h * index).sum(), (h * h * index).sum() with index = numpy.arange(80)[:, None] * 120 +
 * numpy.arange(120). */
static void
test_two (void)
{
  g_autoptr (Table) table = make_table ();
  g_autoptr (TableCounts) counts = counts_of (table, NULL, "v", "w");
  guint64 full = 0, sum = 0, squares = 0;
  g_assert_true (counts->x.cells == 120 && counts->y.cells == 80);
  for (guint i = 0; i < 80 * 120; i++) {
    guint64 n = counts->all[i];
    full += n > 0;
    sum += n * i;
    squares += n * n * i;
  }
  g_assert_cmpuint (counts->max, ==, 2);
  g_assert_cmpuint (full, ==, 491);
  g_assert_cmpuint (sum, ==, 2406742);
  g_assert_cmpuint (squares, ==, 2466628);
}

static void
test_nothing_finite (void)
{
  g_autoptr (Table) table = make_table ();
  g_autoptr (TableCounts) counts = counts_of (table, NULL, "none", NULL);
  g_assert_cmpuint (counts->max, ==, 0);
  g_assert_true (counts->x.range.low < counts->x.range.high);
}

/* The numbers of the plot, which a spreadsheet adds up to those of the table. */
static void
test_csv (void)
{
  g_autoptr (Table) table = table_new ();
  guint32 rows[] = {2, 0};
  g_autoptr (GBytes) order = g_bytes_new_static (rows, sizeof rows);
  double *values = g_new (double, 8);
  const double all[] = {0, 2, 8, 4, 0.5, -1, NAN, 1e-9};
  memcpy (values, all, sizeof all);
  table_add_column (table, "area", "µm²", "Areas.", FV_COLUMN_FLOAT);
  table_add_column (table, "a,b", "", "Others.", FV_COLUMN_FLOAT);
  table_take_rows (table, values, 4);
  g_autoptr (TableCounts) bars = counts_of (table, NULL, "area", NULL), shown = counts_of (table, order, "area", NULL),
                          points = counts_of (table, order, "area", "a,b");
  g_autofree char *a = table_counts_csv (bars), *b = table_counts_csv (shown), *c = table_counts_csv (points);
  g_assert_cmpstr (a, ==,
                   "area (µm²) from,area (µm²) to,rows\n0,1,1\n1,2,0\n2,3,1\n3,4,0\n4,5,1\n5,6,0\n6,7,0\n7,8,1\n");
  g_assert_cmpstr (b, ==,
                   "area (µm²) from,area (µm²) "
                   "to,rows,shown\n0,1,1,1\n1,2,0,0\n2,3,1,0\n3,4,0,0\n4,5,1,0\n5,6,0,0\n6,7,0,0\n7,8,1,1\n");
  g_assert_cmpstr (c, ==, "area (µm²),\"a,b\"\n8,NaN\n0,0.5\n");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/table-counts/histogram", test_histogram);
  g_test_add_func ("/table-counts/integers", test_integers);
  g_test_add_func ("/table-counts/two", test_two);
  g_test_add_func ("/table-counts/nothing-finite", test_nothing_finite);
  g_test_add_func ("/table-counts/csv", test_csv);
  return g_test_run ();
}

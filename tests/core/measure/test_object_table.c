/* SPDX-License-Identifier: MIT
 *
 * Objects of two frames and two slices that have the same labels have rows of their own.
 */
#include "core/measure/object_table.h"

#include "tests/support/support.h"

#include <math.h>
#include <string.h>

/* The columns, each with the values of four rows. */
static Table *
make (guint n, const char *const *keys, const double *values)
{
  Table *table = table_new ();
  for (guint j = 0; j < n; j++)
    table_add_column (table, keys[j], "", "", FV_COLUMN_INTEGER);
  table_take_rows (table, g_memdup2 (values, n * 4 * sizeof *values), 4);
  return table;
}

static void
test_frames (void)
{
  static const char *const keys[] = {"frame", "label"};
  g_autoptr (Table) table = make (2, keys, (const double[]){1, 1, 2, NAN, 1, 2, 1, 2});
  g_assert_cmpint (object_table_row (table, 1, 0, 0), ==, 0);
  g_assert_cmpint (object_table_row (table, 1, 5, 1), ==, 2); /* of all slices */
  g_assert_cmpint (object_table_row (table, 2, 0, 0), ==, 1);
  g_assert_cmpint (object_table_row (table, 1, 0, 2), ==, -1);
  g_assert_cmpint (object_table_row (table, 3, 0, 0), ==, -1);
  g_assert_cmpint (object_table_frame (table, 2), ==, 1);
  g_assert_cmpint (object_table_frame (table, 3), ==, -1);
  g_assert_cmpint (object_table_slice (table, 2), ==, -1);
}

static void
test_slices (void)
{
  static const char *const keys[] = {"label", "z"};
  g_autoptr (Table) table = make (2, keys, (const double[]){7, 7, 8, 8, 1, 2, 1, 2});
  g_assert_cmpint (object_table_row (table, 7, 1, 3), ==, 1); /* of all frames */
  g_assert_cmpint (object_table_row (table, 8, 0, 0), ==, 2);
  g_assert_cmpint (object_table_row (table, 8, 2, 0), ==, -1);
  g_assert_cmpint (object_table_slice (table, 3), ==, 1);
}

/* A table of something else than objects. */
static void
test_no_labels (void)
{
  static const char *const keys[] = {"mean"};
  g_autoptr (Table) table = make (1, keys, (const double[]){1, 2, 3, 4});
  g_assert_cmpint (object_table_row (table, 1, 0, 0), ==, -1);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/object_table/frames", test_frames);
  g_test_add_func ("/object_table/slices", test_slices);
  g_test_add_func ("/object_table/no-labels", test_no_labels);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT
 *
 * A table is read back as what it was: numbers to the last bit, their types and units, and texts.
 */
#include "core/batch/table.h"

#include "core/base/error.h"
#include "core/base/progress.h"
#include "tests/core/files/files_support.h"

#include <math.h>

/* Free with table_unref(); NULL with *error. */
static Table *
read_text (const char *text, const Table *like, GError **error)
{
  g_autofree char *path = scratch ("all.csv");
  Table *table;
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  table = batch_table_read (path, like, error);
  sweep ();
  return table;
}

static void
is_column (const Table *table, guint j, const char *key, const char *unit, fv_column_type type)
{
  g_assert_cmpstr (table_column (table, j)->key, ==, key);
  g_assert_cmpstr (table_column (table, j)->unit, ==, unit);
  g_assert_cmpint (table_column (table, j)->type, ==, type);
}

static void
is_text (const Table *table, guint j, gint64 row, const char *text)
{
  g_autofree char *shown = table_text (table_column (table, j), row);
  g_assert_cmpstr (shown, ==, text);
}

/* Types and help are those of the table that it is like; what that lacks is numbers where all of it is, and texts sort. */
static void
test_types (void)
{
  g_autoptr (Table) like = table_new (), table = NULL;
  g_autoptr (GError) error = NULL;
  table_add_column (like, "label", "", "Number of the object.", FV_COLUMN_INTEGER);
  table_add_column (like, "area", "px²", "Size.", FV_COLUMN_FLOAT);
  table = read_text ("file,series,label,area (µm²),other,note\r\n"
                     "b.tif,0,1,0.1,5,\r\n"
                     "\"a,\"\"1\"\".tif\",1,2,,1e300,x\r\n"
                     "b.tif,0,3,-inf,5,7\r\n",
                     like, &error);
  g_assert_no_error (error);
  g_assert_cmpint (table_rows (table), ==, 3);
  is_column (table, 0, "file", "", FV_COLUMN_TEXT);
  is_column (table, 1, "series", "", FV_COLUMN_INTEGER);
  is_column (table, 2, "label", "", FV_COLUMN_INTEGER);
  is_column (table, 3, "area", "µm²", FV_COLUMN_FLOAT);
  is_column (table, 4, "other", "", FV_COLUMN_FLOAT);
  is_column (table, 5, "note", "", FV_COLUMN_TEXT);
  g_assert_cmpstr (table_column (table, 3)->help, ==, "Size.");
  is_text (table, 0, 0, "b.tif");
  is_text (table, 0, 1, "a,\"1\".tif");
  g_assert_cmpfloat (table_value (table, 0, 1), <, table_value (table, 0, 0));
  g_assert_true (table_value (table, 0, 0) == table_value (table, 0, 2));
  g_assert_true (table_value (table, 3, 0) == 0.1 && isnan (table_value (table, 3, 1)));
  g_assert_true (table_value (table, 3, 2) == -INFINITY && table_value (table, 4, 1) == 1e300);
  is_text (table, 5, 0, "");
  is_text (table, 5, 2, "7");
}

/* The same property in other units is another column. */
static void
test_units (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Table) table = read_text ("file,area (µm²),area\r\na,1,\r\nb,,2\r\n", NULL, &error);
  g_assert_no_error (error);
  is_column (table, 1, "area (µm²)", "", FV_COLUMN_FLOAT);
  is_column (table, 2, "area", "", FV_COLUMN_FLOAT);
}

static void
test_no_rows (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Table) table = read_text ("file,\r\n", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (table_rows (table), ==, 0);
}

static void
test_wrong (void)
{
  static const char *const texts[] = {"", "file,label\r\na.tif\r\n", "file,label\r\na.tif,1,2\r\n"};
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (read_text (texts[i], NULL, &error));
    g_assert_error (error, FILE_ERROR, FILE_ERROR_FORMAT);
    g_assert_nonnull (strstr (error->message, "all.csv"));
  }
}

static void
test_stop (void)
{
  g_autoptr (GError) error = NULL;
  Progress progress = {.stop = 1};
  progress_enter (&progress);
  g_assert_null (read_text ("file\r\na.tif\r\n", NULL, &error));
  progress_enter (NULL);
  g_assert_true (step_error_is_cancelled (error));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/batch-table/types", test_types);
  g_test_add_func ("/batch-table/units", test_units);
  g_test_add_func ("/batch-table/no-rows", test_no_rows);
  g_test_add_func ("/batch-table/wrong", test_wrong);
  g_test_add_func ("/batch-table/stop", test_stop);
  return run_files_tests ();
}

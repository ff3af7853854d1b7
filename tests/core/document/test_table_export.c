/* SPDX-License-Identifier: MIT
 *
 * Rows that are chosen, sorted and named, as bytes written by hand; and the words that say so.
 */
#include "core/document/table_export.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

static char *folder;

/* label, area and a text; one area is missing. */
static Table *
cells (void)
{
  static const double values[] = {1, 2, 3, 4, 30, NAN, 10, 20, 0, 1, 1, 0};
  static const char *const kinds[] = {"big cell", "spot"};
  Table *table = table_new ();
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    g_ptr_array_add (texts, g_strdup (kinds[i]));
  table_add_column (table, "label", "", "", FV_COLUMN_INTEGER);
  table_add_column (table, "area", "µm²", "", FV_COLUMN_FLOAT);
  table_name_imagej (table, "Area");
  table_add_column (table, "its kind", "", "", FV_COLUMN_TEXT);
  table_set_texts (table, 2, texts);
  table_take_rows (table, g_memdup2 (values, sizeof values), 4);
  return table;
}

/* The words make these lines of the cells, and are what is written of them again. */
static void
check (const char *const *words, const char *format, const char *lines)
{
  g_autoptr (TableExport) choices = table_export_new ();
  g_autoptr (Table) table = cells (), picked = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, "cells.csv", NULL), *text = NULL, *formatted = NULL;
  for (; *words; words++)
    table_export_read (choices, *words, &error);
  picked = table_export_pick (choices, table, &error);
  g_assert_no_error (error);
  g_assert_true (table_save_csv (picked, path, (CsvFormat){choices->semicolon ? ';' : ',', FALSE, FALSE},
                                 choices->image ? "a.tif" : NULL, NULL));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, lines);
  formatted = table_export_format (choices);
  g_assert_cmpstr (formatted, ==, format);
}

static void
test_saved (void)
{
  check ((const char *const[]){NULL}, "",
         "label,area (µm²),its kind\r\n1,30,big cell\r\n2,,spot\r\n3,10,spot\r\n4,20,big cell\r\n");
  check (
    (const char *const[]){"separator=semicolon", "image=yes", "sort=area", NULL},
    "separator=semicolon image=yes sort=area",
    "\xef\xbb\xbfimage;label;area (µm²);its kind\r\na.tif;3;10;spot\r\na.tif;4;20;big cell\r\na.tif;1;30;big cell\r\n"
    "a.tif;2;;spot\r\n");
  check ((const char *const[]){"names=imagej", "sort=area", "descending=yes", "keep=label 2 inf", NULL},
         "names=imagej sort=area descending=yes keep=[label 2 inf]",
         "label,Area (µm²),its kind\r\n4,20,big cell\r\n3,10,spot\r\n2,,spot\r\n");
  check ((const char *const[]){"with=\"its kind\" CELL", "keep=area -inf 25.5", NULL},
         "with=[\"its kind\" CELL] keep=[area -inf 25.5]", "label,area (µm²),its kind\r\n4,20,big cell\r\n");
}

static void
test_wrong (void)
{
  static const char *const words[] = {"separator=,", "keep=area 1", "keep=area 1 x", "with=area", "path=x"};
  g_autoptr (TableExport) choices = table_export_new ();
  g_autoptr (Table) table = cells ();
  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_false (table_export_read (choices, words[i], &error));
    g_assert_nonnull (strstr (error->message, words[i]));
  }
  g_autoptr (GError) error = NULL;
  g_assert_true (table_export_read (choices, "sort=aera", &error));
  g_assert_null (table_export_pick (choices, table, &error));
  g_assert_cmpstr (error->message, ==, "The table has no column 'aera'.");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  folder = g_dir_make_tmp ("fovea-XXXXXX", NULL);
  g_test_add_func ("/table-export/saved", test_saved);
  g_test_add_func ("/table-export/wrong", test_wrong);
  return run_tests_in (folder);
}

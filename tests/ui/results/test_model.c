/* SPDX-License-Identifier: MIT
 *
 * What a list of results tells of its selection: the positions that have become others, and nothing else. Its median is of the rows that are shown.
 */
#include "ui/results/model.h"
#include "tests/support/init.h"

#include <math.h>

static void
on_selection (GString *changes, guint first, guint n)
{
  g_string_append_printf (changes, "%u+%u ", first, n);
}

static void
settle (ResultsModel *model)
{
  while (!results_model_settled (model))
    g_main_context_iteration (NULL, TRUE);
}

/* A column v with the values 0, 1, 2... */
static void
show_rows (ResultsModel *model, guint n)
{
  g_autoptr (Table) table = table_new ();
  table_add_column (table, "v", "", "A number.", FV_COLUMN_INTEGER);
  double *values = g_new (double, n);
  for (guint i = 0; i < n; i++)
    values[i] = i;
  table_take_rows (table, values, n);
  results_model_set_table (model, table);
  settle (model);
}

static void
expect (GString *changes, const char *expected)
{
  g_assert_cmpstr (changes->str, ==, expected);
  g_string_truncate (changes, 0);
}

static void
tells_what_changed (void)
{
  g_autoptr (ResultsModel) model = results_model_new ();
  GString *changes = g_string_new (NULL);
  g_signal_connect_swapped (model, "selection-changed", G_CALLBACK (on_selection), changes);
  show_rows (model, 6);
  show_rows (model, 6);
  show_rows (model, 9);
  expect (changes, "");
  results_model_select_row (model, 2);
  expect (changes, "2+1 ");
  results_model_select_row (model, 2);
  expect (changes, "");
  results_model_select_row (model, 7);
  expect (changes, "2+1 7+1 ");
  show_rows (model, 9);
  expect (changes, "");
  results_model_sort (model, "v", TRUE); /* 7 is now at 1 */
  settle (model);
  expect (changes, "1+1 7+1 ");
  gtk_selection_model_select_all (GTK_SELECTION_MODEL (model));
  expect (changes, "0+1 2+7 ");
  show_rows (model, 4); /* other rows: none is selected */
  expect (changes, "0+4 ");
  g_string_free (changes, TRUE);
}

static void
median_is_of_what_is_shown (void)
{
  g_autoptr (ResultsModel) model = results_model_new ();
  double median = NAN;
  show_rows (model, 11);
  results_model_sort (model, "v", TRUE);
  settle (model);
  g_assert_nonnull (results_model_median (model, &median));
  g_assert_cmpfloat (median, ==, 5);
  results_model_set_range (model, "v", 6, INFINITY);
  settle (model);
  g_assert_nonnull (results_model_median (model, &median));
  g_assert_cmpfloat (median, ==, 8);
}

int
main (int argc, char *argv[])
{
  init_tests (&argc, &argv);
  g_test_add_func ("/results-model/tells-what-changed", tells_what_changed);
  g_test_add_func ("/results-model/median-is-of-what-is-shown", median_is_of_what_is_shown);
  return g_test_run ();
}

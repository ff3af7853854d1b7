/* SPDX-License-Identifier: MIT
 *
 * Numbers of groups of rows, worked out by hand.
 */
#include "core/measure/by_text.h"
#include "tests/support/support.h"

#include <math.h>

/* Wells A01 and B02 and one without rows; a row without a well, and one without a value. */
static void
test_groups (void)
{
  g_autoptr (Table) table = table_new ();
  const double wells[] = {0, 1, 0, 0, NAN, 1, 0}, areas[] = {4, 10, 1, 7, 99, NAN, 2};
  const double wanted[BY_TEXT_KINDS][3] = {
    [BY_TEXT_MEAN] = {3.5, 10, NAN},
    [BY_TEXT_MEDIAN] = {3, 10, NAN},
    [BY_TEXT_SD] = {2.6457513110645907, NAN, NAN}, /* sqrt (21 / 3) */
    [BY_TEXT_COUNT] = {4, 2, 0},
  };
  const guint rows = G_N_ELEMENTS (wells);
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < 3; i++)
    g_ptr_array_add (texts, g_strdup (((const char *[]){"A01", "B02", "C03"})[i]));
  table_add_column (table, "well", "", "", FV_COLUMN_TEXT);
  table_add_column (table, "area", "", "", FV_COLUMN_FLOAT);
  table_set_texts (table, 0, texts);
  double *values = g_new (double, 2 * rows);
  memcpy (values, wells, sizeof wells);
  memcpy (values + rows, areas, sizeof areas);
  table_take_rows (table, values, rows);
  for (ByTextKind kind = 0; kind < BY_TEXT_KINDS; kind++) {
    g_autofree double *numbers = by_text (table_column (table, 0), table_column (table, 1), kind);
    for (guint i = 0; i < 3; i++)
      if (isnan (wanted[kind][i]))
        g_assert_true (isnan (numbers[i]));
      else
        g_assert_cmpfloat_with_epsilon (numbers[i], wanted[kind][i], 1e-15);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/by-text/groups", test_groups);
  return g_test_run ();
}

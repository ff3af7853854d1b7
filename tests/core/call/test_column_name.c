/* SPDX-License-Identifier: MIT
 *
 * Columns have ImageJ's names as their operations declare them.
 */
#include "core/call/column_name.h"
#include "core/measure/rows.h"
#include "tests/support/support.h"

static void
test_names (void)
{
  static const struct {
    const char *op, *key, *imagej;
  } cases[] = {{"regionprops", "area", "Area"},
               {"regionprops", "volume", "Volume"},
               {"regionprops", "intensity_mean-1", "Mean C2"},
               {"regionprops", "perimeter", "Perim. (scikit-image)"},
               {"regionprops", "centroid-0", "centroid-0"},
               {"regionprops", "num_pixels", "num_pixels"},
               {"regionprops", "z", "Slice"},
               {"histogram", "channel", "Ch"},
               {"histogram", "area", "area"},
               {"otsu", "frame", "Frame"}};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *name = column_name_imagej (modules_op (test_modules (), cases[i].op, NULL), cases[i].key);
    g_assert_cmpstr (name, ==, cases[i].imagej);
  }
}

/* They stay in copies of the table. */
static void
test_table (void)
{
  g_autoptr (Image) labels = image_random (FV_I32, FV_LABELS, 1, 1, 8, 9, 3);
  CallResult result;
  run_step ("regionprops properties=label,area", labels, NULL, modules_device (test_modules (), "cpu", NULL), &result,
            NULL);
  g_autoptr (Table) keys = rows_pick (result.table, NULL, FALSE), names = rows_pick (result.table, NULL, TRUE);
  g_assert_cmpstr (table_column (keys, 0)->key, ==, "label");
  g_assert_cmpstr (table_column (keys, 1)->key, ==, "area");
  g_assert_cmpstr (table_column (keys, 1)->imagej, ==, "Area");
  g_assert_cmpstr (table_column (names, 0)->key, ==, "label");
  g_assert_cmpstr (table_column (names, 1)->key, ==, "Area");
  call_result_clear (&result);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/column-name/names", test_names);
  g_test_add_func ("/column-name/table", test_table);
  return g_test_run ();
}

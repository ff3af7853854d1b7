/* SPDX-License-Identifier: MIT
 *
 * What two runs of the same steps have made, from sources that differ as is known by hand.
 */
#include "core/run/agreement.h"
#include "tests/support/support.h"

#include <math.h>

static Run *
done (const char *steps, Image *source)
{
  g_autoptr (GError) error = NULL;
  Run *run = run_of (steps, source);
  g_assert_true (run_execute (run, modules_device (test_modules (), "cpu", NULL), NULL, &error));
  g_assert_no_error (error);
  return run;
}

static GArray *
compare (const char *steps, fv_type type, fv_role role, const double *one, const double *other)
{
  g_autoptr (Image) first = image_of (type, role, 2, 2, one), second = image_of (type, role, 2, 2, other);
  g_autoptr (Run) a = done (steps, first), b = done (steps, second);
  g_autoptr (GError) error = NULL;
  GArray *found = agreement_find (a, b, NULL, &error);
  g_assert_no_error (error);
  return found;
}

static void
is (const GArray *found, guint i, const char *result, const char *column, const Agreement *e)
{
  g_assert_cmpuint (i, <, found->len);
  const Agreement *a = &g_array_index (found, Agreement, i);
  g_assert_cmpstr (a->result, ==, result);
  g_assert_cmpstr (a->column, ==, column);
  g_assert_cmpint (a->values, ==, e->values);
  g_assert_cmpint (a->differing, ==, e->differing);
  g_assert_cmpfloat (a->difference, ==, e->difference);
  g_assert_cmpfloat (a->largest, ==, e->largest);
  g_assert_cmpint (a->exact, ==, e->exact);
  g_assert_cmpint (a->agrees, ==, e->agrees);
}

/* Whole numbers have to be the same. */
static void
test_integers (void)
{
  const double one[] = {0, 10, 200, 7}, other[] = {0, 12, 200, 4};
  g_autoptr (GArray) found = compare ("channel index=0 as=c", FV_U8, FV_IMAGE, one, other);
  g_assert_cmpuint (found->len, ==, 1);
  is (found, 0, "c", NULL, &(Agreement){.values = 4, .differing = 2, .difference = 3, .largest = 200, .exact = TRUE});
  g_autoptr (GArray) same = compare ("channel index=0", FV_U8, FV_IMAGE, one, one);
  is (same, 0, "channel", NULL, &(Agreement){.values = 4, .largest = 200, .exact = TRUE, .agrees = TRUE});
}

/* Others may differ by 1e-5 of the largest; NaN is like NaN, and like nothing else. */
static void
test_floats (void)
{
  const double one[] = {NAN, 1, -4, INFINITY}, near[] = {NAN, 1 + 0x1p-15, -4, INFINITY},
               far[] = {NAN, 1 + 0x1p-14, -4, INFINITY}, missing[] = {2, 1, -4, INFINITY};
  g_autoptr (GArray) a = compare ("channel index=0", FV_F64, FV_IMAGE, one, near);
  is (a, 0, "channel", NULL,
      &(Agreement){.values = 4, .differing = 1, .difference = 0x1p-15, .largest = 4, .agrees = TRUE});
  g_autoptr (GArray) b = compare ("channel index=0", FV_F64, FV_IMAGE, one, far);
  is (b, 0, "channel", NULL, &(Agreement){.values = 4, .differing = 1, .difference = 0x1p-14, .largest = 4});
  g_autoptr (GArray) c = compare ("channel index=0", FV_F64, FV_IMAGE, one, missing);
  is (c, 0, "channel", NULL, &(Agreement){.values = 4, .differing = 1, .difference = INFINITY, .largest = 4});
}

/* Numbers of steps and columns of tables, one by one; a table with more rows is not compared further. */
static void
test_tables (void)
{
  const double one[] = {1, 1, 0, 2}, other[] = {1, 0, 0, 2}, fewer[] = {1, 1, 0, 0};
  const char *steps = "regionprops properties=label,area,centroid as=cells";
  g_autoptr (GArray) found = compare (steps, FV_I32, FV_LABELS, one, other);
  g_assert_cmpuint (found->len, ==, 4);
  is (found, 0, "cells", "label", &(Agreement){.values = 2, .largest = 2, .exact = TRUE, .agrees = TRUE});
  is (found, 1, "cells", "area", &(Agreement){.values = 2, .differing = 1, .difference = 1, .largest = 2});
  is (found, 3, "cells", "centroid-1", &(Agreement){.values = 2, .differing = 1, .difference = 0.5, .largest = 1});
  g_autoptr (GArray) rows = compare (steps, FV_I32, FV_LABELS, one, fewer);
  g_assert_cmpuint (rows->len, ==, 1);
  is (rows, 0, "cells", "rows",
      &(Agreement){.values = 1, .differing = 1, .difference = 1, .largest = 2, .exact = TRUE});
}

static void
test_numbers (void)
{
  const double one[] = {255, 0, 0, 255}, other[] = {255, 0, 0, 0};
  g_autoptr (GArray) found = compare ("label connectivity=4", FV_U8, FV_MASK, one, other);
  g_assert_cmpuint (found->len, ==, 2);
  is (found, 0, "label", "objects",
      &(Agreement){.values = 1, .differing = 1, .difference = 1, .largest = 2, .exact = TRUE});
  is (found, 1, "label", NULL, &(Agreement){.values = 4, .differing = 1, .difference = 2, .largest = 2, .exact = TRUE});
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/agreement/integers", test_integers);
  g_test_add_func ("/agreement/floats", test_floats);
  g_test_add_func ("/agreement/tables", test_tables);
  g_test_add_func ("/agreement/numbers", test_numbers);
  return g_test_run ();
}

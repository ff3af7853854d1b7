/* SPDX-License-Identifier: MIT
 *
 * Selections measured in an image that ImageJ and NumPy have measured, too: y, x = numpy.mgrid[:30, :40]; a = (7 * x * x + 13 * y * y + 3 * x * y) %
 * 251 * 5, with pixels of 0.5 × 0.25 µm.
 */
#include "core/measure/measurements.h"

#include "core/base/error.h"
#include "tests/core/selection/selection_support.h"
#include "tests/support/calibrated.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

enum { ROWS = 30, COLUMNS = 40 };

static Image *
make_image (fv_type type, const char *unit_y, double height, const char *unit_x)
{
  double values[ROWS * COLUMNS];
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < COLUMNS; x++)
      values[y * COLUMNS + x] = (7 * x * x + 13 * y * y + 3 * x * y) % 251 * 5;
  g_autoptr (Image) plain = image_of (type, FV_IMAGE, ROWS, COLUMNS, values);
  ImageInfo info = *image_info (plain);
  info.units[1] = (char *) unit_y;
  info.units[2] = (char *) unit_x;
  info.spacing[1] = height;
  info.spacing[2] = 0.5;
  return image_with_info (plain, &info);
}

static GPtrArray *
selections_of (const char *const *texts)
{
  GPtrArray *selections = g_ptr_array_new_with_free_func ((GDestroyNotify) selection_free);
  for (; *texts; texts++)
    g_ptr_array_add (selections, selection_of (*texts));
  return selections;
}

static Table *
measure (Image *image, PlanePosition position, const char *const *texts)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) selections = selections_of (texts);
  Table *table = measurements_make (image, position, selections, NULL, &error);
  g_assert_no_error (error);
  return table;
}

/* NaN: missing. */
static void
assert_cell (const Table *table, gint64 row, const char *key, double expected)
{
  double value = table_find (table, key)->values[row];
  if (isnan (value) != isnan (expected) || fabs (value - expected) > 1e-9)
    g_error ("%s in row %d is %.17g, not %.17g", key, (int) row, value, expected);
}

static void
assert_row (const Table *table, gint64 row, const double *expected)
{
  static const char *const keys[] = {"area", "mean", "std", "min", "max", "x", "y", "width", "height"};
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    assert_cell (table, row, keys[i], expected[i]);
}

/* What ImageJ's List.setMeasurements says: Area, Mean, StdDev, Min, Max, BX, BY, Width, Height. */
static void
test_areas (void)
{
  static const char *const texts[] = {"rectangle(3,4,10,7)", "oval(5,2,21,16)", "polygon(2,3,30,8,12,25)", NULL};
  static const double expected[][9] = {
    {8.75, 627.3571428571429, 367.56614452423946, 35, 1250, 1.5, 1, 5, 1.75},
    {33, 589.4318181818181, 357.70346265682366, 0, 1250, 2.5, 0.5, 10.5, 4},
    {35.25, 605.6028368794326, 354.35846256569556, 0, 1250, 1, 0.75, 14, 5.5},
  };
  static const struct {
    fv_type type;
    const char *unit_y;
    double height;
  } images[] = {{FV_U16, "µm", 0.25}, {FV_F32, "nm", 250}}; /* lengths are in the unit of x */
  for (guint i = 0; i < G_N_ELEMENTS (images); i++) {
    g_autoptr (Image) image = make_image (images[i].type, images[i].unit_y, images[i].height, "µm");
    g_autoptr (Table) table = measure (image, (PlanePosition){0, 0, 0}, texts);
    g_assert_cmpint (table_rows (table), ==, 3);
    for (int row = 0; row < 3; row++) {
      assert_row (table, row, expected[row]);
      assert_cell (table, row, "number", row + 1);
      assert_cell (table, row, "length", NAN);
    }
    g_assert_cmpstr (table_find (table, "area")->unit, ==, "µm²");
    g_assert_cmpstr (table_find (table, "x")->unit, ==, "µm");
    g_assert_cmpstr (table_find (table, "mean")->unit, ==, "");
  }
}

/* p = scipy.ndimage.map_coordinates(a, [numpy.linspace(5, 14, 21), numpy.linspace(4, 22, 21)], order=1): p.mean(), p.std(ddof=1),
 * p.min(), p.max(); ImageJ counts from the center of the first pixel. Then points, of which one is outside. */
static void
test_lines_and_points (void)
{
  static const char *const texts[] = {"line(4.5,5.5,22.5,14.5)", "point(8.5,9.5,41,3)", "rectangle(50,50,5,5)", NULL};
  static const double expected[][9] = {
    {21 * 0.125, 617.688095238095, 253.08171168358, 175.299999999999, 1230, 2.25, 1.375, 9, 2.25},
    {0, 1055, NAN, 1055, 1055, 4.25, 2.375, 0, 0},
    {0, NAN, NAN, NAN, NAN, 20.5, 0.75, 0, 0},
    {0, NAN, NAN, NAN, NAN, 25, 12.5, 2.5, 1.25},
  };
  g_autoptr (Image) image = make_image (FV_U16, "µm", 0.25, "µm");
  g_autoptr (Table) table = measure (image, (PlanePosition){0, 0, 0}, texts);
  g_assert_cmpint (table_rows (table), ==, 4);
  for (int row = 0; row < 4; row++)
    assert_row (table, row, expected[row]);
  assert_cell (table, 0, "length", 9.276987657639737); /* numpy.hypot(18 * 0.5, 9 * 0.25) */
}

/* Along all sides of a path: 4 + 3 + 5 pixels long, and the mean of 13 values worked out by hand; an angle has only its degrees. */
static void
test_paths (void)
{
  static const char *const texts[] = {"polyline(0.5,0.5,4.5,0.5,4.5,3.5,0.5,0.5)", "angle(0.5,3.5,0.5,0.5,3.5,0.5)",
                                      "freeline(0.5,0.5,4.5,0.5,4.5,3.5)", NULL};
  double values[20];
  for (int i = 0; i < 20; i++)
    values[i] = i % 5 + 10 * (i / 5); /* x + 10 y */
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, 4, 5, values);
  g_autoptr (Table) table = measure (image, (PlanePosition){0, 0, 0}, texts);
  assert_cell (table, 0, "mean", (0 + 1 + 2 + 3 + 4 + 14 + 24 + 34 + 27.2 + 20.4 + 13.6 + 6.8 + 0) / 13);
  assert_cell (table, 0, "max", 34);
  assert_cell (table, 0, "length", 12);
  assert_cell (table, 0, "angle", NAN);
  assert_row (table, 1, (const double[]){NAN, NAN, NAN, NAN, NAN, 0.5, 0.5, 3, 3});
  assert_cell (table, 1, "angle", 90);
  assert_cell (table, 1, "length", NAN);
  assert_cell (table, 2, "mean", (0 + 1 + 2 + 3 + 4 + 14 + 24 + 34) / 8.0);
  g_assert_cmpstr (table_find (table, "angle")->unit, ==, "°");
}

/* Pixels that are NaN count for the area alone; of colors the mean is measured, rounded as in ImageJ. */
static void
test_values (void)
{
  static const char *const texts[] = {"rectangle(0,0,3,1)", NULL};
  const double values[] = {2, NAN, 5}, colors[] = {10, 0, 0, 11, 0, 255, 12, 1, 255};
  g_autoptr (Image) one = image_of (FV_F32, FV_IMAGE, 1, 3, values);
  g_autoptr (Image) rgb = image_of_planes (FV_U8, FV_RGB, 3, 1, 1, 3, colors);
  g_autoptr (Table) a = measure (one, (PlanePosition){0, 0, 0}, texts),
                    b = measure (rgb, (PlanePosition){0, 0, 0}, texts);
  assert_row (a, 0, (const double[]){3, 3.5, sqrt (4.5), 2, 5, 0, 0, 3, 1});
  assert_row (b, 0, (const double[]){3, 181 / 3.0, sqrt (9050 + 1 / 3.0), 0, 170, 0, 0, 3, 1});
}

/* Its own plane where it has one that is there, else the one that is looked at. */
static void
test_positions (void)
{
  g_autoptr (Image) image = image_random (FV_U16, FV_IMAGE, 2, 3, 4, 4, 5);
  g_autoptr (GPtrArray) selections =
    selections_of ((const char *[]){"point(1.5,2.5)", "point(1.5,2.5)", "point(1.5,2.5)", NULL});
  Selection *own = selections->pdata[1], *elsewhere = selections->pdata[2];
  own->channel = 1;
  own->slice = 0;
  elsewhere->slice = 3;
  g_autoptr (Table) table = measurements_make (image, (PlanePosition){0, 2, 0}, selections, NULL, NULL);
  const gint64 planes[] = {2, 3, 2};
  for (int row = 0; row < 3; row++)
    assert_cell (table, row, "mean", image_value (image, planes[row], 2, 1));
  assert_cell (table, 1, "channel", 2);
  assert_cell (table, 1, "slice", 1);
  assert_cell (table, 2, "slice", 3);
}

static void
test_join (void)
{
  static const char *const texts[] = {"rectangle(3,4,10,7)", "line(4.5,5.5,22.5,14.5)", NULL};
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) micro = make_image (FV_U16, "µm", 0.25, "µm"), milli = make_image (FV_U16, "mm", 0.25, "mm"),
                    none = make_image (FV_U16, "", 0.25, "");
  g_autoptr (Table) first = measure (micro, (PlanePosition){0, 0, 0}, texts),
                    second = measure (milli, (PlanePosition){0, 0, 0}, texts),
                    pixels = measure (none, (PlanePosition){0, 0, 0}, texts);
  g_autoptr (Table) one = measurements_join (NULL, first, &error), both = measurements_join (first, second, &error);
  g_assert_no_error (error);
  g_assert_true (one == first);
  g_assert_cmpint (table_rows (both), ==, 4);
  assert_row (both, 0, (const double[]){8.75, 627.3571428571429, 367.56614452423946, 35, 1250, 1.5, 1, 5, 1.75});
  assert_row (both, 2,
              (const double[]){8.75e6, 627.3571428571429, 367.56614452423946, 35, 1250, 1500, 1000, 5000, 1750});
  assert_cell (both, 3, "length", 9276.987657639737);
  for (int row = 0; row < 4; row++)
    assert_cell (both, row, "number", row + 1);
  g_assert_null (measurements_join (first, pixels, &error));
  g_assert_error (error, STEP_ERROR, FV_BAD_INPUT);
  g_assert_nonnull (strstr (error->message, "measured in px, the table in µm"));
}

/* Values and deviations of an image are times 2 beside one without a function, and their columns have the unit, as text too. */
static void
test_calibrated (void)
{
  static const char *const texts[] = {"rectangle(3,4,10,7)", "line(4.5,5.5,22.5,14.5)", "point(1.5,2.5)", NULL};
  static const char *const keys[] = {"mean", "min", "max"};
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) plain = make_image (FV_U16, "µm", 0.25, "µm"), image = image_calibrated (plain, -1024, 2, "HU");
  g_autoptr (Table) stored = measure (plain, (PlanePosition){0, 0, 0}, texts),
                    made = measure (image, (PlanePosition){0, 0, 0}, texts);
  g_autofree char *text = measurements_format (made);
  g_autoptr (Table) table = measurements_parse (text, &error);
  g_assert_no_error (error);
  for (int row = 0; row < 3; row++) {
    for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
      assert_cell (table, row, keys[k], -1024 + 2 * table_find (stored, keys[k])->values[row]);
    assert_cell (table, row, "std", 2 * table_find (stored, "std")->values[row]);
    assert_cell (table, row, "area", table_find (stored, "area")->values[row]);
  }
  g_assert_cmpstr (table_find (table, "mean")->unit, ==, "HU");
  g_assert_cmpstr (table_find (stored, "mean")->unit, ==, "");
  g_assert_cmpstr (table_find (table, "area")->unit, ==, "µm²");
  g_assert_null (measurements_join (table, stored, &error));
  g_assert_nonnull (strstr (error->message, "measured in stored values, the table in HU"));
}

static void
test_stopped (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = make_image (FV_U8, "", 1, "");
  g_autoptr (GPtrArray) selections = selections_of ((const char *[]){"point(1,1)", NULL});
  Progress progress = {.stop = 1};
  g_assert_null (measurements_make (image, (PlanePosition){0, 0, 0}, selections, &progress, &error));
  g_assert_true (step_error_is_cancelled (error));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/measurements/areas", test_areas);
  g_test_add_func ("/measurements/lines-and-points", test_lines_and_points);
  g_test_add_func ("/measurements/paths", test_paths);
  g_test_add_func ("/measurements/values", test_values);
  g_test_add_func ("/measurements/positions", test_positions);
  g_test_add_func ("/measurements/join", test_join);
  g_test_add_func ("/measurements/calibrated", test_calibrated);
  g_test_add_func ("/measurements/stopped", test_stopped);
  return g_test_run ();
}

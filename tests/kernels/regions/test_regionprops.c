/* SPDX-License-Identifier: MIT
 *
 * Measurements of shapes whose values are known: scikit-image's and ImageJ's side by side, units, gaps, nothing.
 */
#include "core/base/error.h"
#include "core/ops/args.h"
#include "tests/support/same.h"
#include "tests/support/support.h"
#include "core/data/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 24 };

/* Labels of 1 where inside() says so. */
static Image *
shape (gboolean (*inside) (int y, int x), fv_type type)
{
  double values[SIDE * SIDE];
  for (int i = 0; i < SIDE * SIDE; i++)
    values[i] = inside (i / SIDE, i % SIDE);
  return image_of (type, FV_LABELS, SIDE, SIDE, values);
}

static gboolean
dot (int y, int x)
{
  return y == 5 && x == 7;
}

static gboolean
bar (int y, int x)
{
  return y >= 3 && y < 13 && x >= 2 && x < 22;
}

static gboolean
diagonal (int y, int x)
{
  return y == x && y >= 4 && y < 7;
}

static gboolean
ring (int y, int x)
{
  return y >= 4 && y < 7 && x >= 4 && x < 7 && !(y == 5 && x == 5);
}

/* Two bars of 5 x 1 one above the other, and beside what is between them one of 2 x 1. */
static gboolean
apart (int y, int x)
{
  return y == 5 ? x >= 2 && x < 4 : (y == 4 || y == 6) && x >= 8 && x < 13;
}

typedef struct {
  const char *key;
  double value;
} Expected;

static void
check (Image *labels, Image *intensity, const Expected *expected, guint n, Device *device)
{
  GString *step = g_string_new ("regionprops properties=");
  CallResult result;
  for (guint i = 0; i < n; i++)
    g_string_append_printf (step, "%s%s", i ? "," : "", expected[i].key);
  run_step (step->str, labels, intensity, device, &result, NULL);
  g_assert_cmpint (table_rows (result.table), ==, 1);
  for (guint i = 0; i < n; i++) {
    const TableColumn *column = table_find (result.table, expected[i].key);
    g_assert_nonnull (column);
    g_assert_cmpfloat_with_epsilon (column->values[0], expected[i].value, 1e-4);
  }
  call_result_clear (&result);
  g_string_free (step, TRUE);
}

static void
test_known_shapes (Device *device)
{
  static const Expected dots[] = {{"perimeter", 0},          {"perimeter_crofton", 2.681517}, {"feret_diameter_max", 1},
                                  {"feret_imagej", M_SQRT2}, {"perimeter_imagej", 2.8284},    {"euler_number", 1}};
  static const Expected bars[] = {{"area", 200},
                                  {"perimeter", 56},
                                  {"perimeter_imagej", 57.6569},
                                  {"axis_major_length", 23.0651},
                                  {"axis_minor_length", 11.4891},
                                  {"major_axis_imagej", 22.5676},
                                  {"circularity", 0.7560},
                                  {"feret_imagej", 22.3607}};
  static const Expected diagonals[] = {{"axis_minor_length", 0}, {"angle_imagej", 135}, {"solidity_imagej", 0.6}};
  static const Expected rings[] = {{"area", 8}, {"area_filled", 9}, {"euler_number", 0}, {"solidity", 8.0 / 9}};
  /* Of a side of one pixel after another corner ImageJ counts no second one: each bar has three. */
  static const Expected parts[] = {{"area", 12}, {"perimeter_imagej", 12 + 12 + 6 - 3 * 3 * (2 - M_SQRT2)}};
  g_autoptr (Image) a = shape (dot, FV_I32), b = shape (bar, FV_U8), c = shape (diagonal, FV_U16),
                    d = shape (ring, FV_I32), e = shape (apart, FV_U8);
  check (a, NULL, dots, G_N_ELEMENTS (dots), device);
  check (b, NULL, bars, G_N_ELEMENTS (bars), device);
  check (c, NULL, diagonals, G_N_ELEMENTS (diagonals), device);
  check (d, NULL, rings, G_N_ELEMENTS (rings), device);
  check (e, NULL, parts, G_N_ELEMENTS (parts), device);
}

static void
test_medians (Device *device)
{
  static const double labels[] = {1, 1, 1, 1, 0}, values[] = {10, 1, 3, 2, 99};
  static const Expected whole[] = {
    {"intensity_median", 2.5}, {"intensity_median_imagej", 3}, {"intensity_mean", 4}, {"intensity_mode", 1}};
  static const Expected real[] = {{"intensity_median", 2.5}, {"intensity_median_imagej", 2.5}};
  g_autoptr (Image) label = image_of (FV_I32, FV_LABELS, 1, 5, labels);
  g_autoptr (Image) bytes = image_of (FV_U8, FV_IMAGE, 1, 5, values),
                    floats = image_of (FV_F32, FV_IMAGE, 1, 5, values);
  check (label, bytes, whole, G_N_ELEMENTS (whole), device);
  check (label, floats, real, G_N_ELEMENTS (real), device);
}

static int
by_value (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* The value that most of the sorted values are, the smallest of several. */
static double
mode_of (const double *sorted, int n)
{
  double mode = sorted[0];
  for (int i = 0, max = 0, same = 0; i < n; i++) {
    same = i && sorted[i] == sorted[i - 1] ? same + 1 : 1;
    if (same > max)
      max = same, mode = sorted[i];
  }
  return mode;
}

/* Medians and modes of objects of 1 ... 60 pixels in a row each, of values so far apart that they cannot be counted, and of
 * values close together. */
static void
test_ranks (Device *device)
{
  enum { MAXIMUM = 60 };
  for (double step = 1; step <= 1e8; step *= 1e8) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (3);
    double labels[MAXIMUM * MAXIMUM] = {0}, values[MAXIMUM * MAXIMUM] = {0};
    for (int y = 0; y < MAXIMUM; y++)
      for (int x = 0; x <= y; x++)
        labels[y * MAXIMUM + x] = y + 1, values[y * MAXIMUM + x] = step * (double) g_rand_int_range (rand, -9, 10);
    g_autoptr (Image) objects = image_of (FV_U8, FV_LABELS, MAXIMUM, MAXIMUM, labels),
                      intensity = image_of (FV_I32, FV_IMAGE, MAXIMUM, MAXIMUM, values);
    CallResult result;
    run_step ("regionprops properties=intensity_median,intensity_median_imagej,intensity_mode", objects, intensity,
              device, &result, NULL);
    g_assert_cmpint (table_rows (result.table), ==, MAXIMUM);
    for (int y = 0; y < MAXIMUM; y++) {
      double *row = values + y * MAXIMUM;
      int n = y + 1;
      qsort (row, (gsize) n, sizeof *row, by_value);
      g_assert_cmpfloat (table_find (result.table, "intensity_median")->values[y], ==,
                         (row[(n - 1) / 2] + row[n / 2]) / 2);
      g_assert_cmpfloat (table_find (result.table, "intensity_median_imagej")->values[y], ==, row[n / 2]);
      g_assert_cmpfloat (table_find (result.table, "intensity_mode")->values[y], ==, mode_of (row, n));
    }
    call_result_clear (&result);
  }
}

static void
test_units_and_gaps (Device *device)
{
  static const double values[] = {5, 5, 0, 900, 0, 5};
  g_autoptr (Image) plain = image_of (FV_I32, FV_LABELS, 2, 3, values), labels = NULL;
  const TableColumn *area;
  g_autofree char *header = NULL;
  ImageInfo info;
  CallResult result;
  image_info_copy (&info, image_info (plain));
  for (int axis = 0; axis < 3; axis++) {
    info.spacing[axis] = 0.5;
    g_free (info.units[axis]);
    info.units[axis] = g_strdup ("µm");
  }
  labels = image_with_info (plain, &info);
  image_info_clear (&info);
  run_step ("regionprops properties=label,area,num_pixels", labels, NULL, device, &result, NULL);
  g_assert_cmpint (table_rows (result.table), ==, 2);
  g_assert_cmpfloat (table_value (result.table, 0, 0), ==, 5);
  g_assert_cmpfloat (table_value (result.table, 0, 1), ==, 900);
  area = table_find (result.table, "area");
  header = table_header (area);
  g_assert_cmpstr (header, ==, "area (µm²)");
  g_assert_cmpfloat_with_epsilon (area->values[0], 0.75, 1e-12);
  call_result_clear (&result);
}

static void
assert_same_columns (const Table *some, const Table *all, const char *step)
{
  for (guint j = 0; j < table_columns (some); j++) {
    const TableColumn *a = table_column (some, j), *b = table_find (all, a->key);
    for (gint64 i = 0; i < a->rows; i++)
      if (!same_number (a->values[i], b->values[i], 0))
        g_error ("%s: %s of row %d is %.17g, and %.17g among all", step, a->key, (int) i, a->values[i], b->values[i]);
  }
}

/* Inputs of a property are computed for it alone, too: its columns are those of a run with all properties of planes or of volumes. */
static void
test_each_alone (Device *device)
{
  const Op *op = modules_op (test_modules (), "regionprops", NULL);
  for (int volume = 0; volume < 2; volume++) {
    g_autoptr (Image) labels = image_random (FV_U8, FV_LABELS, 1, volume ? 4 : 1, 11, 13, 3),
                      intensity = image_random (FV_U16, FV_IMAGE, 1, volume ? 4 : 1, 11, 13, 4);
    g_autoptr (GString) step = g_string_new (volume ? "regionprops volume=yes" : "regionprops");
    g_autoptr (GPtrArray) each = g_ptr_array_new_with_free_func (g_free);
    CallResult all, some;
    for (const fv_choice *p = args_param (op, "properties")->choices; p->key; p++) {
      g_autofree char *alone = g_strdup_printf ("regionprops%s properties=%s", volume ? " volume=yes" : "", p->key);
      g_autoptr (GError) error = NULL;
      if (!run_step (alone, labels, intensity, device, &some, &error))
        continue; /* of planes alone */
      call_result_clear (&some);
      g_string_append_printf (step, "%s%s", each->len ? "," : " properties=", p->key);
      g_ptr_array_add (each, g_steal_pointer (&alone));
    }
    g_assert_cmpuint (each->len, >, 30);
    run_step (step->str, labels, intensity, device, &all, NULL);
    for (guint i = 0; i < each->len; i++) {
      run_step (each->pdata[i], labels, intensity, device, &some, NULL);
      assert_same_columns (some.table, all.table, each->pdata[i]);
      call_result_clear (&some);
    }
    call_result_clear (&all);
  }
}

static void
test_nothing (Device *device)
{
  static const double zeros[6] = {0};
  g_autoptr (Image) labels = image_of (FV_I32, FV_LABELS, 2, 3, zeros);
  g_autoptr (GError) error = NULL;
  CallResult result;
  run_step ("regionprops", labels, NULL, device, &result, NULL);
  g_assert_cmpint (table_rows (result.table), ==, 0);
  g_assert_nonnull (table_find (result.table, "area"));
  call_result_clear (&result);
  g_assert_false (run_step ("regionprops properties=intensity_mean", labels, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "intensity");
}

/* A thread of voxels across a whole volume. */
static Image *
thread (gint64 length)
{
  g_autofree double *values = g_new (double, length);
  for (gint64 i = 0; i < length; i++)
    values[i] = 1;
  return image_of (FV_I32, FV_LABELS, 1, length, values);
}

static double
only_value (const Table *table, const char *key)
{
  g_assert_cmpint (table_rows (table), ==, 1);
  return table_find (table, key)->values[0];
}

/* Hulls in 3-D are exact up to a size; beyond it they are refused, and nothing else is. */
static void
test_long_objects (Device *device)
{
  g_autoptr (Image) longest = thread (9999), longer = thread (10000);
  g_autoptr (GError) error = NULL;
  CallResult result;
  run_step ("regionprops volume=yes properties=area,area_convex,solidity", longest, NULL, device, &result, NULL);
  g_assert_cmpfloat (only_value (result.table, "area_convex"), ==, 9999);
  g_assert_cmpfloat (only_value (result.table, "solidity"), ==, 1);
  call_result_clear (&result);
  g_assert_false (run_step ("regionprops volume=yes properties=solidity", longer, NULL, device, &result, &error));
  g_assert_true (g_error_matches (error, STEP_ERROR, FV_UNSUPPORTED));
  g_assert_cmpstr (step_error_field (error), ==, "properties");
  g_assert_nonnull (strstr (error->message, "10000 x 1 x 1 voxels"));
  run_step ("regionprops volume=yes properties=area", longer, NULL, device, &result, NULL);
  g_assert_cmpfloat (only_value (result.table, "volume"), ==, 10000);
  call_result_clear (&result);
}

/* ---- Hulls in space that can be counted by hand ---- */

enum { CELL = 17, CELLS = 27 };

/* Kinds of objects of radius r in a cell, all about its center. */
static gboolean
is_solid (int kind, int r, int z, int y, int x)
{
  int a = abs (z), b = abs (y), c = abs (x), max = MAX (MAX (a, b), c);
  switch (kind) {
  case 0: return a + b + c <= r;                       /* an octahedron */
  case 1: return a == r && b == r && c == r;           /* the corners of a cube */
  case 2: return max == r && (z + y + x + r) % 2 == 0; /* half of the surface of a cube, which has its corners */
  case 3: return z == 0 && b + c == r;                 /* the outline of a flat rhombus */
  case 4: return abs (z) == r && z == y && y == x;     /* two voxels */
  default: return max == 0;                            /* one */
  }
}

static double
solid_hull (int kind, double r)
{
  switch (kind) {
  case 0: return (2 * r + 1) * (2 * r * r + 2 * r + 3) / 3;
  case 1:
  case 2: return pow (2 * r + 1, 3);
  case 3: return 2 * r * r + 2 * r + 1;
  case 4: return 2 * r + 1;
  default: return 1;
  }
}

/* 27 objects of all kinds and sizes in no order of size. */
static void
test_solids (Device *device)
{
  const int side = 3 * CELL;
  g_autofree double *values = g_new0 (double, side *side *side);
  CallResult result;
  for (int i = 0; i < side * side * side; i++) {
    int z = i / side / side, y = i / side % side, x = i % side, cell = z / CELL * 9 + y / CELL * 3 + x / CELL;
    if (is_solid (cell % 6, 2 + cell * 7 % 5, z % CELL - 8, y % CELL - 8, x % CELL - 8))
      values[i] = cell + 1;
  }
  g_autoptr (Image) labels = image_of_planes (FV_U8, FV_LABELS, 1, side, side, side, values);
  run_step ("regionprops volume=yes properties=label,num_pixels,area_convex,solidity,feret_diameter_max", labels, NULL,
            device, &result, NULL);
  const double *label = table_find (result.table, "label")->values,
               *pixels = table_find (result.table, "num_pixels")->values,
               *hull = table_find (result.table, "area_convex")->values,
               *solidity = table_find (result.table, "solidity")->values;
  g_assert_cmpint (table_rows (result.table), ==, CELLS);
  for (int i = 0; i < CELLS; i++) {
    int cell = (int) label[i] - 1;
    g_assert_cmpfloat (hull[i], ==, solid_hull (cell % 6, 2 + cell * 7 % 5));
    g_assert_cmpfloat (solidity[i], ==, pixels[i] / hull[i]);
  }
  call_result_clear (&result);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/regionprops/known-shapes", test_known_shapes);
  add_device_test ("/regionprops/medians", test_medians);
  add_device_test ("/regionprops/ranks", test_ranks);
  add_device_test ("/regionprops/units-and-gaps", test_units_and_gaps);
  add_device_test ("/regionprops/each-alone", test_each_alone);
  add_device_test ("/regionprops/nothing", test_nothing);
  add_device_test ("/regionprops/long-objects", test_long_objects);
  add_device_test ("/regionprops/solids", test_solids);
  return g_test_run ();
}

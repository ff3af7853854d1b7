/* SPDX-License-Identifier: MIT
 *
 * Objects drawn at known positions are found there from any columns of the table, and only their neighborhood is read.
 */
#include "core/measure/object_find.h"
#include "core/measure/object_labels.h"

#include "tests/support/support.h"

#include <math.h>
#include <string.h>

enum { SIDE = 1500, DEPTH = 3 };

/* Rectangles; object 4 is two of them far apart, object 5 a ring whose centroid is not in it, object 3 is in two slices. */
static const struct {
  gint32 label;
  gint64 slice;
  ImageRegion at;
} drawn[] = {
  {1, 0, {0, 0, 10, 12}},     {2, 0, {1490, 1480, 10, 20}}, {3, 1, {700, 300, 40, 5}},    {3, 2, {705, 301, 20, 3}},
  {4, 0, {100, 900, 20, 20}}, {4, 0, {600, 1300, 10, 10}},  {5, 2, {400, 400, 5, 200}},   {5, 2, {595, 400, 5, 200}},
  {5, 2, {405, 400, 190, 5}}, {5, 2, {405, 595, 190, 5}},   {300, 2, {1000, 0, 1, 1500}},
};

typedef struct {
  Image *image;
  gint64 pixels; /* that were read */
} Source;

static gboolean
source_level (gpointer self, guint n, ImageLevel *level)
{
  (void) self;
  *level = (ImageLevel){SIDE, SIDE, 64, 64, FALSE};
  return n == 0;
}

static gboolean
source_read (gpointer self, guint level, gint64 plane, const ImageRegion *r, void *to, gsize stride, GError **error)
{
  Source *source = self;
  source->pixels += r->rows * r->columns;
  return image_read (source->image, level, plane, r, to, stride, error);
}

static void
source_free (gpointer self)
{
  (void) self;
}

/* Labels of that type; a pixel is 0.5 µm wide and high. */
static Image *
make_labels (fv_type type, fv_role role)
{
  g_autofree double *values = g_new0 (double, (gsize) DEPTH *SIDE *SIDE);
  for (guint i = 0; i < G_N_ELEMENTS (drawn); i++)
    for (gint64 y = 0; y < drawn[i].at.rows; y++)
      for (gint64 x = 0; x < drawn[i].at.columns; x++)
        values[(drawn[i].slice * SIDE + drawn[i].at.row + y) * SIDE + drawn[i].at.column + x] = drawn[i].label;
  g_autoptr (Image) plain = image_of_planes (type, role, 1, DEPTH, SIDE, SIDE, values);
  ImageInfo info = *image_info (plain);
  info.spacing[1] = info.spacing[2] = 0.5;
  for (int axis = 0; axis < 3; axis++)
    info.units[axis] = (char *) "µm";
  return image_with_info (plain, &info);
}

static Image *
read_from (Source *source)
{
  static const ImageSource functions = {source_level, source_read, source_free};
  return image_new_from_source (image_info (source->image), &functions, source, NULL);
}

static void
assert_box (const ObjectWanted *w, gint64 slice, ImageRegion expected)
{
  ImageRegion box;
  gint64 found;
  g_assert_true (object_find (w, &found, &box, NULL));
  g_assert_cmpint (found, ==, slice);
  g_assert_cmpmem (&box, sizeof box, &expected, sizeof expected);
}

/* max: pixels that may be read for an object of the size of these. */
static void
check (fv_type type, fv_role role, const char *step, gint64 max)
{
  g_autoptr (Image) labels = make_labels (type, role);
  Source source = {labels, 0};
  g_autoptr (Image) image = read_from (&source);
  CallResult result = {0};
  if (step)
    run_step (step, labels, NULL, modules_device (test_modules (), "cpu", NULL), &result, NULL);
  ObjectWanted w = {.labels = image, .table = result.table, .label = 1};
  assert_box (&w, 0, (ImageRegion){0, 0, 10, 12});
  w.label = 2;
  assert_box (&w, 0, (ImageRegion){1490, 1480, 10, 20});
  w.label = 3;
  w.slice = 1;
  assert_box (&w, 1, (ImageRegion){700, 300, 40, 5});
  w.slice = 2;
  assert_box (&w, 2, (ImageRegion){705, 301, 20, 3});
  g_assert_cmpint (source.pixels, <=, max);
  w.slice = 0;
  ImageRegion box;
  gint64 slice;
  g_assert_false (object_find (&w, &slice, &box, NULL));
  w.seek = TRUE;
  assert_box (&w, 1, (ImageRegion){700, 300, 40, 5});
  w.label = 4;
  assert_box (&w, 0, (ImageRegion){100, 900, 510, 410});
  w.label = 5;
  assert_box (&w, 2, (ImageRegion){400, 400, 200, 200});
  w.label = 300;
  assert_box (&w, 2, (ImageRegion){1000, 0, 1, 1500});
  w.label = 6;
  g_assert_false (object_find (&w, &slice, &box, NULL));
  call_result_clear (&result);
}

static void
test_tables (void)
{
  static const fv_type types[] = {FV_I32, FV_U16, FV_F32};
  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    fv_role role = i == 0 ? FV_LABELS : FV_IMAGE;
    check (types[i], role, "regionprops properties=label,bbox", 1000);
    check (types[i], role, "regionprops properties=label,area,centroid", 50000);
    check (types[i], role, "regionprops properties=label,bbox volume=yes", 1000);
    check (types[i], role, "regionprops properties=label,area", G_MAXINT64);
    check (types[i], role, NULL, G_MAXINT64);
  }
}

/* Where the table's box has no pixel the object is looked for all over. */
static void
test_no_box (void)
{
  static const char *const keys[] = {"label", "bbox-0", "bbox-1", "bbox-2", "bbox-3"};
  static const double boxes[][4] = {{0, 0, 0, 9},  {0, 0, 9, 0},  {1, 1, 1, 1},
                                    {-1, 0, 1, 1}, {0, -1, 1, 1}, {0, 0, 1, NAN}};
  double values[20 * 30] = {0};
  values[15 * 30 + 25] = 2;
  g_autoptr (Image) image = image_of (FV_I32, FV_LABELS, 20, 30, values);
  for (guint i = 0; i < G_N_ELEMENTS (boxes); i++) {
    g_autoptr (Table) table = table_new ();
    double *row = g_new (double, G_N_ELEMENTS (keys));
    for (guint j = 0; j < G_N_ELEMENTS (keys); j++) {
      table_add_column (table, keys[j], "", "", FV_COLUMN_FLOAT);
      row[j] = j ? boxes[i][j - 1] : 2;
    }
    table_take_rows (table, row, 1);
    assert_box (&(ObjectWanted){.labels = image, .table = table, .label = 2}, 0, (ImageRegion){15, 25, 1, 1});
  }
}

/* Each frame of a movie has objects of its own, with labels that occur in the others, too. */
static void
test_movie (void)
{
  static const ImageRegion areas[] = {{2, 3, 4, 5}, {30, 20, 6, 2}};
  double values[2 * 40 * 40] = {0};
  for (gint64 frame = 0; frame < 2; frame++)
    for (gint64 y = 0; y < areas[frame].rows; y++)
      for (gint64 x = 0; x < areas[frame].columns; x++)
        values[(frame * 40 + areas[frame].row + y) * 40 + areas[frame].column + x] = 1;
  g_autoptr (Image) stack = image_of_planes (FV_I32, FV_LABELS, 1, 2, 40, 40, values);
  ImageInfo info = *image_info (stack);
  info.frames = 2;
  info.depth = 1;
  g_autoptr (Image) movie = image_with_info (stack, &info);
  CallResult result;
  run_step ("regionprops properties=label,bbox", movie, NULL, modules_device (test_modules (), "cpu", NULL), &result,
            NULL);
  for (gint64 frame = 0; frame < 2; frame++)
    assert_box (&(ObjectWanted){.labels = movie, .table = result.table, .frame = frame, .label = 1}, 0, areas[frame]);
  call_result_clear (&result);
}

/* Values that are not labels are 0; all of a mask is one object. */
static void
test_values (void)
{
  const double values[] = {-1, 0, 0.5, 7, NAN, 3e9, INFINITY, 2147483647};
  g_autoptr (Image) reals = image_of (FV_F64, FV_IMAGE, 1, 8, values);
  g_autoptr (Image) whole = image_of (FV_I32, FV_IMAGE, 1, 3, (const double[]){-4, 0, 9});
  g_autoptr (Image) mask = image_of (FV_U8, FV_MASK, 1, 3, (const double[]){0, 255, 1});
  gint32 labels[8];
  g_assert_true (object_labels_read (reals, 0, &(ImageRegion){0, 0, 1, 8}, labels, NULL));
  g_assert_cmpmem (labels, sizeof labels, ((const gint32[]){0, 0, 0, 7, 0, 0, 0, 2147483647}), sizeof labels);
  g_assert_true (object_labels_read (whole, 0, &(ImageRegion){0, 0, 1, 3}, labels, NULL));
  g_assert_cmpmem (labels, 12, ((const gint32[]){0, 0, 9}), 12);
  g_assert_true (object_labels_read (mask, 0, &(ImageRegion){0, 0, 1, 3}, labels, NULL));
  g_assert_cmpmem (labels, 12, ((const gint32[]){0, 1, 1}), 12);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/object_find/tables", test_tables);
  g_test_add_func ("/object_find/no-box", test_no_box);
  g_test_add_func ("/object_find/movie", test_movie);
  g_test_add_func ("/object_find/values", test_values);
  return g_test_run ();
}

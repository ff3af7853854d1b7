/* SPDX-License-Identifier: MIT
 *
 * Steps that take a file: it is opened once for all copies of the step, counts in the predicted memory, and its errors are reported.
 */
#include "core/base/error.h"
#include "core/files/files.h"
#include "core/run/plan_memory.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <string.h>

static char *folder;

static Device *
cpu (void)
{
  return modules_device (test_modules (), "cpu", NULL);
}

/* Saves an image of these values. */
static char *
saved (const char *name, gint64 rows, gint64 columns, const double *values)
{
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, rows, columns, values);
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (folder, name, NULL);
  files_save (image, path, &error);
  g_assert_no_error (error);
  return path;
}

/* Two objects on 2 × 3 pixels. */
static Image *
labels (void)
{
  return image_of (FV_I32, FV_LABELS, 2, 3, (const double[]){1, 1, 0, 0, 2, 2});
}

static Run *
measuring (const char *path, Image *source)
{
  g_autofree char *steps = g_strdup_printf ("regionprops properties=label,intensity_mean \"intensity=file:%s\"", path);
  return run_of (steps, source);
}

static void
has_means (const Run *run, double one, double other)
{
  const TableColumn *column = table_find (run_last_table (run), "intensity_mean");
  g_assert_cmpint (column->rows, ==, 2);
  g_assert_cmpfloat (column->values[0], ==, one);
  g_assert_cmpfloat (column->values[1], ==, other);
}

static void
test_means (Device *device)
{
  g_autofree char *path = saved ("means.tif", 2, 3, (const double[]){1, 3, 9, 9, 10, 20});
  g_autoptr (Image) source = labels ();
  g_autoptr (Run) run = measuring (path, source);
  g_autoptr (GError) error = NULL;
  g_assert_true (run_execute (run, device, NULL, &error));
  g_assert_no_error (error);
  has_means (run, 2, 15);
}

/* A run of a copy of the steps uses the file that is already open, although it has changed; steps that are parsed again do not. */
static void
test_opened_once (void)
{
  g_autofree char *path = saved ("once.tif", 2, 3, (const double[]){1, 3, 9, 9, 10, 20});
  g_autoptr (Image) source = labels ();
  g_autoptr (Run) run = measuring (path, source);
  g_autoptr (GError) error = NULL;
  g_assert_true (run_execute (run, cpu (), NULL, &error));
  g_unlink (path);
  g_autoptr (Recipe) more = recipe_with_text (run_recipe (run), 0, "properties", "label,area,intensity_mean", &error);
  g_assert_no_error (error);
  g_autoptr (Run) again = run_new (more, source, RUN_KEEP_ALL);
  g_assert_true (run_execute (again, cpu (), NULL, &error));
  has_means (again, 2, 15);
  g_autoptr (Run) second = measuring (path, source);
  g_assert_false (run_execute (second, cpu (), NULL, &error));
  g_assert_nonnull (strstr (error->message, "regionprops: intensity: "));
  g_assert_nonnull (strstr (error->message, "once.tif' does not exist"));
}

/* Results of a run are taken over as long as the file is the one that they were made with. */
static void
test_continued (void)
{
  g_autofree char *path = saved ("changed.tif", 2, 3, (const double[]){1, 3, 9, 9, 10, 20});
  g_autoptr (Image) source = labels ();
  g_autoptr (Run) run = measuring (path, source), same = measuring (path, source);
  g_assert_true (run_execute (run, cpu (), NULL, NULL));
  run_continue (same, run);
  g_assert_true (run_result (same, 0)->done);
  g_autofree char *larger = saved ("changed.tif", 3, 3, (const double[]){1, 3, 9, 9, 10, 20, 5, 5, 5});
  g_autoptr (Run) other = measuring (path, source);
  g_autoptr (GError) error = NULL;
  run_continue (other, run);
  g_assert_false (run_result (other, 0)->done);
  g_assert_false (run_execute (other, cpu (), NULL, &error)); /* of another size */
  g_assert_nonnull (strstr (error->message, "must be equal"));
}

/* What a run needs grows by what has to be read of the file. */
static void
test_planned (void)
{
  enum { SIDE = 600 };
  g_autofree double *values = g_new0 (double, SIDE *SIDE);
  g_autofree char *path = saved ("large.tif", SIDE, SIDE, values);
  g_autoptr (Image) source = image_of (FV_I32, FV_LABELS, SIDE, SIDE, values);
  g_autoptr (Run) with = measuring (path, source),
                  without = run_of ("regionprops properties=label,intensity_mean intensity=source", source);
  g_autoptr (Plan) a = plan_new (with, cpu ()), b = plan_new (without, cpu ());
  gsize more = plan_memory_needed (a, cpu ()) - plan_memory_needed (b, cpu ());
  g_assert_cmpuint (more, ==, SIDE * SIDE * sizeof (float));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  folder = g_dir_make_tmp ("fovea-XXXXXX", NULL);
  add_device_test ("/file-inputs/means", test_means);
  g_test_add_func ("/file-inputs/opened-once", test_opened_once);
  g_test_add_func ("/file-inputs/continued", test_continued);
  g_test_add_func ("/file-inputs/planned", test_planned);
  return run_tests_in (folder);
}

/* SPDX-License-Identifier: MIT
 *
 * Runs every case of tests/golden/data on every device and compares it with what SciPy, scikit-image and NumPy made of it.
 */
#include "core/data/pixel_type.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

typedef struct {
  Device *device;
  char *folder, *name;
  GKeyFile *file;
} Case;

static void
case_free (gpointer data)
{
  Case *c = data;
  g_free (c->folder);
  g_free (c->name);
  g_key_file_unref (c->file);
  g_free (c);
}

static char *
get (const Case *c, const char *key)
{
  return g_key_file_get_string (c->file, c->name, key, NULL);
}

static double
get_number (const Case *c, const char *key)
{
  g_autofree char *text = get (c, key);
  return text ? g_ascii_strtod (text, NULL) : 0;
}

/* The arrays of one operation are kept until those of another are asked for. */
static void
load_array (const Case *c, const char *file, Npy *npy)
{
  static GHashTable *arrays;
  static char *folder;
  GBytes *contents;
  if (g_strcmp0 (folder, c->folder)) {
    g_autofree char *path = g_build_filename (c->folder, "arrays.npz", NULL);
    g_clear_pointer (&arrays, g_hash_table_unref);
    arrays = npz_load (path);
    g_free (folder);
    folder = g_strdup (c->folder);
  }
  contents = g_hash_table_lookup (arrays, file);
  g_assert_nonnull (contents);
  npy_read (npy, g_bytes_get_data (contents, NULL), g_bytes_get_size (contents));
}

static fv_role
role_of (const Case *c, const char *input)
{
  g_autofree char *key = g_strdup_printf ("role.%s", input), *text = get (c, key);
  return !text                      ? FV_IMAGE
         : !strcmp (text, "mask")   ? FV_MASK
         : !strcmp (text, "labels") ? FV_LABELS
         : !strcmp (text, "rgb")    ? FV_RGB
                                    : FV_IMAGE;
}

static Image *
load_input (const Case *c, const char *input)
{
  g_autofree char *key = g_strdup_printf ("input.%s", input), *file = get (c, key), *spacing = get (c, "spacing");
  g_auto (GStrv) numbers = NULL;
  g_autoptr (Image) image = NULL;
  ImageInfo info;
  Npy npy;
  Image *calibrated;
  if (!file)
    return NULL;
  load_array (c, file, &npy);
  image = image_from_npy (&npy, role_of (c, input));
  npy_clear (&npy);
  image_info_copy (&info, image_info (image));
  numbers = g_strsplit (spacing, " ", 3);
  for (int axis = 0; axis < 3; axis++) {
    info.spacing[axis] = g_ascii_strtod (numbers[axis], NULL);
    g_free (info.units[axis]);
    info.units[axis] = get (c, "unit");
  }
  calibrated = image_with_info (image, &info);
  image_info_clear (&info);
  return calibrated;
}

/* ---- Comparisons ---- */

/* What differs from the expected: the first index, and the count. */
typedef struct Faults {
  gint64 count, first;
  double got, want;
} Faults;

static void
add_fault (Faults *faults, gint64 index, double got, double want)
{
  if (!faults->count++)
    *faults = (Faults){1, index, got, want};
}

static void
compare_image (const Case *c, const char *output, Image *image, const Npy *expected)
{
  const ImageInfo *info = image_info (image);
  double tolerance = get_number (c, "tolerance"), absolute = get_number (c, "absolute"), difference = 0, norm = 0;
  gint64 plane = info->rows * info->columns, size = image_info_planes (info) * plane;
  Faults faults = {0};
  if (info->type != expected->type || size != npy_size (expected)
      || info->columns != expected->shape[expected->n_dims - 1]) {
    g_test_fail_printf ("%s, %s: the type or the size is not what is expected", c->name, output);
    return;
  }
  for (gint64 i = 0; i < size; i++) {
    double got = image_value (image, i / plane, i % plane / info->columns, i % info->columns);
    double want = pixel_type_value (expected->type, expected->data, i);
    if (got == want || (isnan (got) && isnan (want)))
      norm += isfinite (want) ? want * want : 0;
    else if (isfinite (got) && isfinite (want) && absolute > 0 && fabs (got - want) <= absolute)
      continue;
    else if (isfinite (got) && isfinite (want) && tolerance > 0) {
      difference += (got - want) * (got - want);
      norm += want * want;
    } else
      add_fault (&faults, i, got, want);
  }
  if (faults.count)
    g_test_fail_printf ("%s, %s: plane %d, row %d, column %d is %.17g, not %.17g; %d of %d pixels are wrong", c->name,
                        output, (int) (faults.first / plane), (int) (faults.first % plane / info->columns),
                        (int) (faults.first % info->columns), faults.got, faults.want, (int) faults.count, (int) size);
  else if (sqrt (difference) > tolerance * sqrt (norm))
    g_test_fail_printf ("%s, %s: relative error %g > %g", c->name, output, sqrt (difference / norm), tolerance);
}

/* Compares an output with what the case expects of it, if anything. */
static void
check_output (const Case *c, const char *output, Image *image)
{
  g_autofree char *key = g_strdup_printf ("expect.%s", output), *file = get (c, key);
  Npy npy;
  if (!file)
    return;
  load_array (c, file, &npy);
  compare_image (c, output, image, &npy);
  npy_clear (&npy);
}

static gboolean
close_enough (double got, double want, double tolerance)
{
  return got == want || (isnan (got) && isnan (want)) || fabs (got - want) <= tolerance * MAX (1, fabs (want));
}

static void
fail_rows (const Case *c, const char *key, const Faults *faults, gint64 rows)
{
  if (faults->count)
    g_test_fail_printf ("%s, %s: row %d is %.17g, not %.17g; %d of %d rows are wrong", c->name, key,
                        (int) faults->first, faults->got, faults->want, (int) faults->count, (int) rows);
}

static void
compare_scalars (const Case *c, const Op *op, const CallResult *result)
{
  double tolerance = get_number (c, "scalar_tolerance");
  for (guint j = 0; j < op->n_scalars; j++) {
    g_autofree char *key = g_strdup_printf ("scalar.%s", op->fv.scalars[j].key), *text = get (c, key);
    g_auto (GStrv) numbers = text ? g_strsplit (text, " ", -1) : NULL;
    Faults faults = {0};
    if (!text)
      continue;
    if (g_strv_length (numbers) != result->scalar_rows) {
      g_test_fail_printf ("%s: %s has %d values, not %u", c->name, op->fv.scalars[j].key, (int) result->scalar_rows,
                          g_strv_length (numbers));
      continue;
    }
    for (gint64 row = 0; row < result->scalar_rows; row++) {
      double want = g_ascii_strtod (numbers[row], NULL), got = result->scalars[row * op->n_scalars + j];
      if (!close_enough (got, want, tolerance))
        add_fault (&faults, row, got, want);
    }
    fail_rows (c, op->fv.scalars[j].key, &faults, result->scalar_rows);
  }
}

static void
compare_table (const Case *c, const Table *table)
{
  g_autofree char *columns = get (c, "columns"), *file = get (c, "table");
  g_auto (GStrv) keys = columns ? g_strsplit (columns, " ", -1) : NULL;
  double tolerance = get_number (c, "table_tolerance");
  Npy npy;
  if (!columns)
    return;
  if (!table) {
    g_test_fail_printf ("%s: the table is missing", c->name);
    return;
  }
  load_array (c, file, &npy);
  for (guint j = 0; keys[j]; j++) {
    const TableColumn *column = table_find (table, keys[j]);
    Faults faults = {0};
    if (!column || column->rows != npy.shape[1]) {
      g_test_fail_printf ("%s: the column %s of %d rows is missing", c->name, keys[j], (int) npy.shape[1]);
      continue;
    }
    for (gint64 row = 0; row < npy.shape[1]; row++) {
      double got = column->values[row], want = pixel_type_value (npy.type, npy.data, j * npy.shape[1] + row);
      if (!close_enough (got, want, tolerance))
        add_fault (&faults, row, got, want);
    }
    fail_rows (c, keys[j], &faults, npy.shape[1]);
  }
  npy_clear (&npy);
}

/* One operation, with all its inputs, outputs and scalars. */
static void
run_operation (const Case *c, const Step *step)
{
  g_autoptr (GError) error = NULL;
  Image *inputs[16] = {NULL};
  CallResult result;
  for (guint i = 0; i < step->op->n_inputs; i++)
    inputs[i] = load_input (c, step->op->fv.inputs[i].key);
  if (call_op (step->op, step->args, inputs, c->device, NULL, &result, &error)) {
    for (guint i = 0; i < step->op->n_outputs; i++)
      check_output (c, step->op->fv.outputs[i].key, result.images[i]);
    compare_scalars (c, step->op, &result);
    compare_table (c, result.table);
    call_result_clear (&result);
  } else
    g_test_fail_printf ("%s: %s", c->name, error->message);
  for (guint i = 0; i < step->op->n_inputs; i++)
    image_unref (inputs[i]);
}

/* Several steps on one image: the last image and the last table. */
static void
run_steps (const Case *c, const Recipe *recipe)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) source = load_input (c, "image");
  g_autoptr (Run) run = run_new (recipe, source, RUN_KEEP_NAMED);
  if (!run_execute (run, c->device, NULL, &error)) {
    g_test_fail_printf ("%s: %s", c->name, error->message);
    return;
  }
  check_output (c, "image", run_last_image (run));
  compare_table (c, run_last_table (run));
}

static void
run_case (gconstpointer data)
{
  const Case *c = data;
  g_autofree char *text = get (c, "step");
  g_autoptr (GError) error = NULL;
  g_autoptr (Recipe) recipe = recipe_parse (test_modules (), text, &error);
  if (!recipe) {
    g_test_fail_printf ("%s: %s", c->name, error->message);
    return;
  }
  for (guint i = 0; i < recipe_length (recipe); i++)
    if (!recipe_step (recipe, i)->op->fv.run[c->device->fv->kind]) {
      g_test_skip ("the operation does not run on this device");
      return;
    }
  if (recipe_length (recipe) == 1)
    run_operation (c, recipe_step (recipe, 0));
  else
    run_steps (c, recipe);
}

/* ---- Finding the cases ---- */

static void
add_cases (const char *folder, const char *operation, Device *device)
{
  g_autofree char *path = g_build_filename (folder, operation, "cases.ini", NULL);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_auto (GStrv) names = NULL;
  g_autoptr (GError) error = NULL;
  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, &error)) {
    if (!g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOTDIR)) /* a file beside the folders */
      g_error ("%s: %s", path, error->message);
    return;
  }
  names = g_key_file_get_groups (file, NULL);
  for (char **name = names; *name; name++) {
    g_autofree char *test = g_strdup_printf ("/golden/%s/%s/%s", operation, *name, device->fv->key);
    Case *c = g_new (Case, 1);
    *c = (Case){device, g_build_filename (folder, operation, NULL), g_strdup (*name), g_key_file_ref (file)};
    g_test_add_data_func_full (test, c, run_case, case_free);
  }
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = source_path ("tests/golden/data");
  g_autoptr (GDir) dir = NULL;
  const GPtrArray *devices = modules_find_devices (test_modules ());
  const char *operation;
  init_tests (&argc, &argv);
  g_test_set_nonfatal_assertions (); /* a failing case does not keep the next one from running */
  for (guint i = 0; i < devices->len; i++) {
    const char *key = ((const Device *) devices->pdata[i])->fv->key;
    Device *device = modules_device (test_modules (), key, NULL);
    g_clear_pointer (&dir, g_dir_close);
    dir = g_dir_open (folder, 0, NULL);
    g_assert_nonnull (dir);
    while (device && (operation = g_dir_read_name (dir)))
      add_cases (folder, operation, device);
  }
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT
 *
 * Runs as programs use them: steps and what became of them, continued, watched, cancelled and side by side.
 */
#include "tests/library/support.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Steps ---- */

static fovea_recipe *
recipe_of (const char *steps)
{
  fovea_error *error = NULL;
  fovea_recipe *recipe = fovea_recipe_parse (context, steps, &error);
  assert_good (error);
  return recipe;
}

static fovea_run *
keep_all (const char *steps, const fovea_image *image)
{
  fovea_recipe *recipe = recipe_of (steps);
  fovea_run *run = fovea_run_new (recipe, image, FOVEA_KEEP_ALL, NULL);
  fovea_recipe_free (recipe);
  return run;
}

/* Of a program's own columns; as CSV they are what was given. */
static void
test_own_table (void)
{
  static const char *const texts[] = {"b", NULL, "a"};
  static const double sizes[] = {0.5, NAN, 2}, counts[] = {1, 2, 3};
  fovea_table_column name = {.size = sizeof name, .name = "name", .type = FOVEA_COLUMN_TEXT, .texts = texts};
  fovea_table_column size = {.size = sizeof size,
                             .name = "size",
                             .unit = "µm",
                             .help = "Its size.",
                             .type = FOVEA_COLUMN_FLOAT,
                             .numbers = sizes};
  fovea_table_column count = {.size = sizeof count, .name = "n", .type = FOVEA_COLUMN_INTEGER, .numbers = counts};
  const fovea_table_column *const all[] = {&name, &size, &count, NULL}, *const twice[] = {&count, &count, NULL},
                                  *const none[] = {NULL};
  const fovea_table_column *const first[] = {&name, NULL};
  fovea_error *error = NULL;
  fovea_table *table = fovea_table_new (all, 3, &error), *empty = fovea_table_new (none, 0, NULL);
  assert_good (error);
  char *csv = fovea_table_csv (table, NULL, NULL);
  g_assert_cmpstr (csv, ==, "name,size (µm),n\r\nb,0.5,1\r\n,,2\r\na,2,3\r\n");
  g_assert_cmpstr (fovea_table_text (table, 0, 0), ==, "b");
  g_assert_null (fovea_table_text (table, 0, 1));
  g_assert_cmpstr (fovea_table_help (table, 1), ==, "Its size.");
  g_assert_cmpint (fovea_table_type (table, 2), ==, FOVEA_COLUMN_INTEGER);
  g_assert_cmpint (fovea_table_rows (empty), ==, 0);
  g_assert_null (fovea_table_new (twice, 3, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "columns", "the name 'n'");
  g_assert_null (fovea_table_new (all, -1, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "rows", "-1");
  name.texts = NULL;
  g_assert_null (fovea_table_new (first, 3, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "columns", "no values");
  name.type = (fovea_column_type) 9;
  g_assert_null (fovea_table_new (first, 3, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "columns", "unknown type 9");
  name.name = "\xff";
  g_assert_null (fovea_table_new (first, 3, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "columns", "UTF-8");
  g_assert_null (fovea_table_new (NULL, 3, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "columns", "NULL");
  fovea_text_free (csv);
  fovea_table_free (table);
  fovea_table_free (empty);
}

static void
test_recipe_steps (void)
{
  fovea_recipe *recipe = recipe_of ("gaussian sigma=3 skip=yes | otsu as=mask | label | regionprops as=cells");
  fovea_step step = {.size = sizeof step};
  fovea_error *error = NULL;
  g_assert_cmpint (fovea_recipe_get_step (recipe, 0, &step, NULL), ==, FOVEA_OK);
  g_assert_cmpstr (step.operation, ==, "gaussian");
  g_assert_cmpstr (step.text, ==, "gaussian sigma=3 skip=yes");
  g_assert_true (step.skipped);
  g_assert_null (step.names[0]);
  g_assert_cmpint (fovea_recipe_get_step (recipe, 1, &step, NULL), ==, FOVEA_OK);
  g_assert_cmpuint (step.images, ==, 1);
  g_assert_cmpuint (step.results, ==, 1);
  g_assert_cmpstr (step.names[0], ==, "mask");
  g_assert_false (step.skipped);
  g_assert_cmpint (fovea_recipe_get_step (recipe, 3, &step, NULL), ==, FOVEA_OK);
  g_assert_cmpuint (step.results, ==, step.images + 1);
  g_assert_cmpstr (step.names[step.images], ==, "cells");
  g_assert_cmpint (fovea_recipe_get_step (recipe, 4, &step, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "n", "Step 4 does not exist");
  g_assert_true (fovea_recipe_takes_image (recipe));
  fovea_recipe_free (recipe);
}

/* Around a block, of an image that does not exist; the radius of a Gaussian is 4 sigma. */
static void
test_recipe_halo (void)
{
  static const struct {
    const char *steps, *says; /* NULL: they work on blocks */
    int64_t halo[3];
  } cases[] = {
    {"gaussian sigma=2 | median radius=3", NULL, {0, 11, 11}},
    {"volume=yes | gaussian sigma=2 | median radius=3 skip=yes", NULL, {8, 8, 8}},
    {"gaussian sigma=2 units=physical", NULL, {0, 16, 4}},
    {"gaussian sigma=900", NULL, {0, 3600, 3600}},
    {"sobel border=wrap", NULL, {0, 100000, 200000}},
    {"arithmetic value=2 as=b | sobel | calculate b=b", NULL, {0, 1, 1}},
    {"gaussian | otsu", "otsu cannot be computed in blocks: it needs the whole image", {0}},
    {"expression expression=x", "depend on their coordinates", {0}},
    {"keep inside='oval(1,1,3,3)'", "a selection or a file", {0}},
    {"crop width=5", "crop cannot be computed in blocks", {0}},
    {"channel index=7", "channel", {0}},
  };
  fovea_image_info whole = {
    .size = sizeof whole, .type = {kDLUInt, 16, 1}, .shape = {1, 1, 50, 100000, 200000}, .spacing = {1, 0.5, 2}};
  for (int axis = 0; axis < 3; axis++)
    whole.unit[axis] = "µm";
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    fovea_recipe *recipe = recipe_of (cases[i].steps);
    fovea_error *error = NULL;
    int64_t halo[3] = {-1, -1, -1};
    const fovea_code code = fovea_recipe_get_halo (recipe, &whole, halo, &error);
    g_assert_cmpint (code == FOVEA_OK, ==, !cases[i].says);
    if (cases[i].says)
      assert_fails (&error, code, "", cases[i].says);
    for (int axis = 0; axis < 3 && !cases[i].says; axis++)
      g_assert_cmpint (halo[axis], ==, cases[i].halo[axis]);
    fovea_recipe_free (recipe);
  }
  fovea_recipe *recipe = recipe_of ("gaussian");
  fovea_error *error = NULL;
  int64_t halo[3];
  whole.shape[3] = 0;
  g_assert_cmpint (fovea_recipe_get_halo (recipe, &whole, halo, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "info", "impossible size");
  whole.type.bits = 24;
  g_assert_cmpint (fovea_recipe_get_halo (recipe, &whole, halo, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "info", "24 bits");
  g_assert_cmpint (fovea_recipe_get_halo (recipe, NULL, halo, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "info", "NULL");
  fovea_recipe_free (recipe);
}

/* Said once for all steps, in text and by a function. */
static void
test_recipe_volume (void)
{
  fovea_recipe *recipe = recipe_of ("otsu | label volume=no | regionprops"), *volume, *back;
  fovea_step step = {.size = sizeof step};
  fovea_error *error = NULL;
  g_assert_cmpint (fovea_recipe_get_volume (recipe), ==, FOVEA_VOLUME_UNSAID);
  volume = fovea_recipe_with_volume (recipe, FOVEA_VOLUME_YES, &error);
  assert_good (error);
  g_assert_cmpint (fovea_recipe_get_volume (volume), ==, FOVEA_VOLUME_YES);
  g_assert_cmpstr (fovea_recipe_text (volume), ==, "volume=yes | otsu | label volume=no | regionprops");
  g_assert_cmpint (fovea_recipe_get_step (volume, 0, &step, NULL), ==, FOVEA_OK);
  g_assert_cmpstr (step.text, ==, "otsu volume=yes");
  back = recipe_of (fovea_recipe_text (volume));
  g_assert_cmpint (fovea_recipe_get_volume (back), ==, FOVEA_VOLUME_YES);
  g_assert_null (fovea_recipe_with_volume (recipe, (fovea_volume) 4, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "volume", "Unknown fovea_volume 4");
  g_assert_cmpint (fovea_recipe_suggest_volume (recipe, NULL), ==, FOVEA_VOLUME_UNSAID);
  g_assert_null (fovea_recipe_for_image (recipe, NULL, NULL, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "image", "NULL");
  fovea_recipe_free (back);
  fovea_recipe_free (volume);
  fovea_recipe_free (recipe);
}

/* What became of each: 16 bright pixels of 1000 on 0 are one object, and Otsu's threshold lies between. */
static void
test_run_steps (void)
{
  fovea_image *image = image_with_square (32);
  fovea_run *run = run_of ("gaussian sigma=0.3 | otsu | label | regionprops", image);
  fovea_step_run step = {.size = sizeof step};
  fovea_error *error = NULL;
  g_assert_cmpint (fovea_run_get_step (run, 1, &step, NULL), ==, FOVEA_OK);
  g_assert_false (step.done);
  execute (run);
  double ms = 0;
  for (unsigned n = 0; n < 4; n++) {
    g_assert_cmpint (fovea_run_get_step (run, n, &step, NULL), ==, FOVEA_OK);
    g_assert_true (step.done);
    g_assert_cmpuint (step.on_disk, ==, 0);
    ms += step.ms;
  }
  g_assert_cmpfloat (ms, ==, fovea_run_ms (run));
  fovea_table *numbers = fovea_run_step_numbers (run, 1, NULL), *count = fovea_run_step_numbers (run, 2, NULL);
  fovea_table *none = fovea_run_step_numbers (run, 0, NULL), *table = fovea_run_step_table (run, 3, NULL);
  g_assert_null (fovea_run_step_table (run, 2, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "n", "did not make a table");
  g_assert_null (fovea_run_step_numbers (run, 4, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "n", "Step 4 does not exist");
  g_assert_null (fovea_run_step_image (run, 0, 0, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "i", "not kept");
  fovea_run_free (run);
  g_assert_cmpuint (fovea_table_columns (numbers), ==, 1);
  g_assert_cmpint (fovea_table_rows (numbers), ==, 1);
  g_assert_cmpstr (fovea_table_name (numbers, 0), ==, "threshold");
  g_assert_cmpfloat (fovea_table_numbers (numbers, 0)[0], >=, 0);
  g_assert_cmpfloat (fovea_table_numbers (numbers, 0)[0], <, 1000);
  g_assert_cmpstr (fovea_table_name (count, 0), ==, "objects");
  g_assert_cmpint (fovea_table_type (count, 0), ==, FOVEA_COLUMN_INTEGER);
  g_assert_cmpfloat (fovea_table_numbers (count, 0)[0], ==, 1);
  g_assert_cmpuint (fovea_table_columns (none), ==, 0);
  g_assert_cmpint (fovea_table_rows (table), ==, 1);
  fovea_table_free (numbers);
  fovea_table_free (count);
  fovea_table_free (none);
  fovea_table_free (table);
  fovea_image_free (image);
}

/* Before the run what it says, after it what it came to. */
static void
test_derived (void)
{
  fovea_image *image = image_with_square (32);
  fovea_run *run = run_of ("label | label from=source min_size={label.objects}*5+4.4 device=cpu", image);
  fovea_recipe *recipe = recipe_of ("label device=cpu");
  fovea_step step = {.size = sizeof step};
  fovea_error *error = NULL;
  fovea_table *before = fovea_run_step_derived (run, 1, NULL), *none = fovea_run_step_derived (run, 0, NULL);
  execute (run);
  fovea_table *after = fovea_run_step_derived (run, 1, NULL);
  g_assert_null (fovea_run_step_derived (run, 2, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "n", "Step 2 does not exist");
  g_assert_cmpuint (fovea_table_columns (none), ==, 0);
  g_assert_cmpstr (fovea_table_name (before, 0), ==, "min_size");
  g_assert_cmpint (fovea_table_rows (before), ==, 0);
  g_assert_cmpint (fovea_table_rows (after), ==, 1);
  g_assert_cmpstr (fovea_table_help (after, 0), ==, "{label.objects}*5+4.4");
  g_assert_cmpint (fovea_table_type (after, 0), ==, FOVEA_COLUMN_INTEGER);
  g_assert_cmpfloat (fovea_table_numbers (after, 0)[0], ==, 9);
  g_assert_cmpint (fovea_recipe_get_step (recipe, 0, &step, NULL), ==, FOVEA_OK);
  g_assert_cmpstr (step.device, ==, "cpu");
  fovea_table_free (before);
  fovea_table_free (none);
  fovea_table_free (after);
  fovea_recipe_free (recipe);
  fovea_run_free (run);
  fovea_image_free (image);
}

static void *
pixels_of (const fovea_run *run, unsigned n)
{
  fovea_image *image = fovea_run_step_image (run, n, 0, NULL);
  DLManagedTensor *tensor = fovea_image_to_dlpack (image, NULL);
  void *pixels = tensor->dl_tensor.data; /* which the run keeps */
  tensor->deleter (tensor);
  fovea_image_free (image);
  return pixels;
}

/* Equal steps are not computed again: their pixels are the same memory. */
static void
test_continue (void)
{
  fovea_image *image = image_with_square (64);
  fovea_run *first = keep_all ("gaussian sigma=1 | otsu | erosion radius=1", image);
  fovea_recipe *recipe = recipe_of ("gaussian sigma=1 | otsu | dilation radius=1");
  fovea_error *error = NULL;
  execute (first);
  fovea_run *next = fovea_run_continue (first, recipe, &error);
  assert_good (error);
  execute (next);
  g_assert_true (pixels_of (next, 0) == pixels_of (first, 0));
  g_assert_true (pixels_of (next, 1) == pixels_of (first, 1));
  g_assert_true (pixels_of (next, 2) != pixels_of (first, 2));
  gsize eroded = 0, dilated = 0;
  for (int i = 0; i < 64 * 64; i++) {
    eroded += ((uint8_t *) pixels_of (first, 2))[i] != 0;
    dilated += ((uint8_t *) pixels_of (next, 2))[i] != 0;
  }
  g_assert_cmpuint (eroded, <, 16);
  g_assert_cmpuint (dilated, >, 16);
  g_assert_null (fovea_run_continue (NULL, recipe, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "before", "NULL");
  g_assert_null (fovea_run_continue (first, NULL, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "recipe", "NULL");
  fovea_run_free (first);
  fovea_run_free (next);
  fovea_recipe_free (recipe);
  fovea_image_free (image);
}

/* Of results with names only those that are wanted stay. */
static void
test_want (void)
{
  fovea_image *image = image_with_square (32);
  fovea_run *run = run_of ("gaussian sigma=1 as=soft | otsu as=mask | label", image);
  fovea_error *error = NULL;
  g_assert_cmpint (fovea_run_want (run, (const char *const[]){"hard", NULL}, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "names", "'hard'");
  g_assert_cmpint (fovea_run_want (run, (const char *const[]){"mask", NULL}, NULL), ==, FOVEA_OK);
  execute (run);
  g_assert_null (fovea_run_image (run, "soft", &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "name", "'soft'");
  fovea_image *mask = fovea_run_image (run, "mask", &error);
  assert_good (error);
  fovea_image_free (mask);
  fovea_run_free (run);
  fovea_image_free (image);
}

/* An image out of nothing. */
static void
test_no_image (void)
{
  fovea_recipe *recipe = recipe_of ("pattern width=6 height=4");
  fovea_error *error = NULL;
  g_assert_false (fovea_recipe_takes_image (recipe));
  fovea_run *run = fovea_run_new (recipe, NULL, FOVEA_KEEP_NAMED, &error);
  assert_good (error);
  execute (run);
  fovea_image *image = fovea_run_image (run, NULL, NULL);
  g_assert_true (g_str_has_prefix (fovea_image_text (image), "6×4 "));
  fovea_image_free (image);
  fovea_run_free (run);
  fovea_recipe_free (recipe);
}

/* The last image is downloaded with the run on request, and stays on the GPU otherwise. The CPU poses as one; the other bytes are a number that the
 * last step finds. */
static void
test_fetch_last (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("FOVEA_BUILD"), "tests", "posing", NULL),
                  *path = g_strdup (g_getenv ("FOVEA_PLUGIN_PATH"));
  fovea_context *before = context;
  uint8_t pixels[] = {1, 2, 3, 4, 5, 6};
  int64_t shape[] = {2, 3};
  DLTensor tensor = tensor_of (pixels, kDLUInt, 8, 2, shape);
  g_setenv ("FOVEA_PLUGIN_PATH", folder, TRUE);
  context = fovea_context_new (FOVEA_DEFAULT, NULL);
  fovea_image *image = fovea_image_from_dlpack (context, &tensor, NULL, NULL);
  for (int fetched = 0; fetched < 2; fetched++) {
    fovea_run *run = run_of ("pose | pose_rows", image);
    fovea_step_run step = {.size = sizeof step};
    fovea_error *error = NULL;
    if (fetched)
      fovea_run_fetch_last (run);
    fovea_run_execute (run, "pose:0", NULL, NULL, &error);
    assert_good (error);
    fovea_run_get_step (run, 1, &step, NULL);
    g_assert_true (step.device == fovea_run_device (run));
    g_assert_cmpuint (step.downloaded, ==, fetched * sizeof pixels + sizeof (double));
    g_assert_cmpmem (pixels_of (run, 1), sizeof pixels, pixels, sizeof pixels); /* turned twice */
    fovea_run_free (run);
  }
  fovea_image_free (image);
  fovea_context_free (context);
  context = before;
  g_setenv ("FOVEA_PLUGIN_PATH", path, TRUE);
}

/* Pages of memory that this process has been given. */
static glong
pages (void)
{
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

/* One run after the other works in the memory of the one before: the first ones made it. */
static void
test_same_memory (void)
{
  enum { SIDE = 512, RUNS = 20 };
  glong before = 0;
  g_autofree uint16_t *pixels = g_new0 (uint16_t, SIDE * SIDE);
  int64_t shape[] = {SIDE, SIDE};
  DLTensor tensor = tensor_of (pixels, kDLUInt, 16, 2, shape);
  for (int i = 0; i < 2 * RUNS; i++) {
    fovea_image *image = fovea_image_from_dlpack (context, &tensor, NULL, NULL);
    fovea_run *run = run_of ("gaussian sigma=2 | otsu | label | regionprops", image);
    execute (run);
    fovea_run_free (run);
    fovea_image_free (image);
    if (i == RUNS - 1)
      before = pages ();
  }
  g_assert_cmpint (pages () - before, <, RUNS * SIDE * SIDE * 2 / 4096 / 4); /* a quarter of the source alone */
}

/* Steps whose images are given are not executed; those that take them are, on images of other sizes than the run's too. */
static void
test_given (void)
{
  fovea_image *image = image_with_square (9), *other = image_with_square (20);
  fovea_run *run =
    run_of ("zoom factor=7 as=a | otsu | label | regionprops intensity=a properties=label,area,intensity_mean", image);
  fovea_error *error = NULL;
  g_assert_cmpint (fovea_run_give (run, 0, other, NULL), ==, FOVEA_OK);
  execute (run);
  fovea_image *given = fovea_run_image (run, "a", NULL), *labels = fovea_run_image (run, NULL, NULL);
  fovea_image_info info = {.size = sizeof info};
  fovea_image_get_info (given, &info, NULL);
  g_assert_cmpint (info.shape[4], ==, 20);
  fovea_image_get_info (labels, &info, NULL);
  g_assert_cmpint (info.shape[4], ==, 20);
  fovea_table *table = fovea_run_table (run, NULL, NULL);
  g_assert_cmpint (fovea_table_rows (table), ==, 1);
  g_assert_cmpfloat (fovea_table_numbers (table, 1)[0], ==, 16); /* zoomed it would be 784 */
  execute (run);
  g_assert_cmpint (fovea_run_give (run, 4, other, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "n", "Step 4 does not exist");
  g_assert_cmpint (fovea_run_give (run, 3, other, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "n", "makes no image");
  fovea_context *strange = fovea_context_new (FOVEA_NO_OPERATIONS, NULL);
  uint8_t pixel = 0;
  int64_t shape[] = {1, 1};
  DLTensor tensor = tensor_of (&pixel, kDLUInt, 8, 2, shape);
  fovea_image *foreign = fovea_image_from_dlpack (strange, &tensor, NULL, NULL);
  g_assert_cmpint (fovea_run_give (run, 0, foreign, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "image", "another context");
  fovea_image_free (foreign);
  fovea_context_free (strange);
  fovea_table_free (table);
  fovea_image_free (given);
  fovea_image_free (labels);
  fovea_run_free (run);
  fovea_image_free (image);
  fovea_image_free (other);
}

/* ---- Figures ---- */

static void
test_figure (void)
{
  fovea_error *error = NULL;
  fovea_image *image = image_with_square (32);
  fovea_recipe *none = fovea_recipe_empty (context, &error);
  fovea_run *run = fovea_run_new (none, image, FOVEA_KEEP_ALL, &error);
  g_autofree char *folder = g_dir_make_tmp ("fovea-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "figure.png", NULL);
  const char *const wrong[] = {"dpi=300", "wdth=3", NULL}, *const good[] = {"bar=no", "width=64", NULL};
  const fovea_operation *figure = fovea_context_figure (context);
  assert_good (error);
  g_assert_cmpuint (fovea_recipe_length (none), ==, 0);
  g_assert_cmpstr (figure->parameters[0]->key, ==, "width");
  g_assert_cmpint (fovea_figure_check (wrong, path, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "wdth", "wdth");
  g_assert_cmpint (fovea_figure_check (good, "a.jpg", &error), ==, FOVEA_BAD_FILE);
  assert_fails (&error, FOVEA_BAD_FILE, "", ".svg");
  g_assert_cmpint (fovea_figure_check (NULL, path, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "choices", "NULL");
  g_assert_cmpint (fovea_figure_save (NULL, good, path, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "run", "NULL");
  g_assert_cmpint (fovea_figure_save (run, good, path, &error), ==, FOVEA_OK);
  fovea_image *drawn = fovea_image_open (context, path, 0, &error);
  assert_good (error);
  g_assert_cmpstr (fovea_image_text (drawn), ==, "64×64 8-bit, 3 channels");
  g_assert_cmpint (g_unlink (path) | g_rmdir (folder), ==, 0);
  fovea_image_free (drawn);
  fovea_run_free (run);
  fovea_recipe_free (none);
  fovea_image_free (image);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/library/given", test_given);
  g_test_add_func ("/library/own-table", test_own_table);
  g_test_add_func ("/library/recipe-steps", test_recipe_steps);
  g_test_add_func ("/library/recipe-halo", test_recipe_halo);
  g_test_add_func ("/library/recipe-volume", test_recipe_volume);
  g_test_add_func ("/library/run-steps", test_run_steps);
  g_test_add_func ("/library/derived", test_derived);
  g_test_add_func ("/library/continue", test_continue);
  g_test_add_func ("/library/want", test_want);
  g_test_add_func ("/library/no-image", test_no_image);
  g_test_add_func ("/library/fetch-last", test_fetch_last);
#ifdef __SANITIZE_ADDRESS__
  (void) test_same_memory; /* nothing is kept, so that use after free is seen */
#else
  g_test_add_func ("/library/same-memory", test_same_memory);
#endif
  g_test_add_func ("/library/figure", test_figure);
  return run_tests ();
}

/* SPDX-License-Identifier: MIT
 *
 * What the host does for operations beyond images: tables with texts beside images, through a plugin built with the header alone.
 */
#include "core/ops/args.h"
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

static char *path; /* of the plugin */
static Modules *modules;

static Modules *
load (void)
{
  Modules *loaded = modules_new_shipped ();
  g_autoptr (GError) error = NULL;
  g_assert_true (modules_load (loaded, path, &error));
  g_assert_no_error (error);
  return loaded;
}

/* Runs one operation of the plugin on an image of u8 planes of 4 × 4 pixels of which some are bright. */
static void
run (Modules *on, const char *key, const int *bright, gint64 planes, CallResult *result)
{
  const Op *op = modules_op (on, key, NULL);
  g_autofree gpointer args = args_new (op, NULL);
  g_autoptr (GError) error = NULL;
  Image *image = image_random (FV_U8, FV_MASK, 1, planes, 4, 4, 1);
  guint8 *pixels = image_pixels (image);
  for (gint64 i = 0; i < 16 * planes; i++)
    pixels[i] = i % 16 < bright[i / 16] ? 200 : 0;
  g_assert_true (call_op (op, args, &image, modules_device (on, "cpu", NULL), NULL, result, &error));
  g_assert_no_error (error);
  image_unref (image);
}

/* One call makes both; equal texts are one, missing ones are none, and the numbers sort as people sort texts. */
static void
test_texts (void)
{
  const int bright[] = {16, 0, 2, 16, 3};
  const char *const texts[] = {"grade 16, \"many\"; µ", "", "grade 2, \"few\"; µ", "grade 16, \"many\"; µ",
                               "grade 3, \"few\"; µ"};
  CallResult result;
  run (modules, "grade", bright, 5, &result);
  const TableColumn *column = table_find (result.table, "grade");
  const double *values = column->values;
  g_assert_cmpuint (result.n_images, ==, 1);
  g_assert_cmpint (image_info (result.images[0])->role, ==, FV_MASK);
  g_assert_cmpint (column->type, ==, FV_COLUMN_TEXT);
  g_assert_null (table_find_numbers (result.table, "grade"));
  g_assert_cmpint (table_rows (result.table), ==, 5);
  for (int row = 0; row < 5; row++) {
    g_autofree char *text = table_text (column, row);
    g_assert_cmpstr (text, ==, texts[row]);
  }
  g_assert_true (isnan (values[1]));
  g_assert_cmpfloat (values[0], ==, values[3]);
  g_assert_true (values[2] < values[4] && values[4] < values[0]);
  call_result_clear (&result);
}

static void
check_remembered (Modules *on, double calls, double released)
{
  static const int none[] = {0};
  CallResult result;
  run (on, "remember", none, 1, &result);
  g_assert_cmpfloat (result.scalars[0], ==, calls);
  g_assert_cmpfloat (result.scalars[1], ==, released);
  call_result_clear (&result);
}

/* State lasts, is given up for memory that cannot be had otherwise, and goes with its modules. */
static void
test_state (void)
{
  Modules *other = load ();
  Device *device = modules_device (other, "cpu", NULL);
  fv_error fault = FV_ERROR_INIT;
  void *memory;
  check_remembered (other, 1, 0);
  check_remembered (other, 2, 0);
  g_assert_cmpint (device_take (device, G_MAXSIZE / 4, &memory, &fault), ==, FV_NO_MEMORY);
  check_remembered (other, 1, 1);
  modules_free (other);
  check_remembered (modules, 1, 2);
  check_remembered (modules, 2, 2);
}

/* ---- Tables ---- */

/* A run of steps on five planes; NULL with *error. */
static Run *
run_text (const char *text, Image *image, const Run *before, GError **error)
{
  g_autoptr (Recipe) recipe = recipe_parse (modules, text, error);
  g_autoptr (Run) made = recipe ? run_new (recipe, image, RUN_KEEP_ALL) : NULL;
  if (made && before)
    run_continue (made, before);
  return made && run_execute (made, modules_device (modules, "cpu", NULL), NULL, error) ? g_steal_pointer (&made)
                                                                                        : NULL;
}

/* Planes with 16, 0, 2, 16 and 3 bright pixels. */
static Image *
five_planes (void)
{
  static const int bright[] = {16, 0, 2, 16, 3};
  Image *image = image_random (FV_U8, FV_IMAGE, 1, 5, 4, 4, 1);
  for (gint64 i = 0; i < 80; i++)
    ((guint8 *) image_pixels (image))[i] = i % 16 < bright[i / 16] ? 200 : 0;
  return image;
}

static void
check_tally (const Run *made, const char *const *texts, const double *times, const double *bright, gint64 rows)
{
  Table *table = run_last_table (made);
  g_assert_cmpint (table_rows (table), ==, rows);
  for (gint64 i = 0; i < rows; i++) {
    g_autofree char *text = table_text (table_find (table, "grade"), i);
    g_assert_cmpstr (text, ==, texts[i]);
    g_assert_cmpfloat (table_find (table, "times")->values[i], ==, times[i]);
    g_assert_cmpfloat (table_find (table, "bright")->values[i], ==, bright[i]);
  }
}

/* The table of an earlier step, with its texts: the last one, or that of the name. */
static void
test_table_input (void)
{
  static const char *const texts[] = {"grade 2, \"few\"; µ", "grade 3, \"few\"; µ", "grade 16, \"many\"; µ"};
  static const double times[] = {1, 1, 2}, bright[] = {2, 3, 32};
  static const char *const steps[] = {"grade | tally", "grade as=,t | grade from=source level=256 | tally table=t",
                                      "grade | grade from=source skip=yes | tally"};
  g_autoptr (Image) image = five_planes ();
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (Run) made = run_text (steps[i], image, NULL, &error);
    g_assert_no_error (error);
    check_tally (made, texts, times, bright, 3);
  }
}

/* Names of several results and steps without parameters are written as they are read. */
static void
test_text (void)
{
  static const char text[] = "grade level=7 as=bright,grades | tally table=grades | remember";
  g_autoptr (GError) error = NULL;
  g_autoptr (Recipe) recipe = recipe_parse (modules, text, &error);
  g_assert_no_error (error);
  g_autofree char *written = recipe_format (recipe);
  g_assert_cmpstr (written, ==, text);
}

/* A step is computed again when its table is another one, and only then. */
static void
test_table_changes (void)
{
  g_autoptr (Image) image = five_planes ();
  g_autoptr (Run) first = run_text ("grade as=m,t | tally table=t", image, NULL, NULL);
  g_autoptr (Run) same = run_text ("grade as=m,t | tally table=t", image, first, NULL);
  g_autoptr (Run) other = run_text ("grade level=256 as=m,t | tally table=t", image, first, NULL);
  g_assert_true (run_last_table (same) == run_last_table (first));
  g_assert_cmpint (table_rows (run_last_table (other)), ==, 0);
}

static void
test_wrong_tables (void)
{
  static const struct {
    const char *steps, *text, *field;
  } wrong[] = {
    {"tally", "tally needs a table. Put a step that makes one before it", "table"},
    {"grade skip=yes | tally", "tally needs a table", "table"},
    {"grade as=m,t | tally table=m", "'m' is an image, not a table", "table"},
    {"grade | tally table=source", "'source' is an image, not a table", "table"},
    {"grade as=m,t skip=yes | tally table=t", "the step that makes the table 't' is skipped", "table"},
    {"grade | tally table=oval(1,1,2,2)", "'oval(1,1,2,2)' is a selection, but table= takes a table", "table"},
    {"grade | tally table=nothing", "no earlier step is called 'nothing'", "table"},
  };
  g_autoptr (Image) image = five_planes ();
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (run_text (wrong[i].steps, image, NULL, &error));
    g_assert_nonnull (strstr (error->message, wrong[i].text));
    g_assert_cmpstr (step_error_field (error), ==, wrong[i].field);
  }
}

/* ---- Types ---- */

/* A plugin that takes i16, f16 and f32 gets these, and of other images the narrowest that holds their values. */
static void
test_types (void)
{
  static const struct {
    fv_type from, to;
    double code, bits;
  } cases[] = {{FV_I16, FV_I16, kDLInt, 16},
               {FV_F16, FV_F16, kDLFloat, 16},
               {FV_U8, FV_I16, kDLInt, 16},
               {FV_I8, FV_I16, kDLInt, 16},
               {FV_U16, FV_F32, kDLFloat, 32},
               {FV_I32, 0, 0, 0},
               {FV_U32, 0, 0, 0},
               {FV_F64, 0, 0, 0}};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Image) image = image_random (cases[i].from, FV_IMAGE, 1, 1, 4, 4, 1);
    g_autoptr (GError) error = NULL;
    g_autoptr (Run) made = run_text ("type_of", image, NULL, &error);
    if (!cases[i].to) {
      g_assert_null (made);
      g_assert_nonnull (strstr (error->message, "signed 16-bit, 16-bit float, 32-bit float"));
      g_assert_cmpstr (step_error_field (error), ==, "image");
      continue;
    }
    g_assert_no_error (error);
    const double *found = run_result (made, 0)->result.scalars;
    g_assert_true (found[0] == cases[i].to && found[1] == cases[i].code && found[2] == cases[i].bits);
  }
}

/* ---- Operations that share functions ---- */

/* Each is cut with its own halo and called with its own grain: two channels at once, or one after the other. */
static void
test_op_knows_itself (void)
{
  static const struct {
    const char *key;
    gint64 rows, planes;
  } cases[] = {{"slide_1", 1, 1}, {"slide_3", 3, 2}};
  enum { ROWS = 64, COLUMNS = 50 };
  Device *device = modules_device (modules, "cpu", NULL);
  g_autoptr (Image) image = image_random (FV_U8, FV_LABELS, 2, 1, ROWS, COLUMNS, 1);
  device->discrete = TRUE;
  device->limit = device->used + 20 * 2 * 2 * COLUMNS; /* so that it is cut: 20 rows of two channels, there and back */
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (Run) made = run_text (cases[i].key, image, NULL, &error);
    g_assert_no_error (error);
    for (gint64 c = 0; c < 2; c++)
      for (gint64 y = 0; y < ROWS; y++)
        for (gint64 x = 0; x < COLUMNS; x++)
          g_assert_cmpfloat (image_value (run_result (made, 0)->result.images[0], c, y, x), ==,
                             image_value (image, c, MAX (0, y - cases[i].rows), x) + (double) cases[i].planes);
  }
  device->discrete = FALSE;
  device->limit = 0;
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  path = g_build_filename (g_getenv ("FOVEA_BUILD"), "tests", "third_party_plugin", "services.so", NULL);
  modules = load ();
  g_test_add_func ("/services/texts", test_texts);
  g_test_add_func ("/services/state", test_state);
  g_test_add_func ("/services/table-input", test_table_input);
  g_test_add_func ("/services/text", test_text);
  g_test_add_func ("/services/table-changes", test_table_changes);
  g_test_add_func ("/services/wrong-tables", test_wrong_tables);
  g_test_add_func ("/services/types", test_types);
  g_test_add_func ("/services/op-knows-itself", test_op_knows_itself);
  int failed = g_test_run ();
  modules_free (modules);
  g_free (path);
  return failed;
}

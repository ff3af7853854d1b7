/* SPDX-License-Identifier: MIT
 *
 * What is recorded runs as a macro and leads to the same: random changes of several images, their selections, positions and measurements,
 * against the same changes made by hand.
 */
#include "core/document/record.h"
#include "core/files/files.h"
#include "core/macro/headless.h"
#include "core/macro/macro.h"
#include "core/measure/measurements.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

enum { FILES = 3, ACTIONS = 60, ROUNDS = 20 };

/* An image as it should be. */
typedef struct {
  Image *source;
  Recipe *recipe;
  PlanePosition shown;
  Selection *selection;
  GPtrArray *kept;
  Table *measured;
} Model;

static char *folder, *paths[FILES];

static void
model_free (gpointer data)
{
  Model *model = data;
  image_unref (model->source);
  recipe_unref (model->recipe);
  g_clear_pointer (&model->selection, selection_free);
  g_ptr_array_unref (model->kept);
  g_clear_pointer (&model->measured, table_unref);
  g_free (model);
}

static Model *
model_open (Record *r, const char *path)
{
  Model *model = g_new0 (Model, 1);
  g_autoptr (GError) error = NULL;
  model->source = files_open (path, 0, &error);
  g_assert_no_error (error);
  model->recipe = recipe_new ();
  model->kept = g_ptr_array_new_with_free_func ((GDestroyNotify) selection_free);
  record_opened (r, model, path, image_info (model->source));
  return model;
}

/* The image that the steps before `step` make. */
static Image *
image_after (const Model *model, guint step)
{
  g_autoptr (Recipe) none = recipe_new (), part = NULL;
  g_autoptr (GError) error = NULL;
  guint n = recipe_length (model->recipe);
  part = recipe_with_steps (model->recipe, MIN (step, n), n - MIN (step, n), none, &error);
  g_assert_no_error (error);
  g_autoptr (Run) run = run_new (part, model->source, RUN_KEEP_ALL);
  g_assert_true (run_execute (run, modules_device (test_modules (), "cpu", NULL), NULL, &error));
  return image_ref (run_last_image (run));
}

static void
measure (Model *model, guint step, const GPtrArray *selections)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = image_after (model, step);
  g_autoptr (Table) made = measurements_make (image, model->shown, selections, NULL, &error);
  g_assert_no_error (error);
  Table *all = measurements_join (model->measured, made, &error);
  g_clear_pointer (&model->measured, table_unref);
  model->measured = all;
}

/* ---- Random actions ---- */

static void
change_steps (GRand *random, Record *r, Model *model)
{
  static const char *const whole[] = {"gaussian sigma=1.7", "erosion",   "gaussian as=\"a \\\"b\\\" [c\"",
                                      "dilation skip=yes",  "threshold", "otsu | erosion"};
  static const char *const values[] = {"sigma", "3.25", "as", "soft [1]", "skip",
                                       "yes",   "skip", "no", "from",     "source"};
  guint n = recipe_length (model->recipe), index = n ? (guint) g_rand_int_range (random, 0, (gint32) n) : 0;
  g_autoptr (Recipe) none = recipe_new ();
  Recipe *next = NULL;
  int pair = 2 * g_rand_int_range (random, 0, G_N_ELEMENTS (values) / 2);
  DocumentChange how = DOCUMENT_CHANGED;
  switch (n > 5 ? 0 : g_rand_int_range (random, 0, n ? 4 : 1) + 1) {
  case 0: next = recipe_new (); break;
  case 1:
    next = recipe_with_parsed (model->recipe, n, 0, test_modules (),
                               whole[g_rand_int_range (random, 0, G_N_ELEMENTS (whole))], NULL);
    break;
  case 2: next = recipe_with_steps (model->recipe, index, 1, none, NULL); break;
  case 3: how = DOCUMENT_MERGED; G_GNUC_FALLTHROUGH;
  default: next = recipe_with_text (model->recipe, index, values[pair], values[pair + 1], NULL);
  }
  if (!next || recipe_equal (next, model->recipe)) {
    recipe_unref (next);
    return;
  }
  recipe_unref (model->recipe);
  model->recipe = next;
  record_steps (r, model, how, next);
}

static void
select_something (GRand *random, Record *r, Model *model)
{
  static const char *const texts[] = {"rectangle(3,4,10,8)",   "oval(1.5,2.25,9,7.125)",  "polygon(1,1,20,3,9,17.5)",
                                      "line(1.5,2.5,20,9.75)", "line(0.1,2,3,4)",         "point(4.5,6.5)",
                                      "point(4,6,7.3,8)",      "freehand(1,1,5,2,4,8.5)", "traced(1,1,4,1,4,4,1,4)"};
  int which = g_rand_int_range (random, -1, G_N_ELEMENTS (texts));
  g_clear_pointer (&model->selection, selection_free);
  model->selection = which < 0 ? NULL : selection_parse (texts[which], NULL);
  record_selection (r, model, model->selection);
}

static void
measure_selection (GRand *random, Record *r, Model *model)
{
  g_autoptr (GPtrArray) one = g_ptr_array_new ();
  guint n = recipe_length (model->recipe),
        step = g_rand_boolean (random) ? G_MAXUINT : (guint) g_rand_int_range (random, 0, (gint32) n + 1);
  if (!model->selection)
    return;
  g_autoptr (Selection) there = selection_copy (model->selection);
  there->slice = -1; /* where one looks, not where it was drawn */
  g_ptr_array_add (one, there);
  measure (model, step, one);
  record_measured (r, model, step, FALSE, 0);
}

static void
keep_selection (GRand *random, Record *r, Model *model)
{
  (void) random;
  if (!model->selection)
    return;
  Selection *copy = selection_copy (model->selection);
  copy->slice = model->shown.slice;
  g_free (copy->name);
  copy->name = selection_free_name (copy, model->kept);
  g_ptr_array_add (model->kept, copy);
  record_kept (r, model, "add", NULL);
}

static void
use_kept (GRand *random, Record *r, Model *model)
{
  if (!model->kept->len)
    return;
  guint i = (guint) g_rand_int_range (random, 0, (gint32) model->kept->len);
  g_clear_pointer (&model->selection, selection_free);
  model->selection = selection_copy (model->kept->pdata[i]);
  model->shown.slice = model->selection->slice; /* one goes there */
  record_chosen (r, model, i);
  if (g_rand_boolean (random)) {
    Selection *chosen = model->kept->pdata[i];
    g_free (chosen->name);
    chosen->name = g_strdup ("it's \"new\"\\");
    record_kept (r, model, "rename", chosen->name);
  } else {
    measure (model, G_MAXUINT, model->kept);
    record_measured (r, model, G_MAXUINT, TRUE, 0);
  }
}

static void
go_somewhere (GRand *random, Record *r, Model *model)
{
  model->shown = (PlanePosition){0, g_rand_int_range (random, 0, 3), 0};
  record_position (r, model, model->shown);
}

static void
forget (GRand *random, Record *r, Model *model)
{
  if (g_rand_boolean (random)) {
    g_clear_pointer (&model->measured, table_unref);
    record_measured_cleared (r, model);
  } else {
    g_ptr_array_set_size (model->kept, 0);
    record_kept (r, model, "reset", NULL);
  }
}

static void
act (GRand *random, Record *r, GPtrArray *models)
{
  static void (*const actions[]) (GRand * random, Record * r, Model * model) = {
    change_steps, change_steps, select_something, measure_selection, keep_selection, use_kept, go_somewhere, forget};
  int which = g_rand_int_range (random, 0, 10);
  guint i = (guint) g_rand_int_range (random, 0, (gint32) models->len);
  if (which == 8 && models->len < 4)
    g_ptr_array_add (models, model_open (r, paths[g_rand_int_range (random, 0, FILES)]));
  else if (which == 9 && models->len > 1) {
    record_closed (r, models->pdata[i]);
    g_ptr_array_remove_index (models, i);
  } else if (which < 8)
    actions[which](random, r, models->pdata[i]);
}

/* ---- Comparing ---- */

static void
check_selections (const Selection *got, const Selection *wanted)
{
  g_autofree char *a = got ? selection_format (got) : g_strdup ("none"),
                  *b = wanted ? selection_format (wanted) : g_strdup ("none");
  g_assert_cmpstr (a, ==, b);
}

static void
check_tables (const char *text, const Table *got, const Table *wanted)
{
  g_assert_true (!got == !wanted);
  for (guint j = 0; got && j < table_columns (got); j++) {
    g_assert_cmpint (table_rows (got), ==, table_rows (wanted));
    for (gint64 i = 0; i < table_rows (got); i++) {
      double a = table_value (got, j, i), b = table_value (wanted, j, i);
      if (a != b && !(isnan (a) && isnan (b)))
        g_error ("%s in row %d is %.17g, not %.17g, after:\n%s", table_column (got, j)->key, (int) i, a, b, text);
    }
  }
}

static void
check_image (const char *text, const MacroHost *host, guint id, const Model *wanted)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Recipe) recipe = host->recipe (host->self, id);
  g_autofree char *a = recipe_format (recipe), *b = recipe_format (wanted->recipe);
  g_assert_cmpstr (a, ==, b);
  g_autoptr (Image) got = host->image (host->self, id, NULL, &error), made = image_after (wanted, G_MAXUINT);
  g_assert_no_error (error);
  assert_images_equal (got, made);
  PlanePosition shown = host->position (host->self, id);
  g_assert_cmpint (shown.slice, ==, wanted->shown.slice);
  g_autoptr (Selection) selection = host->selection (host->self, id);
  check_selections (selection, wanted->selection);
  g_autoptr (GPtrArray) kept = host->kept (host->self, id);
  g_assert_cmpuint (kept->len, ==, wanted->kept->len);
  for (guint i = 0; i < kept->len; i++) {
    const Selection *one = kept->pdata[i], *other = wanted->kept->pdata[i];
    check_selections (one, other);
    g_assert_cmpstr (one->name, ==, other->name);
    g_assert_cmpint (one->slice, ==, other->slice);
  }
  g_autoptr (Table) measured = host->measured (host->self, id);
  check_tables (text, measured, wanted->measured);
}

static void
replay (const char *text, const GPtrArray *models)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Headless) headless = headless_new (test_modules (), "cpu", NULL, &(HeadlessTalk){0});
  const MacroHost *host = headless_host (headless);
  macro_run (text, strlen (text), "record.lua", host, &(MacroOptions){.folders = (const char *const[]){folder, NULL}},
             NULL, &error);
  if (error)
    g_error ("%s in:\n%s", error->message, text);
  g_autoptr (GArray) ids = host->images (host->self);
  g_assert_cmpuint (ids->len, ==, models->len);
  for (guint i = 0; i < ids->len; i++)
    check_image (text, host, g_array_index (ids, guint, i), models->pdata[i]);
}

static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (9);
  for (int round = 0; round < ROUNDS; round++) {
    Record *r = record_new (test_modules ());
    g_autoptr (GPtrArray) models = g_ptr_array_new_with_free_func (model_free);
    g_ptr_array_add (models, model_open (r, paths[0]));
    for (int i = 0; i < ACTIONS; i++)
      act (random, r, models);
    g_autofree char *text = record_text (r);
    replay (text, models);
    record_free (r);
  }
}

/* What is saved in a window is saved again, to the byte. */
static void
test_saved (void)
{
  g_autoptr (GError) error = NULL;
  Record *r = record_new (test_modules ());
  Model *model = model_open (r, paths[0]);
  g_autoptr (GPtrArray) models = g_ptr_array_new_with_free_func (model_free);
  g_autofree char *tif = g_build_filename (folder, "o ut.tif", NULL), *mask = g_build_filename (folder, "m.tif", NULL),
                  *steps = g_build_filename (folder, "s.steps", NULL);
  g_ptr_array_add (models, model);
  recipe_unref (model->recipe);
  model->recipe = recipe_parse (test_modules (), "gaussian sigma=2 | otsu | label", &error);
  record_steps (r, model, DOCUMENT_CHANGED, model->recipe);
  record_saved (r, model, "save", tif, " --compression deflate --tile 16 --pyramid");
  record_saved (r, model, "save-earlier", mask, " --step 1");
  record_saved (r, model, "save-steps", steps, "");
  g_autofree char *text = record_text (r);
  replay (text, models);
  g_autoptr (Image) saved = files_open (tif, 0, &error), made = image_after (model, G_MAXUINT);
  g_assert_no_error (error);
  assert_images_equal (saved, made);
  g_autoptr (Image) saved_early = files_open (mask, 0, &error), made_early = image_after (model, 1);
  g_assert_no_error (error);
  assert_images_equal (saved_early, made_early);
  g_assert_true (g_file_test (steps, G_FILE_TEST_EXISTS));
  ImageLevel level;
  g_assert_true (image_level (saved, 1, &level));
  record_free (r);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  folder = g_dir_make_tmp ("fovea-XXXXXX", NULL);
  for (guint i = 0; i < FILES; i++) {
    g_autofree char *name = g_strdup_printf ("%u \"a\".tif", i / 2);
    g_autofree char *below = g_strdup_printf ("%s/%u", folder, i);
    g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 3, 24, 30, i);
    g_autoptr (GError) error = NULL;
    g_mkdir (below, 0700);
    paths[i] = g_build_filename (below, name, NULL);
    files_save (image, paths[i], &error);
    g_assert_no_error (error);
  }
  g_test_add_func ("/replay/random", test_random);
  g_test_add_func ("/replay/saved", test_saved);
  return run_tests_in (folder);
}

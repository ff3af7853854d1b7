/* SPDX-License-Identifier: MIT
 *
 * A document: its history, what a run computes again, failures, skipped steps.
 */
#include "core/document/document.h"
#include "core/base/error.h"
#include "tests/support/support.h"
#include "core/data/table.h"

#include <string.h>

typedef struct {
  Worker *worker;
  Document *doc;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (Image) source = image_random (FV_U16, FV_IMAGE, 2, 1, 60, 80, 3);
  (void) data;
  f->worker = worker_new ();
  f->doc = document_new (test_modules (), f->worker, source, "some/file.tif");
  document_set_device (f->doc, "cpu");
}

static void
settle (Fixture *f)
{
  while (document_busy (f->doc))
    g_main_context_iteration (NULL, TRUE);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  (void) data;
  settle (f);
  g_object_unref (f->doc);
  worker_free (f->worker);
}

static void
add (Fixture *f, const char *step)
{
  g_autoptr (GError) error = NULL;
  document_add_step (f->doc, G_MAXUINT, step, &error);
  g_assert_no_error (error);
}

static void
test_history (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  (void) data;
  g_assert_false (document_can_undo (f->doc));
  g_assert_cmpstr (document_text (f->doc), ==, "");
  add (f, "channel index=1");
  add (f, "gaussian sigma=1");
  add (f, "otsu");
  /* the drag of a slider is one change */
  for (int i = 2; i < 30; i++) {
    g_autofree char *sigma = g_strdup_printf ("%g", i / 10.0);
    g_assert_true (document_set_value (f->doc, 1, "sigma", sigma, &error));
  }
  g_assert_true (document_move_step (f->doc, 2, 1, &error));
  g_assert_cmpstr (document_text (f->doc), ==, "channel index=1 | otsu | gaussian sigma=2.9");
  document_undo (f->doc);
  g_assert_cmpstr (document_text (f->doc), ==, "channel index=1 | gaussian sigma=2.9 | otsu");
  document_undo (f->doc);
  g_assert_cmpstr (document_text (f->doc), ==, "channel index=1 | gaussian sigma=1 | otsu");
  for (int i = 0; i < 5; i++)
    document_undo (f->doc);
  g_assert_cmpstr (document_text (f->doc), ==, "");
  while (document_can_redo (f->doc))
    document_redo (f->doc);
  g_assert_cmpstr (document_text (f->doc), ==, "channel index=1 | otsu | gaussian sigma=2.9");
  document_undo (f->doc);
  g_assert_true (document_remove_step (f->doc, 0, &error)); /* what was undone is forgotten now */
  g_assert_false (document_can_redo (f->doc));
  g_assert_cmpstr (document_text (f->doc), ==, "gaussian sigma=2.9 | otsu");
}

/* A drag after undo or redo is a change of its own, though the one before was of the same parameter. */
static void
test_drag_after_undo (Fixture *f, gconstpointer data)
{
  (void) data;
  add (f, "gaussian sigma=1");
  g_assert_true (document_set_value (f->doc, 0, "sigma", "2", NULL));
  document_undo (f->doc);
  g_assert_true (document_set_value (f->doc, 0, "sigma", "3", NULL));
  document_undo (f->doc);
  g_assert_cmpstr (document_text (f->doc), ==, "gaussian sigma=1");
  document_redo (f->doc);
  g_assert_true (document_set_value (f->doc, 0, "sigma", "4", NULL));
  document_undo (f->doc);
  g_assert_cmpstr (document_text (f->doc), ==, "gaussian sigma=3");
}

static void
note_saved (GString *said, const char *what, const char *path, const char *options)
{
  g_string_append_printf (said, "%s %s%s;", what, path, options);
}

/* What was last saved is known, and what each change was. */
static void
test_saved (Fixture *f, gconstpointer data)
{
  g_autoptr (GString) said = g_string_new (NULL);
  (void) data;
  g_signal_connect_swapped (f->doc, "saved", G_CALLBACK (note_saved), said);
  g_assert_false (document_unsaved (f->doc));
  add (f, "gaussian sigma=1");
  g_assert_true (document_unsaved (f->doc));
  document_saved (f->doc, document_text (f->doc), "save", "a.tif", "");
  g_assert_cmpstr (said->str, ==, "save a.tif;");
  g_assert_false (document_unsaved (f->doc));
  g_assert_true (document_set_value (f->doc, 0, "sigma", "2", NULL));
  g_assert_cmpint (document_change (f->doc), ==, DOCUMENT_CHANGED);
  g_assert_true (document_set_value (f->doc, 0, "sigma", "3", NULL));
  g_assert_cmpint (document_change (f->doc), ==, DOCUMENT_MERGED);
  g_assert_true (document_unsaved (f->doc));
  document_undo (f->doc);
  g_assert_cmpint (document_change (f->doc), ==, DOCUMENT_UNDONE);
  g_assert_false (document_unsaved (f->doc));
  document_redo (f->doc);
  g_assert_cmpint (document_change (f->doc), ==, DOCUMENT_REDONE);
  g_assert_true (document_unsaved (f->doc));
  g_assert_true (document_remove_step (f->doc, 0, NULL)); /* nothing to lose */
  g_assert_false (document_unsaved (f->doc));
}

/* What is refused changes nothing. */
static void
test_refused (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  (void) data;
  add (f, "gaussian sigma=1 as=soft");
  add (f, "otsu from=soft");
  g_assert_false (document_set_value (f->doc, 0, "sigma", "much", &error));
  g_assert_cmpstr (step_error_field (error), ==, "sigma");
  g_clear_error (&error);
  g_assert_false (document_remove_step (f->doc, 0, &error));
  g_assert_nonnull (strstr (error->message, "soft"));
  g_assert_cmpstr (document_text (f->doc), ==, "gaussian sigma=1 as=soft | otsu from=soft");
}

/* Steps above a change keep their results; the last image is what running the text alone gives. */
static void
test_results (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Run) alone = NULL;
  Device *device = modules_device (test_modules (), "cpu", NULL);
  (void) data;
  add (f, "channel index=1");
  add (f, "gaussian sigma=1");
  add (f, "otsu");
  settle (f);
  g_autoptr (Image) first = image_ref (document_image (f->doc, 0)), second = image_ref (document_image (f->doc, 1));
  for (int i = 1; i < 8; i++) { /* the newest wins */
    g_autofree char *sigma = g_strdup_printf ("%d", i);
    g_assert_true (document_set_value (f->doc, 1, "sigma", sigma, &error));
  }
  settle (f);
  g_assert_true (document_image (f->doc, 0) == first);
  g_assert_false (document_image (f->doc, 1) == second);
  g_assert_true (document_image (f->doc, -1) == document_source (f->doc));
  alone = run_of ("channel index=1 | gaussian sigma=7 | otsu", document_source (f->doc));
  g_assert_true (run_execute (alone, device, NULL, &error));
  assert_images_equal (document_image (f->doc, 2), run_last_image (alone));
}

static void
test_skip (Fixture *f, gconstpointer data)
{
  (void) data;
  add (f, "channel index=1");
  add (f, "gaussian sigma=4 as=soft");
  add (f, "otsu from=soft");
  settle (f);
  g_autoptr (Image) mask = image_ref (document_image (f->doc, 2));
  document_skip_step (f->doc, 1, TRUE);
  g_assert_nonnull (strstr (document_text (f->doc), "gaussian sigma=4 as=soft skip=yes"));
  settle (f);
  guint failed_step;
  g_assert_no_error (document_error (f->doc, &failed_step));
  g_assert_true (document_image (f->doc, 1) == document_image (f->doc, 0)); /* it passes on what it would take */
  g_assert_false (document_image (f->doc, 2) == mask);
  document_undo (f->doc);
  settle (f);
  assert_images_equal (document_image (f->doc, 2), mask);
}

/* The step that fails is named; those before it are there. */
static void
test_failure (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  guint failed_step;
  (void) data;
  add (f, "gaussian sigma=1");
  add (f, "channel index=7");
  add (f, "otsu");
  settle (f);
  g_assert_nonnull (document_error (f->doc, &failed_step));
  g_assert_cmpuint (failed_step, ==, 1);
  g_assert_cmpstr (step_error_field (document_error (f->doc, &failed_step)), ==, "index");
  g_assert_true (run_result (document_run (f->doc), 0)->done);
  g_assert_true (document_set_value (f->doc, 1, "index", "0", &error));
  settle (f);
  g_assert_no_error (document_error (f->doc, &failed_step));
  g_assert_cmpuint (failed_step, ==, 3);
}

static void
test_names (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  (void) data;
  add (f, "gaussian sigma=1");
  add (f, "gaussian sigma=2");
  g_assert_cmpstr (document_name_result (f->doc, 1, 0, &error), ==, "gaussian");
  g_assert_cmpstr (document_name_result (f->doc, 0, 0, &error), ==, "gaussian2");
  g_assert_cmpstr (document_name_result (f->doc, 1, 0, &error), ==, "gaussian");
  add (f, "otsu from=gaussian2");
}

static void
assert_spacing (Image *image, double z, double x, const char *unit)
{
  const ImageInfo *info = image_info (image);
  g_assert_cmpfloat (info->spacing[0], ==, z);
  g_assert_cmpfloat (info->spacing[2], ==, x);
  g_assert_cmpstr (info->units[2], ==, unit);
}

/* One step before all others, which the steps from the opened image get, too. */
static void
test_calibration (Fixture *f, gconstpointer data)
{
  static const double fine[] = {1.5, 0.2, 0.2}, coarse[] = {3, 0.4, 0.4}, none[] = {1, 1, 1};
  g_autoptr (GError) error = NULL;
  (void) data;
  add (f, "gaussian sigma=1");
  add (f, "channel index=1 from=source");
  g_assert_true (document_set_calibration (f->doc, fine, "micron", &error));
  g_assert_cmpstr (document_text (f->doc), ==,
                   "calibrate width=0.2 depth=1.5 unit=µm as=calibrated | gaussian sigma=1 | channel index=1 "
                   "from=calibrated");
  settle (f);
  assert_spacing (document_image (f->doc, 1), 1.5, 0.2, "µm");
  assert_spacing (document_image (f->doc, 2), 1.5, 0.2, "µm");
  assert_images_equal (document_image (f->doc, 0), document_source (f->doc));
  g_assert_true (document_set_calibration (f->doc, coarse, "µm", &error));
  settle (f);
  assert_spacing (document_image (f->doc, 2), 3, 0.4, "µm");
  g_assert_cmpuint (recipe_length (document_recipe (f->doc)), ==, 3);
  document_undo (f->doc);
  settle (f);
  assert_spacing (document_image (f->doc, 2), 1.5, 0.2, "µm");
  g_assert_true (document_set_calibration (f->doc, none, "pixel", &error));
  g_assert_cmpstr (document_text (f->doc), ==, "gaussian sigma=1 | channel index=1 from=source");
  settle (f);
  assert_spacing (document_image (f->doc, 1), 1, 1, "");
  /* If no step refers to the source it has no name, and the others keep theirs. */
  g_assert_true (document_set_steps (f->doc, "otsu as=mask | label from=mask", NULL, &error));
  g_assert_true (document_set_calibration (f->doc, fine, "µm", &error));
  g_assert_cmpstr (document_text (f->doc), ==,
                   "calibrate width=0.2 depth=1.5 unit=µm | otsu as=mask | label from=mask");
  settle (f);
}

/* Another result may have the name of the calibrated image: steps that take it keep taking it. */
static void
test_calibration_name (Fixture *f, gconstpointer data)
{
  static const double fine[] = {0.5, 0.5, 0.5}, none[] = {1, 1, 1};
  static const char steps[] = "calibrate width=2 unit=µm as=a | gaussian sigma=1 from=a as=a | otsu from=a";
  g_autoptr (GError) error = NULL;
  (void) data;
  g_assert_true (document_set_steps (f->doc, steps, NULL, &error));
  g_assert_true (document_set_calibration (f->doc, none, "", &error));
  g_assert_cmpstr (document_text (f->doc), ==, "gaussian sigma=1 from=source as=a | otsu from=a");
  g_assert_true (document_set_steps (f->doc, steps, NULL, &error));
  g_assert_true (document_set_calibration (f->doc, fine, "µm", &error));
  g_assert_cmpstr (document_text (f->doc), ==,
                   "calibrate width=0.5 unit=µm as=a2 | gaussian sigma=1 from=a2 as=a | otsu from=a");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
#define ADD(NAME, TEST) g_test_add ("/document/" NAME, Fixture, NULL, set_up, TEST, tear_down)
  ADD ("history", test_history);
  ADD ("drag-after-undo", test_drag_after_undo);
  ADD ("saved", test_saved);
  ADD ("refused", test_refused);
  ADD ("results", test_results);
  ADD ("skip", test_skip);
  ADD ("failure", test_failure);
  ADD ("names", test_names);
  ADD ("calibration", test_calibration);
  ADD ("calibration-name", test_calibration_name);
  return g_test_run ();
}

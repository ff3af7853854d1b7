/* SPDX-License-Identifier: MIT
 *
 * Text, arguments, steps, the table, the worker and residency.
 */
#include "core/ops/args.h"
#include "core/base/error.h"
#include "tests/support/support.h"
#include "core/data/table.h"
#include "core/base/text.h"
#include "core/base/worker.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Text ---- */

static void
test_numbers (void)
{
  static const double numbers[] = {0, -1, 5, 0.1, 1.0 / 3, 1e300, 5e-324, 123456789.125, -2.5e-7};
  double back;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    g_autofree char *text = text_from_number (numbers[i]);
    g_assert_true (text_to_number (text, &back));
    g_assert_cmpfloat (back, ==, numbers[i]);
  }
  g_assert_false (text_to_number ("", &back));
  g_assert_false (text_to_number ("1,5", &back));
  g_assert_false (text_to_number ("inf", &back));
  g_assert_false (text_to_number ("5 px", &back));
  g_assert_true (text_to_number (" 2.50 ", &back));
}

static void
test_words (void)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = text_words ("  a=1 b=\"x y\" c='|' d=\"say \\\"hi\\\"\"", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (words), ==, 4);
  g_assert_cmpstr (words[1], ==, "b=x y");
  g_assert_cmpstr (words[2], ==, "c=|");
  g_assert_cmpstr (words[3], ==, "d=say \"hi\"");
  g_auto (GStrv) parts = text_split ("a|b='|'|c", '|', &error);
  g_assert_cmpuint (g_strv_length (parts), ==, 3);
  g_assert_null (text_words ("a='open", &error));
  g_assert_nonnull (strstr (error->message, "not closed"));
}

/* ---- Steps ---- */

static void
test_format_is_a_fixed_point (void)
{
  static const char *const texts[] = {
    "channel index=1 as=green",
    "channel name=\"two words\"",
    "channel | channel index=2 from=source as=x | channel from=x",
    "gaussian sigma=3,2,1 volume=yes border=wrap | otsu | erosion footprint=matrix matrix=\"0 1 0; 1 1 1; 0 1 0\"",
    "label as=cells | regionprops intensity=source properties=label,area,solidity | label2rgb from=cells",
  };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (Pipeline) pipeline = pipeline_parse (test_modules (), texts[i], &error), again = NULL;
    g_autofree char *text = NULL, *text_again = NULL;
    g_assert_no_error (error);
    text = pipeline_format (pipeline);
    again = pipeline_parse (test_modules (), text, &error);
    g_assert_no_error (error);
    text_again = pipeline_format (again);
    g_assert_cmpstr (text, ==, text_again);
    g_assert_cmpuint (pipeline_length (again), ==, pipeline_length (pipeline));
    for (guint k = 0; k < pipeline_length (pipeline); k++)
      g_assert_true (args_equal (pipeline_step (pipeline, k)->op, pipeline_step (pipeline, k)->args,
                                 pipeline_step (again, k)->args));
  }
}

static void
test_step_errors (void)
{
  static const struct {
    const char *text, *word, *field;
  } wrong[] = {
    {"", "empty", ""},
    {"channel | ", "empty", ""},
    {"gausian", "did you mean 'gaussian'", ""},
    {"gaussian sigma=abc", "sigma needs a number", "sigma"},
    {"gaussian sigma=-1", "sigma must be from 0 to", "sigma"},
    {"gaussian sigma=1,2,3,4", "three (z,y,x)", "sigma"},
    {"gaussian sgima=1", "did you mean 'sigma'", "sgima"},
    {"gaussian sigma", "not NAME=VALUE", ""},
    {"gaussian border=left", "choose from nearest", "border"},
    {"gaussian volume=maybe", "yes or no", "volume"},
    {"channel index=1.5", "whole number", "index"},
    {"channel from=nowhere", "no earlier step is called 'nowhere'", "from"},
    {"channel as=source", "cannot be called", "as"},
    {"regionprops properties=area,aera", "properties cannot be 'aera'", "properties"},
    {"erosion footprint=matrix matrix=\"1 2; 3\"", "rows of equal length", "matrix"},
    {"channel name='open", "not closed", ""},
  };
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (pipeline_parse (test_modules (), wrong[i].text, &error));
    g_test_message ("%s -> %s", wrong[i].text, error->message);
    g_assert_nonnull (strstr (error->message, wrong[i].word));
    g_assert_cmpstr (step_error_field (error), ==, wrong[i].field);
  }
}

/* Only what changed is computed again: results that stay are the same objects. */
static void
test_cached_results (Device *device)
{
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 3, 1, 20, 30, 5);
  g_autoptr (GError) error = NULL;
  g_autoptr (Pipeline) p = pipeline_parse (test_modules (), "channel index=1 | gaussian sigma=1 | otsu", &error);
  g_assert_no_error (error);
  g_assert_true (pipeline_run (p, source, device, NULL, &error));
  g_autoptr (Image) first = image_ref (pipeline_step (p, 0)->result.images[0]);
  g_autoptr (Image) second = image_ref (pipeline_step (p, 1)->result.images[0]);
  g_autoptr (Image) third = image_ref (pipeline_step (p, 2)->result.images[0]);

  g_assert_true (pipeline_run (p, source, device, NULL, &error));
  g_assert_true (pipeline_step (p, 2)->result.images[0] == third);
  g_assert_true (args_set (pipeline_step (p, 1)->op, pipeline_step (p, 1)->args, "sigma", "2", &error));
  g_assert_true (pipeline_run (p, source, device, NULL, &error));
  g_assert_true (pipeline_step (p, 0)->result.images[0] == first);
  g_assert_true (pipeline_step (p, 1)->result.images[0] != second);
  g_assert_true (pipeline_step (p, 2)->result.images[0] != third);
}

static void
test_inputs_must_fit (Device *device)
{
  g_autoptr (Image) labels = image_random (FV_I32, FV_LABELS, 1, 1, 20, 30, 5);
  g_autoptr (Image) other = image_random (FV_U8, FV_IMAGE, 1, 1, 20, 31, 5);
  g_autoptr (Image) floats = image_random (FV_F32, FV_IMAGE, 1, 1, 20, 30, 5);
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step ("regionprops properties=intensity_mean", labels, other, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "intensity");
  g_clear_error (&error);
  g_assert_false (run_step ("label2rgb", floats, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "image");
  g_clear_error (&error);
  g_assert_false (run_step ("channel index=5", other, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "index");
}

/* ---- Residency ---- */

/* The device with memory of its own, as a GPU has: the source goes up once; the table and what is looked at come down,
 * nothing else. */
static void
test_residency (Device *device)
{
  g_autoptr (Image) source = image_random (FV_U16, FV_IMAGE, 1, 1, 64, 64, 5);
  g_autoptr (GError) error = NULL;
  g_autoptr (Pipeline) p = pipeline_parse (test_modules (),
                                           "gaussian sigma=2 | otsu | erosion | label as=cells | regionprops "
                                           "intensity=source properties=area,intensity_mean | "
                                           "label2rgb from=cells overlay=source | display width=16 height=16",
                                           &error);
  gboolean discrete = device->discrete;
  guint64 up = device->uploaded, down = device->downloaded, rest;
  const Table *table;
  Image *shown;
  g_assert_no_error (error);
  device->discrete = TRUE;
  g_assert_true (pipeline_run (p, source, device, NULL, &error));
  g_assert_no_error (error);
  table = pipeline_last_table (p);
  g_assert_cmpuint (device->uploaded - up, ==, 64 * 64 * 2);
  /* two scalars, the table, and what regionprops says that it reads: how many runs and objects there are */
  rest = 2 * sizeof (double) + (guint64) table_rows (table) * 2 * sizeof (double) + 32;
  g_assert_cmpuint (device->downloaded - down, <=, rest);
  shown = pipeline_last_image (p, source);
  g_assert_null (image_plane_now (shown, 0));
  g_assert_cmpuint (device->downloaded - down, <=, rest);
  g_assert_nonnull (image_plane (shown, 0, &error));
  g_assert_cmpuint (device->downloaded - down, <=, 16 * 16 * 4 + rest);
  g_assert_true (image_plane_now (shown, 0) == image_plane (shown, 0, NULL));
  g_clear_pointer (&p, pipeline_free);
  device->discrete = discrete;
}

/* ---- Table ---- */

static Table *
example_table (void)
{
  const double values[] = {1, 2, 3, 0.1, NAN, 1e-9};
  Table *table = table_new ();
  table_add_column (table, "label", "", "Number.", FV_COLUMN_INTEGER);
  table_add_column (table, "area, \"net\"", "µm²", NULL, FV_COLUMN_FLOAT);
  table_take_rows (table, g_memdup2 (values, sizeof values), 3);
  return table;
}

static void
check_csv (char separator, const char *image, const char *expected)
{
  g_autofree char *folder = g_dir_make_tmp ("fovea-table-XXXXXX", NULL),
                  *path = g_build_filename (folder, "t.csv", NULL);
  g_autofree char *csv = NULL;
  g_autoptr (Table) table = example_table ();
  g_autoptr (GError) error = NULL;
  g_assert_true (table_save_csv (table, path, separator, image, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &csv, NULL, NULL));
  g_assert_cmpstr (csv, ==, expected);
  remove (path);
  remove (folder);
}

static void
test_csv (void)
{
  check_csv (',', NULL, "label,\"area, \"\"net\"\" (µm²)\"\r\n1,0.1\r\n2,\r\n3,1e-09\r\n");
  check_csv (';', "a;b",
             "image;label;\"area, \"\"net\"\" (µm²)\"\r\n\"a;b\";1;0.1\r\n\"a;b\";2;\r\n\"a;b\";3;1e-09\r\n");
}

static void
test_csv_in_german (void)
{
  const char *before = setlocale (LC_ALL, NULL);
  g_autofree char *saved = g_strdup (before);
  if (!setlocale (LC_ALL, "de_DE.UTF-8")) {
    g_test_skip ("the locale de_DE.UTF-8 is not installed");
    return;
  }
  check_csv (',', NULL, "label,\"area, \"\"net\"\" (µm²)\"\r\n1,0.1\r\n2,\r\n3,1e-09\r\n");
  setlocale (LC_ALL, saved);
}

/* ---- Worker ---- */

typedef struct {
  GMainLoop *loop;
  gint started, release; /* atomic */
  gint finished, cancelled;
} Watched;

static gboolean
slow_work (gpointer data, Progress *progress, GError **error)
{
  Watched *w = data;
  g_atomic_int_set (&w->started, 1);
  while (!g_atomic_int_get (&w->release)) {
    if (progress_report (progress, 1, 10)) {
      step_error_set (error, FV_CANCELLED, NULL, "Stopped.");
      return FALSE;
    }
    g_usleep (1000);
  }
  return TRUE;
}

static void
watched_finished (gpointer data, const GError *error)
{
  Watched *w = data;
  w->finished++;
  w->cancelled += error && step_error_is_cancelled (error);
  g_main_loop_quit (w->loop);
}

static void
test_worker_latest_wins (void)
{
  Watched first = {.loop = g_main_loop_new (NULL, FALSE)}, second = first, third = first;
  static const char lane;
  Worker *worker = worker_new ();
  worker_push (worker, &(WorkerJob){slow_work, watched_finished, &first, &lane});
  while (!g_atomic_int_get (&first.started))
    g_usleep (1000);
  worker_push (worker, &(WorkerJob){slow_work, watched_finished, &second, &lane});
  worker_push (worker, &(WorkerJob){slow_work, watched_finished, &third, &lane});
  g_atomic_int_set (&third.release, 1);
  while (!third.finished)
    g_main_loop_run (first.loop);
  g_assert_cmpint (first.cancelled, ==, 1);
  g_assert_cmpint (second.cancelled, ==, 1);
  g_assert_cmpint (second.started, ==, 0);
  g_assert_cmpint (third.cancelled, ==, 0);
  worker_free (worker);
  g_main_loop_unref (first.loop);
}

static void
test_worker_stops (void)
{
  Watched job = {.loop = g_main_loop_new (NULL, FALSE)};
  Worker *worker = worker_new ();
  Progress progress;
  gint64 start;
  worker_push (worker, &(WorkerJob){slow_work, watched_finished, &job, NULL});
  while (!g_atomic_int_get (&job.started))
    g_usleep (1000);
  g_assert_true (worker_progress (worker, &progress));
  start = g_get_monotonic_time ();
  worker_cancel (worker);
  g_main_loop_run (job.loop);
  g_assert_cmpint (job.cancelled, ==, 1);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 100 * 1000);
  worker_free (worker);
  g_main_loop_unref (job.loop);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/numbers", test_numbers);
  g_test_add_func ("/text/words", test_words);
  g_test_add_func ("/steps/format", test_format_is_a_fixed_point);
  g_test_add_func ("/steps/errors", test_step_errors);
  add_device_test ("/steps/cached-results", test_cached_results);
  add_device_test ("/steps/inputs-must-fit", test_inputs_must_fit);
  add_device_test ("/residency", test_residency);
  g_test_add_func ("/table/csv", test_csv);
  g_test_add_func ("/table/csv-in-german", test_csv_in_german);
  g_test_add_func ("/worker/latest-wins", test_worker_latest_wins);
  g_test_add_func ("/worker/stops", test_worker_stops);
  return g_test_run ();
}

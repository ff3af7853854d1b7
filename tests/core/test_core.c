/* SPDX-License-Identifier: MIT
 *
 * The table and the worker.
 */
#include "core/base/error.h"
#include "tests/support/support.h"
#include "core/data/table.h"
#include "core/base/worker.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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
  g_assert_true (table_save_csv (table, path, (CsvFormat){separator, FALSE, FALSE}, image, &error));
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
  check_csv (
    ';', "a;b",
    "\xef\xbb\xbfimage;label;\"area, \"\"net\"\" (µm²)\"\r\n\"a;b\";1;0,1\r\n\"a;b\";2;\r\n\"a;b\";3;1e-09\r\n");
}

/* Text that a spreadsheet would run, or a terminal obey; numbers stay, and so does all that is asked for raw. */
static void
test_csv_harmless (void)
{
  static const struct {
    const char *text, *cell;
  } cases[] = {{"=1+2", "'=1+2"},
               {"+1.tif", "'+1.tif"},
               {"-2+3", "'-2+3"},
               {"@SUM(1)", "'@SUM(1)"},
               {"=\"a\"", "\"'=\"\"a\"\"\""},
               {"'quoted'", "''quoted'"},
               {"-5", "-5"},
               {"-1e-3", "-1e-3"},
               {"-inf", "-inf"},
               {"a=b", "a=b"},
               {"", ""},
               {"\tx", "␉x"},
               {"a\r\nb", "a␍␊b"},
               {"\x1b[2J", "␛[2J"},
               {"\x7f", "␡"},
               {"\xc2\x9b", "�"},
               {"µm", "µm"}};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GString) line = g_string_new (NULL), field = g_string_new (NULL);
    const char *text = cases[i].text, *at;
    csv_add_field (line, text, (CsvFormat){',', FALSE, FALSE});
    g_assert_cmpstr (line->str, ==, cases[i].cell);
    if (!strpbrk (text, "\"\r\n"))
      g_assert_cmpint (csv_is_harmless (text, text + strlen (text)), ==, !strcmp (text, line->str));
    at = line->str;
    g_assert_true (csv_next_field (&at, line->str + line->len, field));
    csv_plain_text (field);
    if (g_str_is_ascii (line->str))
      g_assert_cmpstr (field->str, ==, text);
    g_string_truncate (line, 0);
    csv_add_field (line, text, (CsvFormat){',', TRUE, FALSE});
    at = line->str;
    csv_next_field (&at, line->str + line->len, field);
    g_assert_cmpstr (field->str, ==, text);
  }
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
  init_tests (&argc, &argv);
  g_test_add_func ("/table/csv", test_csv);
  g_test_add_func ("/table/csv-in-german", test_csv_in_german);
  g_test_add_func ("/table/csv-harmless", test_csv_harmless);
  g_test_add_func ("/worker/latest-wins", test_worker_latest_wins);
  g_test_add_func ("/worker/stops", test_worker_stops);
  return g_test_run ();
}

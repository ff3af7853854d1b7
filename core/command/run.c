/* SPDX-License-Identifier: MIT
 *
 * fovea run: steps on an image, on a worker thread, while this thread shows progress and listens for Ctrl-C.
 */
#include "core/run/choice.h"
#include "core/command/command.h"
#include "core/base/error.h"
#include "core/files/files.h"
#include "core/run/outputs.h"
#include "core/run/pipeline.h"
#include "core/command/print.h"
#include "core/command/report.h"
#include "core/base/stop.h"
#include "core/base/worker.h"

#include <unistd.h>

static char **output_options;
static char *table_path, *report_path;
static char *device_key;
static int series;
static gboolean quiet, semicolon;

static const GOptionEntry entries[] = {
  {"output", 'o', 0, G_OPTION_ARG_FILENAME_ARRAY, &output_options,
   "Save the last image; NAME=FILE saves the result of the step with as=NAME. May be given several times", "FILE"},
  {"table", 't', 0, G_OPTION_ARG_FILENAME, &table_path, "Save the last table as CSV", "FILE"},
  {"semicolon", 0, 0, G_OPTION_ARG_NONE, &semicolon, "Separate the table's columns by ';'", NULL},
  {"report", 0, 0, G_OPTION_ARG_FILENAME, &report_path, "Save what each step did, as JSON", "FILE"},
  {"device", 'd', 0, G_OPTION_ARG_STRING, &device_key, "auto, cpu, cuda or cuda:N (default: auto)", "DEVICE"},
  {"series", 0, 0, G_OPTION_ARG_INT, &series, "Which image of the file, from 0", "N"},
  {"quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, "Print nothing but errors", NULL},
  {NULL, 0, 0, 0, NULL, NULL, NULL},
};

typedef struct {
  const char *input;
  Modules *modules;
  Pipeline *pipeline;
  Image *source;
  GArray *outputs; /* Output */
  Report report;
  GMainLoop *loop;
  Worker *worker;
  gint64 started; /* µs */
  gboolean line;  /* a progress line is on the terminal */
  int status;
} Run;

/* ---- On the worker's thread ---- */

static double
ms_since (gint64 start)
{
  return (double) (g_get_monotonic_time () - start) / 1000;
}

static gboolean
save_everything (Run *run, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  for (guint i = 0; i < run->outputs->len; i++) {
    const Output *output = &g_array_index (run->outputs, Output, i);
    Image *image = output->step < 0 ? pipeline_last_image (run->pipeline, run->source)
                                    : pipeline_step (run->pipeline, (guint) output->step)->result.images[0];
    if (!files_save (image, output->path, error))
      return FALSE;
  }
  if (table_path
      && !table_save_csv (pipeline_last_table (run->pipeline), table_path, semicolon ? ';' : ',', NULL, error))
    return FALSE;
  run->report.save_ms = ms_since (start);
  return !report_path || report_save (&run->report, report_path, error);
}

static gboolean
open_run_and_save (Run *run, Progress *progress, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  if (!(run->source = files_open (run->input, (guint) series, error)))
    return FALSE;
  run->report.open_ms = ms_since (start);
  start = g_get_monotonic_time ();
  if (!(run->report.device = choice_device (run->pipeline, run->modules, run->source, device_key ? device_key : "auto",
                                            &run->report.reason, error))
      || !pipeline_run (run->pipeline, run->source, run->report.device, progress, error))
    return FALSE;
  run->report.run_ms = ms_since (start);
  if (table_path && !pipeline_last_table (run->pipeline)) {
    step_error_set (error, FV_BAD_ARGUMENT, "table",
                    "--table: no step makes a table; add 'regionprops' after 'label', for example.");
    return FALSE;
  }
  return save_everything (run, error);
}

static gboolean
run_in_worker (gpointer data, Progress *progress, GError **error)
{
  gboolean done;
  stop_asks (progress);
  progress_enter (progress);
  done = open_run_and_save (data, progress, error);
  progress_enter (NULL);
  stop_asks (NULL);
  return done;
}

/* ---- On the main thread ---- */

static void
clear_line (Run *run)
{
  if (run->line)
    print_progress (NULL);
  run->line = FALSE;
}

static gboolean
show_progress (gpointer data)
{
  Run *run = data;
  Progress progress = {0};
  if (ms_since (run->started) < 1000 || !worker_progress (run->worker, &progress))
    return G_SOURCE_CONTINUE;
  g_autofree char *text =
    progress.parts
      ? g_strdup_printf ("%d/%d %s %d %%", progress.part + 1, progress.parts,
                         pipeline_step (run->pipeline, (guint) progress.part)->op->fv.key, progress.permille / 10)
      : g_strdup ("opening");
  print_progress (text);
  run->line = TRUE;
  return G_SOURCE_CONTINUE;
}

static void
run_ended (gpointer data, const GError *error)
{
  Run *run = data;
  clear_line (run);
  if (error)
    run->status = command_fail (error);
  else if (!quiet)
    report_print (&run->report);
  g_main_loop_quit (run->loop);
}

static void
run_and_wait (Run *run)
{
  const WorkerJob job = {.work = run_in_worker, .finished = run_ended, .data = run};
  guint timer = quiet || !isatty (STDERR_FILENO) ? 0 : g_timeout_add (100, show_progress, run);
  run->started = g_get_monotonic_time ();
  run->loop = g_main_loop_new (NULL, FALSE);
  run->worker = worker_new ();
  worker_push (run->worker, &job);
  g_main_loop_run (run->loop);
  worker_free (run->worker);
  if (timer)
    g_source_remove (timer);
  g_main_loop_unref (run->loop);
}

/* Whether none of the outputs would replace another or the input. */
static gboolean
check_outputs (const Run *run, GError **error)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_ptr_array_add (paths, (gpointer) run->input);
  for (guint i = 0; i < run->outputs->len; i++)
    g_ptr_array_add (paths, (gpointer) g_array_index (run->outputs, Output, i).path);
  if (table_path)
    g_ptr_array_add (paths, table_path);
  if (report_path)
    g_ptr_array_add (paths, report_path);
  g_ptr_array_add (paths, NULL);
  return outputs_differ ((const char *const *) paths->pdata, error);
}

static gboolean
check_formats (const Run *run, GError **error)
{
  for (guint i = 0; i < run->outputs->len; i++)
    if (!files_can_save (g_array_index (run->outputs, Output, i).path, error))
      return FALSE;
  return TRUE;
}

int
command_run (int argc, char **argv)
{
  g_autoptr (Modules) modules = NULL;
  g_autoptr (Pipeline) pipeline = NULL;
  g_autoptr (GArray) outputs = NULL;
  g_autoptr (GError) error = NULL;
  Run run = {.status = COMMAND_DONE};
  int status = command_parse (
    &argc, &argv, "'STEP | STEP | ...' INPUT",
    "Runs steps on an image. A step is OPERATION NAME=VALUE ...; as=NAME names its result, and from=NAME\n"
    "(or another input, such as intensity=NAME) takes a named one; 'source' is the opened image.",
    entries);

  if (status != COMMAND_GO_ON)
    return status;
  if (argc != 3)
    return command_wrong_use (
      "run", argc < 3 ? "'run' takes the steps, in quotes, and an image file."
                      : "'run' takes one argument of steps and one image file; put the steps in quotes.");
  if (series < 0)
    return command_wrong_use ("run", "--series counts from 0.");
  if (!g_utf8_validate (argv[1], -1, NULL))
    return command_wrong_use ("run", "the steps are not UTF-8 text: %s", argv[1]);
  modules = command_modules ();
  if (!(pipeline = pipeline_parse (modules, argv[1], &error)))
    return command_wrong_use ("run", "%s", error->message);
  run.modules = modules;
  run.pipeline = pipeline;
  run.input = argv[2];
  if (!(outputs = run.outputs = outputs_parse (output_options, pipeline, &error)) || !check_outputs (&run, &error))
    return command_wrong_use ("run", "%s", error->message);
  if (!check_formats (&run, &error))
    return command_fail (error);
  run.report = (Report){.input = argv[2], .pipeline = pipeline, .outputs = output_options, .table = table_path};
  run_and_wait (&run);
  g_clear_pointer (&pipeline, pipeline_free);
  image_unref (run.source);
  g_free (run.report.reason);
  return run.status;
}

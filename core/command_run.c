/* SPDX-License-Identifier: MIT
 *
 * fovea run: steps on an image, on a worker thread, while this thread shows progress and listens for Ctrl-C.
 */
#include "choice.h"
#include "command.h"
#include "error.h"
#include "files.h"
#include "pipeline.h"
#include "report.h"
#include "text.h"
#include "worker.h"

#include <glib-unix.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char **outputs;
static char *table_path, *report_path;
static char *device_key;
static int series;
static gboolean quiet, semicolon;

static const GOptionEntry entries[] = {
  {"output", 'o', 0, G_OPTION_ARG_FILENAME_ARRAY, &outputs,
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

static Image *
output_image (const Run *run, const char *output, const char **path)
{
  const char *equals = strchr (output, '=');
  for (guint i = 0; equals && i < pipeline_length (run->pipeline); i++) {
    const Step *step = pipeline_step (run->pipeline, i);
    if (step->name && strlen (step->name) == (gsize) (equals - output)
        && !strncmp (step->name, output, (gsize) (equals - output)) && step->result.n_images) {
      *path = equals + 1;
      return step->result.images[0];
    }
  }
  *path = output;
  return pipeline_last_image (run->pipeline, run->source);
}

static gboolean
save_everything (Run *run, Progress *progress, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  for (char **output = outputs; output && *output; output++) {
    const char *path;
    Image *image = output_image (run, *output, &path);
    if (progress_report (progress, 0, 1)) {
      step_error_set (error, FV_CANCELLED, NULL, "Stopped.");
      return FALSE;
    }
    if (!files_save (image, path, error))
      return FALSE;
  }
  if (table_path
      && !table_save_csv (pipeline_last_table (run->pipeline), table_path, semicolon ? ';' : ',', NULL, error))
    return FALSE;
  run->report.save_ms = ms_since (start);
  return !report_path || report_save (&run->report, report_path, error);
}

static gboolean
work (gpointer data, Progress *progress, GError **error)
{
  Run *run = data;
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
  return save_everything (run, progress, error);
}

/* ---- On the main thread ---- */

static void
clear_line (Run *run)
{
  if (run->line)
    fputs ("\r\033[K", stderr);
  run->line = FALSE;
}

static gboolean
show_progress (gpointer data)
{
  Run *run = data;
  Progress progress = {0};
  if (ms_since (run->started) < 1000 || !worker_progress (run->worker, &progress))
    return G_SOURCE_CONTINUE;
  if (progress.parts)
    fprintf (stderr, "\r\033[K%d/%d %s %d %%", progress.part + 1, progress.parts,
             pipeline_step (run->pipeline, (guint) progress.part)->op->fv.key, progress.permille / 10);
  else
    fprintf (stderr, "\r\033[Kopening");
  run->line = TRUE;
  return G_SOURCE_CONTINUE;
}

static gboolean
interrupt (gpointer data)
{
  worker_cancel (((Run *) data)->worker);
  return G_SOURCE_CONTINUE;
}

static void
finished (gpointer data, const GError *error)
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
  const WorkerJob job = {.work = work, .finished = finished, .data = run};
  guint sources[] = {g_unix_signal_add (SIGINT, interrupt, run), g_unix_signal_add (SIGTERM, interrupt, run),
                     quiet || !isatty (STDERR_FILENO) ? 0 : g_timeout_add (100, show_progress, run)};
  run->started = g_get_monotonic_time ();
  run->loop = g_main_loop_new (NULL, FALSE);
  run->worker = worker_new ();
  worker_push (run->worker, &job);
  g_main_loop_run (run->loop);
  worker_free (run->worker);
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    if (sources[i])
      g_source_remove (sources[i]);
  g_main_loop_unref (run->loop);
}

int
command_run (int argc, char **argv)
{
  g_autoptr (Modules) modules = NULL;
  g_autoptr (Pipeline) pipeline = NULL;
  g_autoptr (GError) error = NULL;
  Run run = {.status = COMMAND_DONE};

  if (!command_parse (
        &argc, &argv, "'STEP | STEP | ...' INPUT",
        "Runs steps on an image. A step is OPERATION NAME=VALUE ...; as=NAME names its result, and from=NAME\n"
        "(or another input, such as intensity=NAME) takes a named one; 'source' is the opened image.",
        entries))
    return COMMAND_WRONG_USE;
  if (argc != 3)
    return command_wrong_use (
      "run", argc < 3 ? "'run' takes the steps, in quotes, and an image file."
                      : "'run' takes one argument of steps and one image file; put the steps in quotes.");
  if (series < 0)
    return command_wrong_use ("run", "--series counts from 0.");
  modules = command_modules ();
  if (!(pipeline = pipeline_parse (modules, argv[1], &error)))
    return command_wrong_use ("run", "%s", error->message);
  run.modules = modules;
  run.input = argv[2];
  run.pipeline = pipeline;
  run.report = (Report){.input = argv[2], .pipeline = pipeline, .outputs = outputs, .table = table_path};
  run_and_wait (&run);
  g_clear_pointer (&pipeline, pipeline_free);
  image_unref (run.source);
  g_free (run.report.reason);
  return run.status;
}

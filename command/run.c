/* SPDX-License-Identifier: MIT
 *
 * fovea run: steps on an image, on a worker thread, while this thread shows progress and listens for Ctrl-C.
 */
#include "core/run/choice.h"
#include "core/command/command.h"
#include "core/base/error.h"
#include "core/files/files.h"
#include "core/run/outputs.h"
#include "core/run/run.h"
#include "core/command/print.h"
#include "core/command/report.h"
#include "core/command/save_options.h"
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
   "Save the last image; NAME=FILE saves the result that as=NAME names, a table as .csv. May be given several times",
   "FILE"},
  {"table", 't', 0, G_OPTION_ARG_FILENAME, &table_path, "Save the last table as CSV", "FILE"},
  {"semicolon", 0, 0, G_OPTION_ARG_NONE, &semicolon, "Separate the table's columns by ';'", NULL},
  {"report", 0, 0, G_OPTION_ARG_FILENAME, &report_path, "Save what each step did, as JSON", "FILE"},
  {"device", 'd', 0, G_OPTION_ARG_STRING, &device_key,
   "auto (the default: what is likely to be done first on this machine, as it was measured once), cpu, cuda or cuda:N",
   "DEVICE"},
  {"series", 0, 0, G_OPTION_ARG_INT, &series, "Which image of the file, from 0", "N"},
  SAVE_OPTIONS,
  {"quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, "Print nothing but errors", NULL},
  {NULL, 0, 0, 0, NULL, NULL, NULL},
};

typedef struct {
  const char *input;
  Modules *modules;
  Recipe *recipe;
  Run *run;        /* once the image is open */
  GArray *outputs; /* Output */
  FilesTiffChoices choices;
  Report report;
  GMainLoop *loop;
  Worker *worker;
  gint64 started; /* µs */
  gboolean line;  /* a progress line is on the terminal */
  int status;
} Job;

/* ---- On the worker's thread ---- */

static double
ms_since (gint64 start)
{
  return (double) (g_get_monotonic_time () - start) / 1000;
}

static gboolean
save_table (const Table *table, const char *path, GError **error)
{
  return table_save_csv (table, path, semicolon ? ';' : ',', NULL, error);
}

static gboolean
save_everything (Job *job, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  for (guint i = 0; i < job->outputs->len; i++) {
    const Output *output = &g_array_index (job->outputs, Output, i);
    gboolean saved;
    if (output->table)
      saved = save_table (run_result (job->run, (guint) output->step)->result.table, output->path, error);
    else
      saved = files_save_as (output->step < 0 ? run_last_image (job->run)
                                              : run_image (job->run, (guint) output->step, output->output),
                             output->path, &job->choices, error);
    if (!saved)
      return FALSE;
  }
  if (table_path && !save_table (run_last_table (job->run), table_path, error))
    return FALSE;
  job->report.save_ms = ms_since (start);
  return !report_path || report_save (&job->report, report_path, error);
}

/* The source of steps that begin with one that takes no image, and never take the source. */
static const ImageInfo nothing = {
  .type = FV_U8, .frames = 1, .channels = 1, .depth = 1, .rows = 1, .columns = 1, .spacing = {1, 1, 1}};

static gboolean
takes_source (const Recipe *recipe)
{
  for (guint n = 0; n < recipe_length (recipe); n++)
    for (guint i = 0; i < recipe_step (recipe, n)->op->n_inputs; i++) {
      Link link;
      if (link_find (recipe, n, i, &link, NULL) && link.kind == LINK_SOURCE)
        return TRUE;
    }
  return !recipe_length (recipe);
}

static gboolean
open_run_and_save (Job *job, Progress *progress, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (Image) source = job->input ? files_open (job->input, (guint) series, error) : image_new (&nothing, error);
  Device *device;
  if (!source)
    return FALSE;
  job->run = run_new (job->recipe, source, RUN_KEEP_NAMED);
  job->report.run = job->run;
  job->report.open_ms = ms_since (start);
  start = g_get_monotonic_time ();
  if (!(device = choice_device (job->run, job->modules, device_key ? device_key : "auto", &job->report.reason, error))
      || !run_execute (job->run, device, progress, error))
    return FALSE;
  job->report.run_ms = ms_since (start);
  if (table_path && !run_last_table (job->run)) {
    step_error_set (error, FV_BAD_ARGUMENT, "table",
                    "--table: no step makes a table; add 'regionprops' after 'label', for example.");
    return FALSE;
  }
  return save_everything (job, error);
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
clear_line (Job *job)
{
  if (job->line)
    print_progress (NULL);
  job->line = FALSE;
}

static gboolean
show_progress (gpointer data)
{
  Job *job = data;
  Progress progress = {0};
  if (ms_since (job->started) < 1000 || !worker_progress (job->worker, &progress))
    return G_SOURCE_CONTINUE;
  g_autofree char *text =
    progress.parts
      ? g_strdup_printf ("%d/%d %s %d %%", progress.part + 1, progress.parts,
                         recipe_step (job->recipe, (guint) progress.part)->op->fv.key, progress.permille / 10)
      : g_strdup ("opening");
  print_progress (text);
  job->line = TRUE;
  return G_SOURCE_CONTINUE;
}

static void
run_ended (gpointer data, const GError *error)
{
  Job *job = data;
  clear_line (job);
  if (error)
    job->status = command_fail (error);
  else if (!quiet)
    report_print (&job->report);
  g_main_loop_quit (job->loop);
}

static void
run_and_wait (Job *job)
{
  const WorkerJob work_job = {.work = run_in_worker, .finished = run_ended, .data = job};
  guint timer = quiet || !isatty (STDERR_FILENO) ? 0 : g_timeout_add (100, show_progress, job);
  job->started = g_get_monotonic_time ();
  job->loop = g_main_loop_new (NULL, FALSE);
  job->worker = worker_new ();
  worker_push (job->worker, &work_job);
  g_main_loop_run (job->loop);
  worker_free (job->worker);
  if (timer)
    g_source_remove (timer);
  g_main_loop_unref (job->loop);
}

/* Whether none of the outputs would replace another or the input. */
static gboolean
check_outputs (const Job *job, GError **error)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_ptr_array_add (paths, (gpointer) (job->input ? job->input : ""));
  for (guint i = 0; i < job->outputs->len; i++)
    g_ptr_array_add (paths, (gpointer) g_array_index (job->outputs, Output, i).path);
  if (table_path)
    g_ptr_array_add (paths, table_path);
  if (report_path)
    g_ptr_array_add (paths, report_path);
  g_ptr_array_add (paths, NULL);
  return outputs_differ ((const char *const *) paths->pdata, error);
}

static gboolean
check_formats (const Job *job, GError **error)
{
  for (guint i = 0; i < job->outputs->len; i++)
    if (!g_array_index (job->outputs, Output, i).table
        && !files_can_save (g_array_index (job->outputs, Output, i).path, error))
      return FALSE;
  return TRUE;
}

int
command_run (int argc, char **argv)
{
  g_autoptr (Modules) modules = NULL;
  g_autoptr (Recipe) recipe = NULL;
  g_autoptr (GArray) outputs = NULL;
  g_autoptr (GError) error = NULL;
  Job job = {.status = COMMAND_DONE};
  int status = command_parse (
    &argc, &argv, "'STEP | STEP | ...' INPUT",
    "Runs steps on an image. A step is OPERATION NAME=VALUE ...; as=NAME names its result (as=NAME,NAME where\n"
    "there are several), and from=NAME (or another input, such as intensity=NAME) takes a named one; 'source' is\n"
    "the opened image.",
    entries);

  if (status != COMMAND_GO_ON)
    return status;
  if (argc != 2 && argc != 3)
    return command_wrong_use (
      "run", argc < 2 ? "'run' takes the steps, in quotes, and an image file."
                      : "'run' takes one argument of steps and one image file; put the steps in quotes.");
  if (series < 0)
    return command_wrong_use ("run", "--series counts from 0.");
  if (!g_utf8_validate (argv[1], -1, NULL))
    return command_wrong_use ("run", "the steps are not UTF-8 text: %s", argv[1]);
  modules = command_modules ();
  if (!(recipe = recipe_parse (modules, argv[1], &error)))
    return command_wrong_use ("run", "%s", error->message);
  if (argc == 2 && takes_source (recipe))
    return command_wrong_use ("run", "'run' takes the steps, in quotes, and an image file.");
  job.modules = modules;
  job.recipe = recipe;
  job.input = argc == 3 ? argv[2] : NULL;
  if (!(outputs = job.outputs = outputs_parse (output_options, recipe, &error)) || !check_outputs (&job, &error)
      || !save_options (&job.choices, &error))
    return command_wrong_use ("run", "%s", error->message);
  if (!check_formats (&job, &error))
    return command_fail (error);
  job.report = (Report){.input = job.input ? job.input : "no image", .outputs = output_options, .table = table_path};
  run_and_wait (&job);
  run_free (job.run); /* before its modules */
  g_free (job.report.reason);
  return job.status;
}

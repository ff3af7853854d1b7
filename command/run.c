/* SPDX-License-Identifier: MIT
 *
 * fovea run: steps on an image, on a thread of their own, while this one shows progress.
 */
#include "command/background.h"
#include "command/command.h"
#include "command/opened.h"
#include "command/outputs.h"
#include "command/print.h"
#include "command/report.h"
#include "command/save_options.h"
#include "command/steps_option.h"
#include "command/streams.h"
#include "command/volume_options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

static char **output_options;
static const char *table_path, *report_path;
static char *device_key, *keep_all;
static int series = SERIES_NOT_CHOSEN;
static gboolean semicolon, raw_cells;

static const GOptionEntry entries[] = {
  STEPS_OPTION,
  {"output", 'o', 0, G_OPTION_ARG_FILENAME_ARRAY, &output_options,
   "Save the last image; NAME=FILE saves the result named with as=NAME, a table as .csv; - is "
   "standard output. May be repeated",
   "FILE"},
  {"table", 't', 0, G_OPTION_ARG_FILENAME, &table_path,
   "Save the last table; the extension sets the format: .csv, .tsv, .jsonl, .fits, .vot or "
   ".parquet",
   "FILE"},
  {"semicolon", 0, 0, G_OPTION_ARG_NONE, &semicolon,
   "Write tables for spreadsheets with decimal commas: columns separated by ';', and 5,5 "
   "for 5.5",
   NULL},
  {"raw-cells", 0, 0, G_OPTION_ARG_NONE, &raw_cells,
   "Write text cells that begin with = + - @ or contain control characters unchanged, for "
   "programs that run no formulas",
   NULL},
  {"keep-all", 0, 0, G_OPTION_ARG_FILENAME, &keep_all,
   "Save every image that steps make in the folder DIR, as 01-gaussian.tif, 02-otsu.tif and so on", "DIR"},
  {"report", 0, 0, G_OPTION_ARG_FILENAME, &report_path, "Save what each step did, as JSON", "FILE"},
  VOLUME_OPTIONS,
  NATIVE_OPTION,
  {"device", 'd', 0, G_OPTION_ARG_STRING, &device_key,
   "auto (default: the device expected to finish first, from a one-time measurement), cpu, "
   "cuda or cuda:N",
   "DEVICE"},
  SERIES_OPTION (series),
  RAW_OPTION,
  FORMAT_OPTION,
  SAVE_OPTIONS,
  {NULL, 0, 0, 0, NULL, NULL, NULL},
};

typedef struct {
  const char *input;
  fovea_context *context;
  fovea_recipe *recipe, *chosen; /* as it was written; for the image, once this is open, or NULL */
  Background *background;
  GArray *outputs; /* Output */
  fovea_save_options options;
  Report report; /* its run, once the image is open, is the job's */
} Job;

/* ---- On the thread that works ---- */

static double
ms_since (gint64 start)
{
  return (double) (g_get_monotonic_time () - start) / 1000;
}

static gboolean
save_table (const Job *job, const char *name, const char *path, fovea_error **error)
{
  g_autoptr (fovea_table) table = fovea_run_table (job->report.run, name, error);
  const fovea_csv_options csv = {sizeof csv, semicolon ? ';' : ',', raw_cells};
  return table && fovea_table_save (table, path, &csv, error) == FOVEA_OK;
}

static gboolean
save_image (const Job *job, const Output *output, fovea_error **error)
{
  g_autoptr (fovea_image) image = output->step
                                    ? fovea_run_step_image (job->report.run, output->step - 1, output->image, error)
                                    : fovea_run_image (job->report.run, output->name, error);
  return image && fovea_image_save (image, output->path, &job->options, error) == FOVEA_OK;
}

static gboolean
save_everything (Job *job, fovea_error **error)
{
  gint64 start = g_get_monotonic_time ();
  for (guint i = 0; i < job->outputs->len; i++) {
    const Output *output = &g_array_index (job->outputs, Output, i);
    if (!(output->table ? save_table (job, output->name, output->path, error) : save_image (job, output, error)))
      return FALSE;
  }
  if (table_path && !save_table (job, NULL, table_path, error))
    return FALSE;
  job->report.save_ms = ms_since (start);
  return !report_path || report_save (&job->report, report_path, error) == FOVEA_OK;
}

static fovea_run *
open_image (Job *job, fovea_error **error)
{
  g_autoptr (fovea_image) image = NULL;
  if (job->input && !(image = opened_image (job->context, job->input, series, error)))
    return NULL;
  if ((job->chosen = volume_choose (job->recipe, image)))
    job->report.recipe = job->chosen;
  return fovea_run_new (job->report.recipe, image, keep_all ? FOVEA_KEEP_ALL : FOVEA_KEEP_NAMED, error);
}

/* Of the images with names those that are saved stay, unless all do. */
static gboolean
want_outputs (const Job *job, fovea_run *run, fovea_error **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  if (keep_all)
    return TRUE;
  for (guint i = 0; i < job->outputs->len; i++)
    if (g_array_index (job->outputs, Output, i).name)
      g_ptr_array_add (names, g_array_index (job->outputs, Output, i).name);
  g_ptr_array_add (names, NULL);
  return fovea_run_want (run, (const char *const *) names->pdata, error) == FOVEA_OK;
}

/* Whether a file is made of the last image. */
static gboolean
saves_last (const Job *job)
{
  for (guint i = 0; i < job->outputs->len; i++)
    if (!g_array_index (job->outputs, Output, i).name && !g_array_index (job->outputs, Output, i).step)
      return TRUE;
  return FALSE;
}

static gboolean
open_run_and_save (Job *job, fovea_error **error)
{
  gint64 start = g_get_monotonic_time ();
  fovea_run *run = open_image (job, error);
  if (!(job->report.run = run) || !want_outputs (job, run, error))
    return FALSE;
  job->report.open_ms = ms_since (start);
  start = g_get_monotonic_time ();
  if (saves_last (job))
    fovea_run_fetch_last (run);
  if (fovea_run_execute (run, device_key, NULL, NULL, error))
    return FALSE;
  job->report.run_ms = ms_since (start);
  return save_everything (job, error);
}

static char *
work (gpointer data)
{
  Job *job = data;
  g_autoptr (fovea_error) error = NULL;
  if (open_run_and_save (job, &error))
    return NULL;
  return g_strdup (fovea_error_message (error));
}

/* ---- On the main thread ---- */

static void
show_progress (gpointer data)
{
  const Job *job = data;
  const fovea_task *task = background_task (job->background);
  fovea_step step = {.size = sizeof step};
  unsigned n, steps;
  double done;
  unsigned on_disk = fovea_task_on_disk (task);
  g_autofree char *disk = report_on_disk (on_disk), *opening = opened_progress (task), *text = NULL;
  fovea_task_get_progress (task, &n, &steps, &done);
  if (steps && !fovea_recipe_get_step (job->recipe, n, &step, NULL))
    text = g_strdup_printf ("%u/%u %s %d %%%s", n + 1, steps, step.operation, (int) lround (1000 * done) / 10, disk);
  print_progress (text ? text : opening);
}

static void
say_note (const Job *job)
{
  char *note = fovea_run_note (job->report.run);
  if (note)
    print_note ("%s", note);
  fovea_text_free (note);
}

static int
run_and_wait (Job *job)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *fault = NULL;
  int status = COMMAND_DONE;
  if (!(job->background = background_start ("fovea-run", work, job, &error)))
    return command_fail (error->message);
  if (!print_quiet && isatty (STDERR_FILENO) && background_show (job->background, 1000, 100, show_progress))
    print_progress (NULL);
  if ((fault = background_end (job->background)))
    status = command_fail (fault);
  else
    say_note (job);
  print_quiet |= streams_output_is_taken ();
  if (!fault)
    report_print (&job->report);
  if (!fault && !job->outputs->len && !table_path && !report_path)
    print_note ("No file was saved: -o FILE saves the image, --table FILE the table.");
  fovea_run_free ((fovea_run *) job->report.run);
  fovea_recipe_free (job->chosen);
  return status;
}

/* What is "-" among the options goes to standard output. */
static gboolean
take_streams (GError **error)
{
  return (!table_path || (table_path = streams_output (table_path, "csv", error)))
         && (!report_path || (report_path = streams_output (report_path, "json", error))) && streams_check (error);
}

/* Whether none of the outputs would replace another or the input. */
static gboolean
check_outputs (const Job *job, GError **error)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_ptr_array_add (paths, (gpointer) (job->input ? job->input : ""));
  for (guint i = 0; i < job->outputs->len; i++) {
    const Output *output = &g_array_index (job->outputs, Output, i);
    if (!output->step || g_file_test (keep_all, G_FILE_TEST_IS_DIR)) /* a new folder has no files */
      g_ptr_array_add (paths, (gpointer) output->path);
  }
  if (table_path)
    g_ptr_array_add (paths, (gpointer) table_path);
  if (report_path)
    g_ptr_array_add (paths, (gpointer) report_path);
  g_ptr_array_add (paths, NULL);
  return outputs_differ ((const char *const *) paths->pdata, error);
}

static gboolean
check_formats (const Job *job, fovea_error **error)
{
  for (guint i = 0; i < job->outputs->len; i++) {
    const Output *output = &g_array_index (job->outputs, Output, i);
    if (!output->table && fovea_image_can_save (output->path, &job->options, error))
      return FALSE;
  }
  const fovea_csv_options csv = {sizeof csv, semicolon ? ';' : ',', raw_cells};
  return !table_path || !fovea_table_can_save (table_path, &csv, error);
}

static gboolean
makes_table (const fovea_recipe *recipe)
{
  fovea_step step = {.size = sizeof step};
  for (unsigned n = 0; !fovea_recipe_get_step (recipe, n, &step, NULL); n++)
    if (!step.skipped && step.results > step.images)
      return TRUE;
  return FALSE;
}

static int
run_steps (int argc, char **argv)
{
  g_autoptr (fovea_context) context = NULL;
  g_autoptr (fovea_recipe) recipe = NULL;
  g_autoptr (GArray) outputs = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (fovea_error) fault = NULL;
  Job job = {0};

  const int input = steps_path ? 1 : 2; /* its index */
  if (argc < input)
    return command_wrong_use ("run", "Usage: fovea run STEPS INPUT; put the steps in quotes.");
  if (!opened_series_is_right (series))
    return command_wrong_use ("run", "--series counts from 0.");
  context = command_context ();
  if (!(recipe = steps_recipe ("run", context, argv + 1)))
    return COMMAND_WRONG_USE;
  if (argc > input + 1)
    return command_wrong_use ("run", "'run' takes one argument of steps and one image file. Put the steps in quotes.");
  if (argc == input && fovea_recipe_takes_image (recipe))
    return command_wrong_use ("run", "Usage: fovea run STEPS INPUT; put the steps in quotes.");
  job.context = context;
  job.recipe = recipe;
  job.input = argv[input];
  if (!(outputs = job.outputs = outputs_parse (output_options, recipe, TRUE, &error)))
    return command_wrong_use ("run", "%s", error->message);
  if (keep_all)
    outputs_add_steps (outputs, recipe, keep_all);
  if (!take_streams (&error) || !check_outputs (&job, &error) || !save_options (&job.options, &error))
    return command_wrong_use ("run", "%s", error->message);
  if (!check_formats (&job, &fault))
    return command_wrong_use ("run", "%s", fovea_error_message (fault));
  if (table_path && !makes_table (recipe))
    return command_wrong_use ("run", "--table: no step makes a table; add one, such as 'regionprops' after 'label'.");
  if (!command_has_device ("run", context, device_key))
    return COMMAND_WRONG_USE;
  if (!opened_exist ((const char *const *) argv + input, &error))
    return command_wrong_use ("run", "%s", error->message);
  if (keep_all && g_mkdir_with_parents (keep_all, 0777)) {
    g_autofree char *text = g_strdup_printf ("the folder '%s' cannot be made: %s.", keep_all, g_strerror (errno));
    return command_fail (text);
  }
  job.report = (Report){.input = job.input ? job.input : "no image",
                        .recipe = recipe,
                        .outputs = output_options,
                        .table = table_path,
                        .folder = keep_all};
  return run_and_wait (&job);
}

const Command command_run = {
  .name = "run",
  .arguments = "'STEP | STEP | ...' [INPUT]",
  .help = "run steps on an image and save what they make",
  .description =
    "Runs steps on an image. A step is OPERATION NAME=VALUE .... Its result is named by "
    "as=NAME (as=NAME,NAME for several).\n"
    "A named result is used by from=NAME, or by another input, such as intensity=NAME. "
    "'source' is the opened image.\n"
    "INPUT is a file, a URL or - for standard input. It is not needed if the first step creates an image and no step "
    "uses the source.",
  .options = entries,
  .run = run_steps,
};

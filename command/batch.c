/* SPDX-License-Identifier: MIT
 *
 * fovea batch: steps or a macro on many images, on threads of their own, while this one shows progress.
 */
#include "command/background.h"
#include "command/batch_expect.h"
#include "command/batch_json.h"
#include "command/batch_progress.h"
#include "command/batch_renew.h"
#include "command/batch_slurm.h"
#include "command/command.h"
#include "command/lists.h"
#include "command/opened.h"
#include "command/outputs.h"
#include "command/print.h"
#include "command/save_options.h"
#include "command/steps_option.h"
#include "command/volume_options.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TERMINAL_MS = 200, LOG_MS = 10000 }; /* from one line of progress to the next */

static char **output_options, **arguments, **folders;
static char *folder, *table_path, *images_path, *name_pattern, *group, *device_key, *shard_text, *merged, *asked,
  *array;
static char **sbatch_options; /* ends with NULL */
static int jobs;
static const char *macro; /* its file; NULL: steps */
static double seconds;
static gboolean dry_run, as_json, semicolon, raw_cells, resume, zeros, files_alone, slurm;

static const GOptionEntry entries[] = {
  STEPS_OPTION,
  RAW_OPTION,
  {"out", 0, 0, G_OPTION_ARG_FILENAME, &folder, "Folder for the outputs and the manifest, which records what is done",
   "DIR"},
  {"output", 'o', 0, G_OPTION_ARG_FILENAME_ARRAY, &output_options,
   "Save each image's last result, such as '{name}.tif'; NAME=PATTERN saves the result "
   "named with as=NAME, a table as .csv. May be repeated",
   "PATTERN"},
  {"table", 't', 0, G_OPTION_ARG_FILENAME, &table_path,
   "Save the last tables of all images as one file in DIR: .csv, .tsv, .jsonl, .fits, .vot "
   "or .parquet",
   "FILE"},
  {"images", 0, 0, G_OPTION_ARG_FILENAME, &images_path,
   "Save one row for each image, including images without objects and failed ones: counts, "
   "thresholds, sums and means, seconds, error",
   "FILE"},
  {"name-pattern", 0, 0, G_OPTION_ARG_STRING, &name_pattern,
   "Add columns from input names: '{plate}_{well}_s{field}.tif', or a regular expression "
   "with (?P<names>)",
   "PATTERN"},
  {"group", 0, 0, G_OPTION_ARG_STRING, &group,
   "Merge the rows of --images by groups of images that share these parts of their names, "
   "such as plate,well; plates have well and field without a pattern",
   "PARTS"},
  {"semicolon", 0, 0, G_OPTION_ARG_NONE, &semicolon,
   "Tables for spreadsheets with decimal commas: columns separated by ';', and 5,5 for 5.5", NULL},
  {"raw-cells", 0, 0, G_OPTION_ARG_NONE, &raw_cells,
   "Write text cells that begin with = + - @ or contain control characters unchanged, for "
   "programs that run no formulas",
   NULL},
  VOLUME_OPTIONS,
  NATIVE_OPTION,
  {"device", 'd', 0, G_OPTION_ARG_STRING, &device_key,
   "auto (default: the device expected to finish first), cpu, cuda (all GPUs) or cuda:N", "DEVICE"},
  {"jobs", 'j', 0, G_OPTION_ARG_INT, &jobs, "Process N images at a time (default: the number of cores)", "N"},
  {"resume", 0, 0, G_OPTION_ARG_NONE, &resume, "Resume the batch in DIR; finished images are not processed again",
   NULL},
  {"dry-run", 0, 0, G_OPTION_ARG_NONE, &dry_run,
   "Print what would be read, saved and skipped, and what is wrong, and make nothing", NULL},
  {"json", 0, 0, G_OPTION_ARG_NONE, &as_json, "Print the summary, or what --dry-run or --status print, as JSON", NULL},
  {"arg", 'a', 0, G_OPTION_ARG_STRING_ARRAY, &arguments,
   "Set a field of the macro's dialog; without a name, set what getArgument() returns. May "
   "be repeated",
   "NAME=VALUE"},
  {"allow", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &folders,
   "Allow the macro to read this folder too, in addition to its own and those of its "
   "images. May be repeated",
   "DIR"},
  {"time", 0, 0, G_OPTION_ARG_DOUBLE, &seconds, "Time limit of the macro for one image", "SECONDS"},
  {"shard", 0, 0, G_OPTION_ARG_STRING, &shard_text,
   "Process only part K of N, to divide a batch between processes or machines", "K/N"},
  {"null", '0', 0, G_OPTION_ARG_NONE, &zeros, "Names in lists end with a null byte", NULL},
  {"files", 0, 0, G_OPTION_ARG_NONE, &files_alone, "Treat every input as a file (no folders, no patterns)", NULL},
  {"merge", 0, 0, G_OPTION_ARG_FILENAME, &merged, "Merge the tables of all finished shards in DIR", "DIR"},
  {"status", 0, 0, G_OPTION_ARG_FILENAME, &asked, "Show the progress of the batch in DIR", "DIR"},
  {"slurm", 0, 0, G_OPTION_ARG_NONE, &slurm,
   "Submit to Slurm: an array of tasks, and a job that merges their tables. Options for "
   "sbatch follow after --",
   NULL},
  {"array", 0, 0, G_OPTION_ARG_STRING, &array, "With --slurm: the number of tasks, or N%M to run M of them at a time",
   "N"},
  SAVE_OPTIONS,
  {NULL, 0, 0, 0, NULL, NULL, NULL},
};

/* ---- Running ---- */

static char *
run (gpointer data)
{
  const BatchProgress *work = data;
  g_autoptr (fovea_error) error = NULL;
  return fovea_batch_run (work->batch, &error) ? g_strdup (fovea_error_message (error)) : NULL;
}

static void
say_parts (const fovea_batch_counts *counts)
{
  if (counts->parts)
    print_report (counts->parts == 1 ? "%" G_GUINT64_FORMAT " file belongs to another image."
                                     : "%" G_GUINT64_FORMAT " files belong to other images.",
                  counts->parts);
}

static int
report (const BatchProgress *work, const char *fault)
{
  fovea_batch_counts counts = batch_progress_counts (work);
  g_autofree char *took = batch_progress_duration ((double) (g_get_monotonic_time () - work->started) / G_USEC_PER_SEC);
  g_autofree char *before =
    counts.before ? g_strdup_printf (" (%" G_GUINT64_FORMAT " done before)", counts.before) : g_strdup ("");
  if (fault)
    return command_fail (fault);
  if (work->json)
    batch_json_end (work->json, &counts, (double) (g_get_monotonic_time () - work->started) / G_USEC_PER_SEC);
  else {
    print_report ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " images in %s%s: %s", counts.done, counts.images, took,
                  before, folder);
    say_parts (&counts);
  }
  if (!counts.failed)
    return COMMAND_DONE;
  print_error ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
               " images failed; 'fovea batch --status' with the folder says why.",
               counts.failed, counts.images);
  return COMMAND_FAILED;
}

static int
run_and_wait (BatchProgress *work)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *fault = NULL;
  gboolean terminal = isatty (STDERR_FILENO);
  Background *background;
  work->started = g_get_monotonic_time ();
  if (!(background = background_start ("fovea-batch", run, work, &error)))
    return command_fail (error->message);
  if (!print_quiet
      && background_show (background, terminal ? 1000 : LOG_MS, terminal ? TERMINAL_MS : LOG_MS, batch_progress_show)
      && terminal)
    print_progress (NULL);
  fault = background_end (background);
  return report (work, fault);
}

/* ---- Arguments ---- */

/* Whether it names the file of a macro, not steps. */
static gboolean
is_macro (const char *work)
{
  g_autofree char *end = g_ascii_strdown (work, -1);
  return g_str_has_suffix (end, ".lua") || g_str_has_suffix (end, ".ijm");
}

static gboolean
parse_shard (fovea_batch_options *options)
{
  int used = 0;
  if (!shard_text)
    return TRUE;
  return sscanf (shard_text, "%u/%u%n", &options->shard, &options->shards, &used) == 2 && !shard_text[used]
         && options->shard >= 1 && options->shard <= options->shards;
}

/* The inputs, with those that lists name; ends with NULL. */
static GPtrArray *
read_inputs (char **arguments, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  for (; *arguments; arguments++) {
    const char *name = *arguments;
    if (!strcmp (name, "-") || *name == '@') {
      const guint before = names->len;
      if (!lists_read (names, *name == '@' ? name + 1 : NULL, zeros, error))
        return NULL;
      for (guint i = before; i < names->len && *name == '-'; i++)
        batch_renew_keep_line (names->pdata[i], zeros);
      continue;
    }
    if (!files_alone && !opened_is_no_path (name) && !g_file_test (name, G_FILE_TEST_EXISTS)
        && !strpbrk (name, "*?[")) {
      char *shown = fovea_text_from_bytes (name, NULL);
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "file or folder '%s' does not exist.", shown);
      fovea_text_free (shown);
      return NULL;
    }
    g_ptr_array_add (names, g_strdup (name));
  }
  g_ptr_array_add (names, NULL);
  return g_steal_pointer (&names);
}

/* The outputs as the library takes them; ends with NULL. They refer to `parsed`. */
static GPtrArray *
batch_outputs (const GArray *parsed)
{
  GPtrArray *outputs = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < parsed->len; i++) {
    const Output *from = &g_array_index (parsed, Output, i);
    const fovea_batch_output output = {sizeof output, from->name, from->path};
    g_ptr_array_add (outputs, g_memdup2 (&output, sizeof output));
  }
  g_ptr_array_add (outputs, NULL);
  return outputs;
}

/* In the folder of the outputs unless it says another one. */
static char *
table_in (const char *where, const char *path)
{
  return !path || g_path_is_absolute (path) ? g_strdup (path) : g_build_filename (where, path, NULL);
}

/* The argument of `fovea` for an option, if it was given. */
static void
add_option (GPtrArray *options, const GOptionEntry *entry)
{
  char *const *text = entry->arg_data;
  if (entry->arg == G_OPTION_ARG_NONE && *(gboolean *) entry->arg_data)
    g_ptr_array_add (options, g_strdup_printf ("--%s", entry->long_name));
  else if (entry->arg == G_OPTION_ARG_INT && *(int *) entry->arg_data)
    g_ptr_array_add (options, g_strdup_printf ("--%s=%d", entry->long_name, *(int *) entry->arg_data));
  else if (entry->arg == G_OPTION_ARG_DOUBLE && *(double *) entry->arg_data > 0)
    g_ptr_array_add (options, g_strdup_printf ("--%s=%.17g", entry->long_name, *(double *) entry->arg_data));
  else if ((entry->arg == G_OPTION_ARG_STRING || entry->arg == G_OPTION_ARG_FILENAME) && *text)
    g_ptr_array_add (options, g_strdup_printf ("--%s=%s", entry->long_name, *text));
  else if (entry->arg == G_OPTION_ARG_FILENAME_ARRAY || entry->arg == G_OPTION_ARG_STRING_ARRAY)
    for (char **each = *(char ***) entry->arg_data; each && *each; each++)
      g_ptr_array_add (options, g_strdup_printf ("--%s=%s", entry->long_name, *each));
}

/* For a task of Slurm: all options but those that say what part of the batch is done where. steps: NULL for a macro. */
static GPtrArray *
task_arguments (const char *steps, const char *out)
{
  static const char *const others[] = {"steps", "dry-run", "json",   "out",   "table", "images",
                                       "group", "device",  "resume", "shard", "null",  "files",
                                       "merge", "status",  "slurm",  "array", NULL};
  GPtrArray *options = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (options, g_strdup ("batch"));
  g_ptr_array_add (options, steps ? g_strdup (steps) : g_canonicalize_filename (macro, NULL));
  g_ptr_array_add (options, g_strdup_printf ("--out=%s", out));
  for (const GOptionEntry *entry = entries; entry->long_name; entry++)
    if (!g_strv_contains (others, entry->long_name))
      add_option (options, entry);
  g_ptr_array_add (options, NULL);
  return options;
}

static int
submit (const fovea_batch *batch, const char *steps, const char *table, const char *images)
{
  g_autofree char *out = g_canonicalize_filename (folder, NULL), *merge_out = g_strconcat ("--merge=", out, NULL),
                  *absolute = table ? g_canonicalize_filename (table, NULL) : NULL,
                  *merge_table = table ? g_strconcat ("--table=", absolute, NULL) : NULL,
                  *about = images ? g_canonicalize_filename (images, NULL) : NULL,
                  *merge_group = group ? g_strconcat ("--group=", group, NULL) : NULL,
                  *merge_images = images ? g_strconcat ("--images=", about, NULL) : NULL;
  g_autoptr (GPtrArray) task = task_arguments (steps, out);
  const char *merge[] = {"batch", merge_out, NULL, NULL, NULL, NULL, NULL, NULL}, **next = merge + 2;
  if (table)
    *next++ = merge_table;
  if (images)
    *next++ = merge_images;
  if (group)
    *next++ = merge_group;
  if (semicolon)
    *next++ = "--semicolon";
  if (raw_cells)
    *next++ = "--raw-cells";
  return batch_slurm_submit (&(BatchSlurm){.batch = batch,
                                           .folder = out,
                                           .task = (const char *const *) task->pdata,
                                           .merge = table || images ? merge : NULL,
                                           .device = device_key,
                                           .array = array,
                                           .options = (const char *const *) sbatch_options,
                                           .resume = resume});
}

/* Of what has been checked; NULL after a message, with the exit status. */
static fovea_batch *
new_batch (fovea_context *context, const fovea_recipe *recipe, const GPtrArray *inputs,
           const fovea_batch_options *options, int *status)
{
  g_autoptr (fovea_error) fault = NULL;
  const char *const *files = (const char *const *) inputs->pdata;
  const fovea_macro_options macro_options = {.size = sizeof macro_options,
                                             .arguments = (const char *const *) arguments,
                                             .folders = (const char *const *) folders,
                                             .seconds = seconds,
                                             .print = batch_progress_print,
                                             .user = options->user};
  fovea_batch *batch = recipe ? fovea_batch_new (recipe, files, options, &fault)
                              : fovea_batch_new_of_macro (context, macro, NULL, &macro_options, files, options, &fault);
  if (!batch)
    *status = command_fault ("batch", fault);
  return batch;
}

/* Whether files of these names can be written. */
static gboolean
check_formats (const char *table, const char *images, const GArray *outputs, const fovea_save_options *save,
               fovea_error **error)
{
  const fovea_csv_options csv = {sizeof csv, semicolon ? ';' : ',', raw_cells};
  for (guint i = 0; i < outputs->len; i++) {
    const Output *output = &g_array_index (outputs, Output, i);
    if (!output->table && fovea_image_can_save (output->path, save, error))
      return FALSE;
  }
  return !(table && fovea_table_can_save (table, &csv, error))
         && !(images && fovea_table_can_save (images, &csv, error));
}

static int
parse_and_run (char **argv)
{
  g_autoptr (fovea_context) context = command_context ();
  g_autoptr (fovea_recipe) recipe = NULL;
  g_autoptr (fovea_error) fault = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) parsed = NULL;
  g_autoptr (GPtrArray) inputs = NULL, outputs = NULL;
  g_autofree char *table = table_in (folder, table_path), *images = table_in (folder, images_path);
  fovea_save_options save;
  BatchProgress work = {.json = as_json && !dry_run ? batch_json_begin (folder) : NULL};
  int status = COMMAND_DONE;
  fovea_batch_options options = {.size = sizeof options,
                                 .folder = folder,
                                 .table = table,
                                 .images = images,
                                 .name_pattern = name_pattern,
                                 .group = group,
                                 .separator = semicolon ? ';' : ',',
                                 .save = &save,
                                 .device = device_key,
                                 .jobs = (unsigned) jobs,
                                 .resume = resume,
                                 .files_alone = files_alone,
                                 .raw = raw_cells,
                                 .raw_pixels = opened_raw,
                                 .failed = batch_progress_failed,
                                 .noted = batch_progress_noted,
                                 .user = &work,
                                 .renew = batch_renew};
  if (!macro && !(recipe = steps_recipe ("batch", context, argv + 1)))
    return COMMAND_WRONG_USE;
  if (!g_strcmp0 (steps_path, "-"))
    batch_renew_keep_line (fovea_recipe_text (recipe), FALSE);
  if (!parse_shard (&options))
    return command_wrong_use ("batch", "--shard must be K/N, part K of N, counted from 1; not '%s'.", shard_text);
  if (!opened_exist ((const char *const[]){NULL}, &error)
      || !(parsed = outputs_parse (output_options, recipe, FALSE, &error)) || !save_options (&save, &error)
      || !(inputs = read_inputs (argv + (steps_path ? 1 : 2), &error)))
    return command_wrong_use ("batch", "%s", error->message);
  if (!check_formats (table, images, parsed, &save, &fault))
    return command_wrong_use ("batch", "%s", fovea_error_message (fault));
  if (!command_has_device ("batch", context, device_key))
    return COMMAND_WRONG_USE;
  outputs = batch_outputs (parsed);
  options.outputs = (const fovea_batch_output *const *) outputs->pdata;
  g_mutex_init (&work.printing);
  if (!(work.batch = new_batch (context, recipe, inputs, &options, &status)))
    return status;
  status = dry_run ? batch_expect_print (&(BatchExpect){work.batch, folder, table, images, as_json, print_quiet})
           : slurm ? submit (work.batch, fovea_recipe_text (recipe), table, images)
                   : run_and_wait (&work);
  fovea_batch_free (work.batch);
  return status;
}

/* ---- Folders ---- */

static void
on_known_failure (void *user, const char *file, unsigned series, const char *why)
{
  g_autofree char *image = series ? g_strdup_printf ("%s, image %u", file, series) : g_strdup (file);
  if (user)
    batch_json_add (user, file, series, why);
  else
    print_line ("%s: %s", image, why);
}

static int
say_status (void)
{
  g_autoptr (fovea_error) error = NULL;
  fovea_batch_counts counts = {.size = sizeof counts};
  if (!g_file_test (asked, G_FILE_TEST_IS_DIR))
    return command_wrong_use ("batch", "--status: the folder '%s' does not exist.", asked);
  JsonBuilder *json = as_json ? batch_json_begin (asked) : NULL;
  if (!json)
    batch_slurm_status (asked);
  if (fovea_batch_status (asked, &counts, on_known_failure, json, &error))
    return command_fault ("batch", error);
  if (json)
    batch_json_end (json, &counts, -1);
  else {
    print_line ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " images are done, %" G_GUINT64_FORMAT " failed.",
                counts.done, counts.images, counts.failed);
    say_parts (&counts);
  }
  return counts.failed || counts.done < counts.images ? COMMAND_FAILED : COMMAND_DONE;
}

static int
merge (void)
{
  g_autoptr (fovea_error) error = NULL;
  fovea_batch_counts counts = {.size = sizeof counts};
  g_autofree char *table = table_in (merged, table_path), *images = table_in (merged, images_path);
  const fovea_csv_options csv = {sizeof csv, semicolon ? ';' : ',', raw_cells};
  if (!table && !images)
    return command_wrong_use ("batch", "--merge needs --table or --images, which name the table to write.");
  if (!g_file_test (merged, G_FILE_TEST_IS_DIR))
    return command_wrong_use ("batch", "--merge: the folder '%s' does not exist.", merged);
  if ((table && fovea_table_can_save (table, &csv, &error)) || (images && fovea_table_can_save (images, &csv, &error)))
    return command_wrong_use ("batch", "%s", fovea_error_message (error));
  if ((table && fovea_batch_merge (merged, table, &csv, &error))
      || (images && fovea_batch_merge_images (merged, images, group, &csv, &error))
      || fovea_batch_status (merged, &counts, NULL, NULL, &error))
    return command_fail (fovea_error_message (error));
  if (!counts.failed)
    return COMMAND_DONE;
  print_error ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " images failed and have no rows.", counts.failed,
               counts.images);
  return COMMAND_FAILED;
}

/* With --slurm before it, what is behind -- is sbatch's. */
static void
take_sbatch_options (int *argc, char **argv)
{
  static char *none[] = {NULL};
  gboolean wanted = FALSE;
  sbatch_options = none;
  for (int i = 1; i < *argc; i++) {
    wanted = wanted || !strcmp (argv[i], "--slurm");
    if (strcmp (argv[i], "--"))
      continue;
    if (wanted) {
      sbatch_options = argv + i + 1;
      argv[i] = NULL;
      *argc = i;
    }
    return;
  }
}

static void
before_batch (int *argc, char **argv)
{
  batch_renew_keep (argv);
  take_sbatch_options (argc, argv);
}

static int
run_batch (int argc, char **argv)
{
  if (asked && argc == 1)
    return say_status ();
  if (merged && argc == 1)
    return merge ();
  if (asked || merged)
    return command_wrong_use ("batch", "%s accepts no steps or images.", asked ? "--status" : "--merge");
  if (argc < (steps_path ? 2 : 3))
    return command_wrong_use ("batch", "Usage: fovea batch STEPS|MACRO INPUT... --out DIR; put the steps in quotes.");
  macro = !steps_path && is_macro (argv[1]) ? argv[1] : NULL;
  if (macro && !g_file_test (macro, G_FILE_TEST_EXISTS))
    return command_wrong_use ("batch", "'%s' does not exist.", macro);
  if (!folder)
    return command_wrong_use ("batch", "--out must name the output folder.");
  if (slurm && shard_text)
    return command_wrong_use ("batch",
                              "--slurm creates the shards itself; set their number with --array and remove --shard.");
  if (slurm && (dry_run || as_json))
    return command_wrong_use ("batch", "--dry-run and --json do not work with --slurm.");
  if (array && !slurm)
    return command_wrong_use ("batch", "--array needs --slurm.");
  if (!g_strcmp0 (table_path, "-"))
    return command_wrong_use ("batch",
                              "--table must be a file, because the table is written when all images are done.");
  if (group && !images_path)
    return command_wrong_use ("batch", "--group needs --images: it merges the rows of that table by group.");
  if (jobs < 0)
    return command_wrong_use ("batch", "--jobs must be a number of images, at least 1, not %d.", jobs);
  if ((arguments || folders || seconds > 0) && !macro)
    return command_wrong_use ("batch", "--arg, --allow and --time work only with a macro (a .lua file).");
  if ((volume_wanted || volume_planes) && macro)
    return command_wrong_use ("batch",
                              "--volume and --planes work only with steps; a macro sets volume= in its steps.");
  if (output_options && macro)
    return command_wrong_use ("batch", "--output works only with steps; a macro saves its own files with saveAs().");
  if (!(seconds >= 0) || seconds > 1e9)
    return command_wrong_use ("batch", "--time must be above 0.");
  return parse_and_run (argv);
}

const Command command_batch = {
  .name = "batch",
  .arguments = "'STEP | STEP | ...'|MACRO INPUT...",
  .help = "run steps or a macro on many images",
  .description = "Runs steps, or a macro (a .lua file such as the app records), on many images. An INPUT "
                 "is a file, a folder\n"
                 "(searched with its subfolders), a pattern such as 'plate?/*.tif', @FILE (a list with "
                 "one name per line),\n"
                 "or - (a list on standard input). The outputs of each image go into DIR, named after the "
                 "image with {name};\n"
                 "files that a macro saves go into a folder of that name. Failures are recorded and the "
                 "batch continues.\n--resume continues an interrupted batch.",
  .options = entries,
  .before = before_batch,
  .run = run_batch,
};

/* SPDX-License-Identifier: MIT
 *
 * fovea score: one step, of the operation of that name, on two files, and its table.
 */
#include "command/background.h"
#include "command/command.h"
#include "command/opened.h"
#include "command/outputs.h"
#include "command/streams.h"

#include <string.h>

static gboolean summary, volume;
static char *device_key;
static const char *table_path;
static int series = SERIES_NOT_CHOSEN;

static const GOptionEntry entries[] = {
  {"summary", 0, 0, G_OPTION_ARG_NONE, &summary, "One row for the image, not one for each threshold", NULL},
  {"volume", 0, 0, G_OPTION_ARG_NONE, &volume, "Objects are of the whole stack, not of each slice", NULL},
  {"table", 't', 0, G_OPTION_ARG_FILENAME, &table_path,
   "Save the table, which is else printed; the extension sets the format: .csv, .tsv, .jsonl, .fits, .vot or .parquet",
   "FILE"},
  {"device", 'd', 0, G_OPTION_ARG_STRING, &device_key, "Where to compute: auto, cpu, cuda or cuda:N", "DEVICE"},
  SERIES_OPTION (series),
  RAW_OPTION,
  FORMAT_OPTION,
  {NULL, 0, 0, 0, NULL, NULL, NULL},
};

typedef struct {
  fovea_context *context;
  fovea_recipe *recipe;
  const char *labels;
} Job;

/* On the thread that works. */
static char *
work (gpointer data)
{
  const Job *job = data;
  g_autoptr (fovea_error) error = NULL;
  g_autoptr (fovea_image) image = opened_image (job->context, job->labels, series, &error);
  g_autoptr (fovea_run) run = image ? fovea_run_new (job->recipe, image, FOVEA_KEEP_NAMED, &error) : NULL;
  g_autoptr (fovea_table) table = NULL;
  if (run && !fovea_run_execute (run, device_key, NULL, NULL, &error))
    table = fovea_run_table (run, NULL, &error);
  if (table && !fovea_table_save (table, table_path, NULL, &error))
    return NULL;
  return g_strdup (fovea_error_message (error));
}

static fovea_recipe *
make_recipe (fovea_context *context, const char *truth, fovea_error **error)
{
  g_autofree char *text = g_strdup_printf ("score%s%s", summary ? " rows=summary" : "", volume ? " volume=yes" : "");
  g_autofree char *file = g_strconcat ("file:", truth, NULL);
  g_autoptr (fovea_recipe) recipe = fovea_recipe_parse (context, text, error);
  return recipe ? fovea_recipe_with (recipe, 0, "truth", file, error) : NULL;
}

static int
run_score (int argc, char **argv)
{
  g_autoptr (fovea_context) context = NULL;
  g_autoptr (fovea_recipe) recipe = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (fovea_error) fault = NULL;
  g_autofree char *failed = NULL;
  if (argc != 3)
    return command_wrong_use ("score", "Usage: fovea score LABELS TRUTH");
  if (!strcmp (argv[2], "-"))
    return command_wrong_use ("score", "the truth must be a file; standard input (-) can be the labels.");
  if (!opened_series_is_right (series))
    return command_wrong_use ("score", "--series counts from 0.");
  if (!(table_path = streams_output (table_path ? table_path : "-", "csv", &error)) || !streams_check (&error)
      || !opened_exist ((const char *const[]){argv[1], argv[2], NULL}, &error)
      || !outputs_differ ((const char *const[]){argv[1], table_path, NULL}, &error)
      || !outputs_differ ((const char *const[]){argv[2], table_path, NULL}, &error))
    return command_wrong_use ("score", "%s", error->message);
  if (fovea_table_can_save (table_path, NULL, &fault))
    return command_wrong_use ("score", "%s", fovea_error_message (fault));
  context = command_context ();
  if (!(recipe = make_recipe (context, argv[2], &fault)))
    return command_fault ("score", fault);
  if (!command_has_device ("score", context, device_key))
    return COMMAND_WRONG_USE;
  Background *background =
    background_start ("fovea-score", work, &(Job){.context = context, .recipe = recipe, .labels = argv[1]}, &error);
  if (!background)
    return command_fail (error->message);
  failed = background_end (background);
  return failed ? command_fail (failed) : COMMAND_DONE;
}

const Command command_score = {
  .name = "score",
  .arguments = "LABELS TRUTH",
  .help = "compare found objects with the true ones",
  .description = "Compares a label image with the true one, and prints a table: at each threshold of the IoU how many "
                 "objects match,\n"
                 "are missed, extra, merged and split, with precision, recall, F1 and average precision.",
  .options = entries,
  .run = run_score,
};

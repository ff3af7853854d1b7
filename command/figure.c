/* SPDX-License-Identifier: MIT
 *
 * fovea figure: an image, or what steps make of it, as a figure.
 */
#include "command/background.h"
#include "command/command.h"
#include "command/opened.h"
#include "command/outputs.h"
#include "command/print.h"
#include "command/reference.h"
#include "command/steps_option.h"
#include "command/streams.h"

static char *steps, *device_key;
static int series = SERIES_NOT_CHOSEN;
static gboolean choices;

static const GOptionEntry entries[] = {
  {"run", 's', 0, G_OPTION_ARG_STRING, &steps, "Run these steps on the image first", "'STEP | ...'"},
  STEPS_OPTION,
  NATIVE_OPTION,
  {"device", 'd', 0, G_OPTION_ARG_STRING, &device_key, "Where steps run: auto, cpu, cuda or cuda:N", "DEVICE"},
  SERIES_OPTION (series),
  RAW_OPTION,
  FORMAT_OPTION,
  {"choices", 0, 0, G_OPTION_ARG_NONE, &choices, "Print each NAME and its possible VALUEs", NULL},
  {NULL, 0, 0, 0, NULL, NULL, NULL},
};

typedef struct {
  fovea_context *context;
  fovea_recipe *recipe;
  const char *input, *figure;
  const char *const *words;
} Job;

/* On the thread that works. */
static char *
work (gpointer data)
{
  const Job *job = data;
  g_autoptr (fovea_error) error = NULL;
  g_autoptr (fovea_image) image = opened_image (job->context, job->input, series, &error);
  g_autoptr (fovea_run) run = image ? fovea_run_new (job->recipe, image, FOVEA_KEEP_ALL, &error) : NULL;
  if (run && (!fovea_recipe_length (job->recipe) || !fovea_run_execute (run, device_key, NULL, NULL, &error))
      && !fovea_figure_save (run, job->words, job->figure, &error))
    return NULL;
  return g_strdup (fovea_error_message (error));
}

static int
make (Job *job)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *fault = NULL;
  Background *background = background_start ("fovea-figure", work, job, &error);
  if (!background)
    return command_fail (error->message);
  fault = background_end (background);
  return fault ? command_fail (fault) : COMMAND_DONE;
}

static int
print_choices (void)
{
  g_autoptr (fovea_context) context = command_context ();
  g_autofree char *text = reference_text (fovea_context_figure (context));
  print_text (text);
  return COMMAND_DONE;
}

static int
run_figure (int argc, char **argv)
{
  g_autoptr (fovea_context) context = NULL;
  g_autoptr (fovea_recipe) recipe = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (fovea_error) fault = NULL;
  if (choices)
    return print_choices ();
  if (argc < 3)
    return command_wrong_use ("figure", "Usage: fovea figure INPUT OUTPUT [NAME=VALUE...]");
  if (!opened_series_is_right (series))
    return command_wrong_use ("figure", "--series counts from 0.");
  if (steps && steps_path)
    return command_wrong_use ("figure", "the steps are given twice, by --steps and --run.");
  Job job = {.input = argv[1], .words = (const char *const *) argv + 3};
  if (!(job.figure = streams_output (argv[2], "png", &error)) || !streams_check (&error)
      || !opened_exist ((const char *const[]){job.input, NULL}, &error)
      || !outputs_differ ((const char *const[]){job.input, job.figure, NULL}, &error))
    return command_wrong_use ("figure", "%s", error->message);
  if (fovea_figure_check (job.words, job.figure, &fault))
    return command_wrong_use ("figure", "%s", fovea_error_message (fault));
  context = job.context = command_context ();
  if (steps || steps_path)
    recipe = steps_recipe ("figure", context, (char *[]){steps ? steps : (char *) job.input, NULL});
  else
    recipe = fovea_recipe_empty (context, NULL);
  if (!(job.recipe = recipe) || !command_has_device ("figure", context, device_key))
    return COMMAND_WRONG_USE;
  return make (&job);
}

const Command command_figure = {
  .name = "figure",
  .arguments = "INPUT FIGURE [NAME=VALUE...]",
  .help = "draw an image with scale bar, objects and text",
  .description = "Draws an image as the app shows it, with a scale bar, object outlines, text and colors. "
                 "The output is a .png, .tif,\n"
                 ".svg or .pdf file; in .svg and .pdf, lines and text are vector graphics. For example:\n"
                 "  fovea figure cells.tif cells.pdf -s 'otsu | label' step=0 width=85 unit=mm dpi=600 "
                 "bar_length=20 text=A",
  .options = entries,
  .run = run_figure,
};

/* SPDX-License-Identifier: MIT
 *
 * fovea compare: the same steps on the CPU and on every GPU.
 */
#include "command/background.h"
#include "command/command.h"
#include "command/json.h"
#include "command/opened.h"
#include "command/outputs.h"
#include "command/print.h"
#include "command/steps_option.h"
#include "command/volume_options.h"

#include <unistd.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC (fovea_comparison, fovea_comparison_free)

static int repeat = 5, series = SERIES_NOT_CHOSEN;
static gboolean as_json;
static char *report_path;

static const GOptionEntry entries[] = {
  STEPS_OPTION,
  {"repeat", 'n', 0, G_OPTION_ARG_INT, &repeat, "Number of timed runs on each device; default 5", "N"},
  SERIES_OPTION (series),
  RAW_OPTION,
  {"json", 0, 0, G_OPTION_ARG_NONE, &as_json, "Print JSON", NULL},
  {"report", 0, 0, G_OPTION_ARG_FILENAME, &report_path, "Save the JSON", "FILE"},
  VOLUME_OPTIONS,
  NATIVE_OPTION,
  {NULL, 0, 0, 0, NULL, NULL, NULL},
};

typedef struct {
  fovea_context *context;
  fovea_recipe *recipe;
  const char *input;
  fovea_comparison *comparison; /* the result */
  Background *background;
} Job;

static char *
work (gpointer data)
{
  Job *job = data;
  g_autoptr (fovea_image) image = NULL;
  g_autoptr (fovea_error) error = NULL;
  if (!job->input || (image = opened_image (job->context, job->input, series, &error)))
    job->comparison = fovea_comparison_new (job->recipe, image, (unsigned) repeat, &error);
  return error ? g_strdup (fovea_error_message (error)) : NULL;
}

static void
show_progress (gpointer data)
{
  const Job *job = data;
  fovea_step step = {.size = sizeof step};
  unsigned n, steps;
  double done;
  fovea_task_get_progress (background_task (job->background), &n, &steps, &done);
  g_autofree char *opening = opened_progress (background_task (job->background));
  print_progress (steps && !fovea_recipe_get_step (job->recipe, n, &step, NULL) ? step.operation : opening);
}

/* ---- JSON ---- */

static void
add_number (JsonBuilder *b, const char *name, double number)
{
  json_add_number (json_builder_set_member_name (b, name), number);
}

static void
add_results (JsonBuilder *b, const fovea_comparison *comparison, unsigned n)
{
  fovea_compared_result result = {.size = sizeof result};
  json_builder_begin_array (json_builder_set_member_name (b, "results"));
  for (unsigned i = 0; !fovea_comparison_get_result (comparison, n, i, &result, NULL); i++) {
    json_builder_begin_object (b);
    json_add_text (b, "result", result.result);
    json_add_text (b, "column", result.column);
    json_builder_add_boolean_value (json_builder_set_member_name (b, "agrees"), result.agrees);
    json_builder_add_int_value (json_builder_set_member_name (b, "values"), result.values);
    json_builder_add_int_value (json_builder_set_member_name (b, "differing"), result.differing);
    add_number (b, "largest_difference", result.difference);
    add_number (b, "largest_value", result.largest);
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
}

static void
add_device (JsonBuilder *b, const Job *job, unsigned n)
{
  fovea_compared_device device = {.size = sizeof device};
  fovea_comparison_get_device (job->comparison, n, &device, NULL);
  json_builder_begin_object (b);
  json_add_text (b, "device", device.device->key);
  json_add_text (b, "device_name", device.device->name);
  json_add_text (b, "fault", device.fault);
  json_builder_begin_array (json_builder_set_member_name (b, "step_ms"));
  for (unsigned i = 0; !device.fault && i < fovea_recipe_length (job->recipe); i++)
    json_add_number (b, device.step_ms[i]);
  json_builder_end_array (b);
  add_number (b, "steps_ms", device.ms);
  add_number (b, "up_ms", device.up_ms);
  add_number (b, "down_ms", device.down_ms);
  add_number (b, "wall_ms", device.wall_ms);
  json_builder_add_int_value (json_builder_set_member_name (b, "bytes_uploaded"), (gint64) device.uploaded);
  json_builder_add_int_value (json_builder_set_member_name (b, "bytes_downloaded"), (gint64) device.downloaded);
  add_results (b, job->comparison, n);
  json_builder_end_object (b);
}

static JsonBuilder *
build_json (const Job *job)
{
  g_autofree char *program = g_strdup_printf ("fovea %s", fovea_version ());
  JsonBuilder *b = json_builder_new ();
  json_builder_begin_object (b);
  json_add_text (b, "program", program);
  json_add_bytes (b, "input", job->input ? job->input : "no image");
  json_builder_add_int_value (json_builder_set_member_name (b, "repeat"), repeat);
  json_builder_begin_array (json_builder_set_member_name (b, "steps"));
  for (unsigned i = 0; i < fovea_recipe_length (job->recipe); i++) {
    fovea_step step = {.size = sizeof step};
    fovea_recipe_get_step (job->recipe, i, &step, NULL);
    json_builder_add_string_value (b, step.text);
  }
  json_builder_end_array (b);
  json_builder_begin_array (json_builder_set_member_name (b, "devices"));
  for (unsigned n = 0; n < fovea_comparison_devices (job->comparison); n++)
    add_device (b, job, n);
  json_builder_end_array (b);
  json_builder_end_object (b);
  return b;
}

/* ---- On the main thread ---- */

static int
report (const Job *job)
{
  g_autoptr (fovea_error) error = NULL;
  g_autofree char *text = report_path ? json_end (build_json (job)) : NULL;
  if (text && fovea_text_save (text, report_path, &error))
    return command_fail (fovea_error_message (error));
  if (as_json) {
    json_print (build_json (job));
    return COMMAND_DONE;
  }
  char *lines = fovea_comparison_text (job->comparison);
  print_line ("%s, the median of %d run%s on each device", job->input ? job->input : "no image", repeat,
              repeat > 1 ? "s" : "");
  print_text (lines);
  fovea_text_free (lines);
  return COMMAND_DONE;
}

static int
compare (Job *job)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *fault = NULL;
  int status;
  if (!(job->background = background_start ("fovea-compare", work, job, &error)))
    return command_fail (error->message);
  if (isatty (STDERR_FILENO) && background_show (job->background, 1000, 100, show_progress))
    print_progress (NULL);
  fault = background_end (job->background);
  status = fault ? command_fail (fault) : report (job);
  fovea_comparison_free (job->comparison);
  return status;
}

static int
run_compare (int argc, char **argv)
{
  g_autoptr (fovea_context) context = NULL;
  g_autoptr (fovea_recipe) recipe = NULL;
  g_autoptr (GError) error = NULL;
  const int input = steps_path ? 1 : 2; /* its index */
  if (argc < input)
    return command_wrong_use ("compare", "Usage: fovea compare STEPS INPUT; put the steps in quotes.");
  if (repeat < 1 || repeat > 1000)
    return command_wrong_use ("compare", "--repeat must be from 1 to 1000, not %d.", repeat);
  if (!opened_series_is_right (series))
    return command_wrong_use ("compare", "--series counts from 0.");
  context = command_context ();
  if (!(recipe = steps_recipe ("compare", context, argv + 1)))
    return COMMAND_WRONG_USE;
  if (argc > input + 1 || (argc == input && fovea_recipe_takes_image (recipe)))
    return command_wrong_use ("compare", "Usage: fovea compare STEPS INPUT; put the steps in quotes.");
  if (!opened_exist ((const char *const *) argv + input, &error))
    return command_wrong_use ("compare", "%s", error->message);
  if (report_path && argv[input] && !outputs_differ ((const char *const[]){argv[input], report_path, NULL}, &error))
    return command_wrong_use ("compare", "%s", error->message);
  return compare (&(Job){.context = context, .recipe = recipe, .input = argv[input]});
}

const Command command_compare = {
  .name = "compare",
  .arguments = "'STEP | STEP | ...' [INPUT]",
  .help = "time the steps on every device and compare the results",
  .description = "Runs steps on the CPU and on every GPU. Reports the time of each step on the device's "
                 "own clock, of the transfers\n"
                 "to and from the device, and in total, and whether the results are equal. A first run on "
                 "each device is not timed.",
  .options = entries,
  .run = run_compare,
};

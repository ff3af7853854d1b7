/* SPDX-License-Identifier: MIT
 *
 * Parsing, formatting and running lists of steps.
 */
#include "core/run/pipeline.h"

#include "core/ops/args.h"
#include "core/base/error.h"
#include "core/run/pipeline_inputs.h"
#include "core/run/plan_memory.h"
#include "core/selection/selection.h"
#include "core/base/text.h"

#include <string.h>

struct Pipeline {
  GPtrArray *steps; /* Step * */
};

static void
step_forget (Step *step)
{
  call_result_clear (&step->result);
  for (guint i = 0; step->made_inputs && i < step->op->n_inputs; i++)
    image_unref (step->made_inputs[i]);
  g_clear_pointer (&step->made_inputs, g_free);
  g_clear_pointer (&step->made_args, g_free);
  step->done = FALSE;
}

static void
step_free (gpointer data)
{
  Step *step = data;
  step_forget (step);
  for (guint i = 0; i < step->op->n_inputs; i++) {
    g_free (step->inputs[i]);
    step_shape_set (&step->shapes[i], NULL, NULL);
  }
  g_free (step->shapes);
  g_free (step->inputs);
  g_free (step->args);
  g_free (step->name);
  g_free (step);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Step, step_free)

void
pipeline_free (Pipeline *pipeline)
{
  if (!pipeline)
    return;
  g_ptr_array_unref (pipeline->steps);
  g_free (pipeline);
}

guint
pipeline_length (const Pipeline *pipeline)
{
  return pipeline->steps->len;
}

Step *
pipeline_step (const Pipeline *pipeline, guint i)
{
  return pipeline->steps->pdata[i];
}

/* ---- Text ---- */

gboolean
step_set (Step *step, const char *key, const char *value, GError **error)
{
  if (!strcmp (key, "as")) {
    g_free (step->name);
    step->name = g_strdup (value);
    return TRUE;
  }
  if (!strcmp (key, "skip")) {
    if (!(step->skipped = !strcmp (value, "yes")) && strcmp (value, "no")) {
      step_error_set (error, FV_BAD_ARGUMENT, "skip", "skip is yes or no, not '%s'.", value);
      return FALSE;
    }
    return TRUE;
  }
  for (guint i = 0; i < step->op->n_inputs; i++)
    if (!strcmp (key, i ? step->op->fv.inputs[i].key : "from")) {
      g_free (step->inputs[i]);
      step->inputs[i] = g_strdup (value);
      return TRUE;
    }
  return args_set (step->op, step->args, key, value, error);
}

static Step *
step_parse (Modules *modules, const char *text, GError **error)
{
  g_auto (GStrv) words = text_words (text, error);
  g_autoptr (Step) step = NULL;
  const Op *op;
  if (!words)
    return NULL;
  if (!words[0]) {
    step_error_set (error, FV_BAD_ARGUMENT, NULL, "A step is empty: write OPERATION NAME=VALUE ... between the bars.");
    return NULL;
  }
  if (!(op = modules_op (modules, words[0], error)))
    return NULL;
  step = g_new0 (Step, 1);
  step->op = op;
  step->inputs = g_new0 (char *, op->n_inputs);
  step->shapes = g_new0 (StepShape, op->n_inputs);
  if (!(step->args = args_new (op, error)))
    return NULL;
  for (char **word = words + 1; *word; word++) {
    char *equals = strchr (*word, '=');
    if (!equals) {
      step_error_set (error, FV_BAD_ARGUMENT, NULL, "%s: '%s' is not NAME=VALUE.", op->fv.key, *word);
      return NULL;
    }
    *equals = 0;
    if (!step_set (step, *word, equals + 1, error)) {
      g_prefix_error (error, "%s: ", op->fv.key);
      return NULL;
    }
  }
  return g_steal_pointer (&step);
}

static gboolean
check_shape (const Step *step, guint i, GError **error)
{
  g_autoptr (Selection) selection = NULL;
  if (i == 0) {
    step_error_set (error, FV_BAD_ARGUMENT, "from", "%s: '%s' is a selection, and from= takes an image.",
                    step->op->fv.key, step->inputs[i]);
    return FALSE;
  }
  if (!(selection = selection_parse (step->inputs[i], error))) {
    g_prefix_error (error, "%s: %s: ", step->op->fv.key, step->op->fv.inputs[i].key);
    return FALSE;
  }
  return TRUE;
}

/* Whether earlier steps have the results that step i wants. */
static gboolean
check_names (const Pipeline *pipeline, const Step *step, GError **error)
{
  for (guint i = 0; i < step->op->n_inputs; i++) {
    gboolean known = !step->inputs[i] || !strcmp (step->inputs[i], PIPELINE_SOURCE);
    if (step_input_is_shape (step->inputs[i]) && !check_shape (step, i, error))
      return FALSE;
    known = known || step_input_is_shape (step->inputs[i]);
    for (guint k = 0; k < pipeline->steps->len && !known; k++)
      known = pipeline_step (pipeline, k)->name && !strcmp (pipeline_step (pipeline, k)->name, step->inputs[i]);
    if (!known) {
      step_error_set (error, FV_BAD_ARGUMENT, i ? step->op->fv.inputs[i].key : "from",
                      "%s: no earlier step is called '%s'; name one with as=%s, or use %s.", step->op->fv.key,
                      step->inputs[i], step->inputs[i], PIPELINE_SOURCE);
      return FALSE;
    }
  }
  if (step->name && (!*step->name || !strcmp (step->name, PIPELINE_SOURCE) || step_input_is_shape (step->name))) {
    step_error_set (error, FV_BAD_ARGUMENT, "as", "%s: a result cannot be called '%s'.", step->op->fv.key, step->name);
    return FALSE;
  }
  return TRUE;
}

Pipeline *
pipeline_new (void)
{
  Pipeline *pipeline = g_new (Pipeline, 1);
  pipeline->steps = g_ptr_array_new_with_free_func (step_free);
  return pipeline;
}

Pipeline *
pipeline_parse (Modules *modules, const char *text, GError **error)
{
  g_auto (GStrv) texts = text_split (text, '|', error);
  g_autoptr (Pipeline) pipeline = NULL;
  if (!texts)
    return NULL;
  pipeline = pipeline_new ();
  for (char **at = texts; *at; at++) {
    Step *step = step_parse (modules, *at, error);
    if (!step)
      return NULL;
    if (!check_names (pipeline, step, error)) {
      step_free (step);
      return NULL;
    }
    g_ptr_array_add (pipeline->steps, step);
  }
  return g_steal_pointer (&pipeline);
}

char *
step_format (const Step *step)
{
  GString *s = g_string_new (step->op->fv.key);
  g_autofree char *args = args_format (step->op, step->args);
  if (*args)
    g_string_append_printf (s, " %s", args);
  for (guint i = 0; i < step->op->n_inputs; i++)
    if (step->inputs[i]) {
      g_autofree char *name = text_quote (step->inputs[i]);
      g_string_append_printf (s, " %s=%s", i ? step->op->fv.inputs[i].key : "from", name);
    }
  if (step->name) {
    g_autofree char *name = text_quote (step->name);
    g_string_append_printf (s, " as=%s", name);
  }
  if (step->skipped)
    g_string_append (s, " skip=yes");
  return g_string_free (s, FALSE);
}

char *
pipeline_format (const Pipeline *pipeline)
{
  GString *s = g_string_new (NULL);
  for (guint i = 0; i < pipeline->steps->len; i++) {
    g_autofree char *step = step_format (pipeline_step (pipeline, i));
    g_string_append_printf (s, "%s%s", i ? " | " : "", step);
  }
  return g_string_free (s, FALSE);
}

/* ---- Running ---- */

static void
step_adopt (Step *step, const Step *from)
{
  call_result_copy (&step->result, &from->result);
  step->done = TRUE;
  step->device = from->device;
  step->made_args = args_copy (from->op, from->made_args);
  step->made_inputs = g_memdup2 (from->made_inputs, from->op->n_inputs * sizeof *from->made_inputs);
  for (guint i = 0; i < from->op->n_inputs; i++) {
    if (step->made_inputs[i])
      image_ref (step->made_inputs[i]);
    if (from->shapes[i].mask)
      step_shape_set (&step->shapes[i], from->shapes[i].text, image_ref (from->shapes[i].mask));
  }
}

void
pipeline_adopt (Pipeline *pipeline, const Pipeline *from)
{
  for (guint i = 0, next = 0; i < pipeline->steps->len; i++) {
    Step *step = pipeline_step (pipeline, i);
    for (guint k = next; k < from->steps->len && !step->done && !step->skipped; k++) {
      const Step *other = pipeline_step (from, k);
      if (!other->done || other->op != step->op || !args_equal (step->op, step->args, other->made_args))
        continue;
      step_adopt (step, other);
      next = k + 1;
    }
  }
}

gboolean
step_is_current (const Step *step, Image *const *inputs, const Device *device)
{
  return step->done && step->device == device && args_equal (step->op, step->args, step->made_args)
         && !memcmp (step->made_inputs, inputs, step->op->n_inputs * sizeof *inputs);
}

static gboolean
step_run (Step *step, Image *const *inputs, Device *device, Progress *progress, GError **error)
{
  step_forget (step);
  if (!call_start (step->op, step->args, inputs, device, progress, &step->result, error))
    return FALSE;
  step->done = TRUE;
  step->device = device;
  step->made_args = args_copy (step->op, step->args);
  step->made_inputs = g_memdup2 (inputs, step->op->n_inputs * sizeof *inputs);
  for (guint i = 0; i < step->op->n_inputs; i++)
    if (inputs[i])
      image_ref (inputs[i]);
  return TRUE;
}

/* Steps follow each other on the device without waiting; only now are their times and scalars taken. */
static gboolean
settle (const Pipeline *pipeline, GError **error)
{
  gboolean settled = TRUE;
  for (guint i = 0; i < pipeline->steps->len; i++) {
    Step *step = pipeline_step (pipeline, i);
    if (step->done && !(settled = settled && call_settle (step->op, &step->result, error)))
      step_forget (step);
  }
  return settled;
}

static gboolean
run_steps (Pipeline *pipeline, Image *source, Device *device, Progress *progress, GError **error)
{
  g_autofree Image **made = g_new0 (Image *, pipeline->steps->len);
  for (guint i = 0; i < pipeline->steps->len; i++) {
    Step *step = pipeline_step (pipeline, i);
    g_autofree Image **inputs = g_new0 (Image *, step->op->n_inputs);
    progress_part (progress, (gint) i, (gint) pipeline->steps->len);
    if (step->skipped) {
      step_forget (step);
      continue;
    }
    if (!pipeline_inputs (pipeline, i, source, made, inputs, error))
      return FALSE;
    if (!step_is_current (step, inputs, device) && !step_run (step, inputs, device, progress, error))
      return FALSE;
    made[i] = step->result.n_images ? step->result.images[0] : NULL;
  }
  return TRUE;
}

gboolean
pipeline_run (Pipeline *pipeline, Image *source, Device *device, Progress *progress, GError **error)
{
  g_autoptr (Plan) plan = plan_new (pipeline, source, device);
  gboolean done = plan_memory_check (plan, device, error) && run_steps (pipeline, source, device, progress, error);
  return settle (pipeline, done ? error : NULL) && done;
}

Image *
pipeline_last_image (const Pipeline *pipeline, Image *source)
{
  for (guint n = pipeline->steps->len; n--;)
    if (pipeline_step (pipeline, n)->result.n_images)
      return pipeline_step (pipeline, n)->result.images[0];
  return source;
}

Table *
pipeline_last_table (const Pipeline *pipeline)
{
  for (guint n = pipeline->steps->len; n--;)
    if (pipeline_step (pipeline, n)->result.table)
      return pipeline_step (pipeline, n)->result.table;
  return NULL;
}

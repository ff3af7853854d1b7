/* SPDX-License-Identifier: MIT
 *
 * Parsing, formatting and running lists of steps.
 */
#include "pipeline.h"

#include "args.h"
#include "error.h"
#include "selection.h"
#include "text.h"

#include <string.h>

struct Pipeline {
  GPtrArray *steps; /* Step * */
};

/* The mask of an input that is a selection, kept for as long as its text and its size stay. */
typedef struct StepShape {
  char *text;
  Image *mask;
} StepShape;

static void
shape_set (StepShape *shape, const char *text, Image *mask)
{
  g_free (shape->text);
  image_unref (shape->mask);
  *shape = (StepShape){g_strdup (text), mask};
}

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
    shape_set (&step->shapes[i], NULL, NULL);
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
is_shape (const char *input)
{
  return input && strchr (input, '(');
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
    if (is_shape (step->inputs[i]) && !check_shape (step, i, error))
      return FALSE;
    known = known || is_shape (step->inputs[i]);
    for (guint k = 0; k < pipeline->steps->len && !known; k++)
      known = pipeline_step (pipeline, k)->name && !strcmp (pipeline_step (pipeline, k)->name, step->inputs[i]);
    if (!known) {
      step_error_set (error, FV_BAD_ARGUMENT, i ? step->op->fv.inputs[i].key : "from",
                      "%s: no earlier step is called '%s'; name one with as=%s, or use %s.", step->op->fv.key,
                      step->inputs[i], step->inputs[i], PIPELINE_SOURCE);
      return FALSE;
    }
  }
  if (step->name && (!*step->name || !strcmp (step->name, PIPELINE_SOURCE) || is_shape (step->name))) {
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

static Image *
previous_image (const Pipeline *pipeline, guint n, Image *source)
{
  while (n--)
    if (pipeline_step (pipeline, n)->result.n_images)
      return pipeline_step (pipeline, n)->result.images[0];
  return source;
}

/* The step before the first n that has a name, or NULL. */
static const Step *
named_step (const Pipeline *pipeline, guint n, const char *name, guint *place)
{
  while (n--) {
    const Step *step = pipeline_step (pipeline, n);
    *place = n;
    if (step->name && !strcmp (step->name, name))
      return step;
  }
  return NULL;
}

Image *
pipeline_image (const Pipeline *pipeline, guint i, Image *source)
{
  const Step *step = pipeline_step (pipeline, i);
  while (step && step->skipped) { /* what it would take */
    if (!step->op->n_inputs || !step->inputs[0])
      return previous_image (pipeline, i, source);
    step = named_step (pipeline, i, step->inputs[0], &i);
  }
  return !step ? source : step->result.n_images ? step->result.images[0] : NULL;
}

/* The image that a name means for the step after the first n; NULL with *error when that step makes none. */
static Image *
named_image (const Pipeline *pipeline, guint n, const char *name, Image *source, GError **error)
{
  Image *image = source;
  if (strcmp (name, PIPELINE_SOURCE) && named_step (pipeline, n, name, &n))
    image = pipeline_image (pipeline, n, source);
  if (!image)
    step_error_set (error, FV_BAD_INPUT, NULL, "'%s' is a table, not an image.", name);
  return image;
}

/* The mask of input i, which is a selection in an image like `image`; the step's. */
static Image *
shape_mask (Step *step, guint i, Image *image, GError **error)
{
  const ImageInfo *info = image_info (image), *had;
  StepShape *shape = &step->shapes[i];
  g_autoptr (Selection) selection = NULL;
  Image *mask;
  if (shape->mask && !strcmp (shape->text, step->inputs[i])) {
    had = image_info (shape->mask);
    if (had->rows == info->rows && had->columns == info->columns)
      return shape->mask;
  }
  if (!(selection = selection_parse (step->inputs[i], error)))
    return NULL;
  if ((mask = selection_mask (selection, info->columns, info->rows)))
    shape_set (shape, step->inputs[i], mask);
  else
    step_error_set (error, FV_NO_MEMORY, NULL, "There is not memory enough for the mask of '%s'.", step->inputs[i]);
  return mask;
}

/* Finds the inputs of step n, not owned. */
static gboolean
find_inputs (const Pipeline *pipeline, guint n, Image *source, Image **inputs, GError **error)
{
  Step *step = pipeline_step (pipeline, n);
  for (guint i = 0; i < step->op->n_inputs; i++) {
    if (is_shape (step->inputs[i])) {
      if (!(inputs[i] = shape_mask (step, i, inputs[0], error)))
        return FALSE;
    } else if (step->inputs[i]) {
      if (!(inputs[i] = named_image (pipeline, n, step->inputs[i], source, error)))
        return FALSE;
    } else {
      inputs[i] = i ? NULL : previous_image (pipeline, n, source);
    }
  }
  return TRUE;
}

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
      shape_set (&step->shapes[i], from->shapes[i].text, image_ref (from->shapes[i].mask));
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

static gboolean
is_current (const Step *step, Image *const *inputs, const Device *device)
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

static gboolean
runs_on (const Pipeline *pipeline, fv_device_kind kind)
{
  for (guint i = 0; i < pipeline->steps->len; i++)
    if (!pipeline_step (pipeline, i)->op->fv.run[kind])
      return FALSE;
  return TRUE;
}

Device *
pipeline_device (const Pipeline *pipeline, Modules *modules, const char *key, GError **error)
{
  const GPtrArray *devices = modules_devices (modules);
  if (strcmp (key, "auto"))
    return modules_device (modules, key, error);
  for (guint i = 0; i < devices->len; i++) {
    const fv_device *fv = ((const Device *) devices->pdata[i])->fv;
    if (fv->kind != FV_CPU && !fv->fault && runs_on (pipeline, fv->kind))
      return modules_device (modules, fv->key, error);
  }
  return modules_device (modules, "cpu", error);
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
  for (guint i = 0; i < pipeline->steps->len; i++) {
    Step *step = pipeline_step (pipeline, i);
    g_autofree Image **inputs = g_new0 (Image *, step->op->n_inputs);
    progress_part (progress, (gint) i, (gint) pipeline->steps->len);
    if (step->skipped) {
      step_forget (step);
      continue;
    }
    if (!find_inputs (pipeline, i, source, inputs, error)) {
      g_prefix_error (error, "%s: ", step->op->fv.key);
      return FALSE;
    }
    if (!is_current (step, inputs, device) && !step_run (step, inputs, device, progress, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
pipeline_run (Pipeline *pipeline, Image *source, Device *device, Progress *progress, GError **error)
{
  gboolean done = run_steps (pipeline, source, device, progress, error);
  return settle (pipeline, done ? error : NULL) && done;
}

Image *
pipeline_last_image (const Pipeline *pipeline, Image *source)
{
  return previous_image (pipeline, pipeline->steps->len, source);
}

Table *
pipeline_last_table (const Pipeline *pipeline)
{
  for (guint n = pipeline->steps->len; n--;)
    if (pipeline_step (pipeline, n)->result.table)
      return pipeline_step (pipeline, n)->result.table;
  return NULL;
}

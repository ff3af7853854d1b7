/* SPDX-License-Identifier: MIT
 *
 * Results are told apart by numbers that are never used twice, so that what a step was made from is known when it is gone.
 */
#include "core/run/run.h"

#include "core/base/error.h"
#include "core/ops/args.h"
#include "core/run/plan_memory.h"
#include "core/run/schedule.h"
#include "core/selection/selection.h"

#include <string.h>

struct Run {
  Recipe *recipe;
  Image *source;
  guint64 source_id;
  RunKeep keep;
  const Device *device;
  RunStep *steps;
};

/* So many, one after the other. */
static guint64
new_ids (void)
{
  static gsize next = 1;
  return (guint64) g_atomic_pointer_add (&next, OP_MAX_ARRAYS);
}

static void
forget (RunStep *step)
{
  call_result_clear (&step->result);
  step->done = FALSE;
}

Run *
run_new (const Recipe *recipe, Image *source, RunKeep keep)
{
  Run *run = g_new0 (Run, 1);
  run->recipe = recipe_ref (recipe);
  run->source = image_ref (source);
  run->source_id = new_ids ();
  run->keep = keep;
  run->steps = g_new0 (RunStep, recipe_length (recipe));
  for (guint i = 0; i < recipe_length (recipe); i++) {
    const Step *step = recipe_step (recipe, i);
    run->steps[i].step = step;
    run->steps[i].from = g_new0 (guint64, step->op->n_inputs);
    run->steps[i].masks = g_new0 (Image *, step->op->n_inputs);
  }
  return run;
}

void
run_free (Run *run)
{
  if (!run)
    return;
  for (guint i = 0; i < run_length (run); i++) {
    RunStep *step = &run->steps[i];
    forget (step);
    for (guint k = 0; k < step->step->op->n_inputs; k++)
      image_unref (step->masks[k]);
    g_free (step->masks);
    g_free (step->from);
  }
  g_free (run->steps);
  recipe_unref (run->recipe);
  image_unref (run->source);
  g_free (run);
}

/* ---- Looking ---- */

const Recipe *
run_recipe (const Run *run)
{
  return run->recipe;
}

Image *
run_source (const Run *run)
{
  return run->source;
}

guint64
run_source_id (const Run *run)
{
  return run->source_id;
}

RunKeep
run_keep (const Run *run)
{
  return run->keep;
}

const Device *
run_device (const Run *run)
{
  return run->device;
}

guint
run_length (const Run *run)
{
  return recipe_length (run->recipe);
}

const RunStep *
run_result (const Run *run, guint i)
{
  return &run->steps[i];
}

guint
run_place (const Run *run)
{
  guint place = 0;
  while (place < run_length (run) && (run->steps[place].done || run->steps[place].step->skipped))
    place++;
  return place;
}

double
run_ms (const Run *run)
{
  double ms = 0;
  for (guint i = 0; i < run_length (run); i++)
    ms += run->steps[i].result.ms;
  return ms;
}

Image *
run_image (const Run *run, guint i, guint output)
{
  const CallResult *result = &run->steps[i].result;
  return output < result->n_images ? result->images[output] : NULL;
}

static Image *
image_of (const Run *run, guint i, guint input, const Link *link)
{
  switch (link->kind) {
  case LINK_SOURCE: return run->source;
  case LINK_RESULT: return run_image (run, link->step, link->output);
  case LINK_SELECTION: return run->steps[i].masks[input];
  default: return NULL;
  }
}

Image *
run_input (const Run *run, guint i, guint input)
{
  Link link;
  if (input >= run->steps[i].step->op->n_inputs || !link_find (run->recipe, i, input, &link, NULL))
    return NULL;
  return image_of (run, i, input, &link);
}

Image *
run_last_image (const Run *run)
{
  for (guint n = run_length (run); n--;)
    if (run_image (run, n, 0))
      return run_image (run, n, 0);
  return run->source;
}

Table *
run_last_table (const Run *run)
{
  for (guint n = run_length (run); n--;)
    if (run->steps[n].result.table)
      return run->steps[n].result.table;
  return NULL;
}

/* ---- Continuing ---- */

/* Whether it would do the same with the same images. */
static gboolean
is_like (const Step *a, const Step *b)
{
  if (a->op != b->op || !args_equal (a->op, a->args, b->args))
    return FALSE;
  for (guint i = 0; i < a->op->n_inputs; i++)
    if ((step_input_is_selection (a->inputs[i]) || step_input_is_selection (b->inputs[i]))
        && g_strcmp0 (a->inputs[i], b->inputs[i]))
      return FALSE;
  return TRUE;
}

static void
adopt (RunStep *step, const RunStep *from)
{
  guint n = step->step->op->n_inputs;
  call_result_copy (&step->result, &from->result);
  step->done = TRUE;
  step->device = from->device;
  step->id = from->id;
  memcpy (step->from, from->from, n * sizeof *from->from);
  for (guint i = 0; i < n; i++)
    if (from->masks[i])
      step->masks[i] = image_ref (from->masks[i]);
}

void
run_continue (Run *run, const Run *before)
{
  if (run->source != before->source)
    return;
  run->source_id = before->source_id;
  for (guint i = 0, next = 0; i < run_length (run); i++)
    for (guint k = next; k < run_length (before) && !run->steps[i].done && !run->steps[i].step->skipped; k++)
      if (before->steps[k].done && is_like (run->steps[i].step, before->steps[k].step)) {
        adopt (&run->steps[i], &before->steps[k]);
        next = k + 1;
      }
}

/* ---- Executing ---- */

/* The mask of an input that is a selection in an image like `image`; the step's. */
static Image *
mask_of (RunStep *step, guint i, Image *image, GError **error)
{
  const ImageInfo *info = image_info (image), *had = step->masks[i] ? image_info (step->masks[i]) : NULL;
  const char *text = step->step->inputs[i];
  g_autoptr (Selection) selection = NULL;
  if (had && had->rows == info->rows && had->columns == info->columns)
    return step->masks[i];
  g_clear_pointer (&step->masks[i], image_unref);
  if ((selection = selection_parse (text, error))
      && !(step->masks[i] = selection_mask (selection, info->columns, info->rows)))
    step_error_set (error, FV_NO_MEMORY, NULL, "There is not memory enough for the mask of '%s'.", text);
  return step->masks[i];
}

static guint64
id_of (const Run *run, const Link *link)
{
  if (link->kind == LINK_RESULT)
    return run->steps[link->step].id + link->output;
  return link->kind == LINK_SOURCE ? run->source_id : G_MAXUINT64;
}

/* Says what the step is about to be made from; whether it was before. */
static gboolean
set_from (const Run *run, RunStep *step, const ScheduleStep *schedule, const Device *device)
{
  gboolean same = step->done && step->device == device;
  for (guint k = 0; k < step->step->op->n_inputs; k++) {
    guint64 id = id_of (run, &schedule->inputs[k]);
    same = same && step->from[k] == id;
    step->from[k] = id;
  }
  return same;
}

static gboolean
run_one (Run *run, guint i, const ScheduleStep *schedule, Device *device, Progress *progress, GError **error)
{
  RunStep *step = &run->steps[i];
  const Op *op = step->step->op;
  Image *inputs[OP_MAX_ARRAYS] = {NULL};
  gboolean again = set_from (run, step, schedule, device);
  forget (step);
  for (guint k = 0; k < op->n_inputs; k++)
    if (schedule->inputs[k].kind == LINK_SELECTION && !mask_of (step, k, inputs[0], error)) {
      g_prefix_error (error, "%s: ", op->fv.key);
      return FALSE;
    } else
      inputs[k] = image_of (run, i, k, &schedule->inputs[k]);
  if (!call_start (op, step->step->args, inputs, device, progress, &step->result, error))
    return FALSE;
  step->done = TRUE;
  step->device = device;
  step->id = again ? step->id : new_ids ();
  return TRUE;
}

/* What nobody wants after step i. */
static void
let_go (Run *run, const ScheduleStep *schedule, guint i)
{
  for (guint n = 0; n <= i; n++)
    for (guint k = 0; k < run->steps[n].result.n_images; k++)
      if (schedule[n].last[k] <= i)
        g_clear_pointer (&run->steps[n].result.images[k], image_unref);
  for (guint k = 0; k < run->steps[i].step->op->n_inputs && run->keep != RUN_KEEP_ALL; k++)
    g_clear_pointer (&run->steps[i].masks[k], image_unref);
}

static gboolean
run_steps (Run *run, Device *device, Progress *progress, GError **error)
{
  guint n;
  GError *fault = NULL;
  g_autofree ScheduleStep *schedule = schedule_new (run, device, &n, &fault);
  for (guint i = 0; i < n; i++) {
    progress_part (progress, (gint) i, (gint) run_length (run));
    if (run->steps[i].step->skipped)
      forget (&run->steps[i]);
    if (schedule[i].runs && !run_one (run, i, &schedule[i], device, progress, error)) {
      g_clear_error (&fault);
      return FALSE;
    }
    let_go (run, schedule, i);
  }
  for (guint i = n; i < run_length (run); i++)
    forget (&run->steps[i]);
  if (fault)
    g_propagate_error (error, fault);
  return n == run_length (run);
}

/* Steps follow each other on the device without waiting; only now are their times and numbers taken. */
static gboolean
settle (Run *run, GError **error)
{
  gboolean settled = TRUE;
  for (guint i = 0; i < run_length (run); i++) {
    RunStep *step = &run->steps[i];
    if (step->done && !(settled = settled && call_settle (step->step->op, &step->result, error)))
      forget (step);
  }
  return settled;
}

gboolean
run_execute (Run *run, Device *device, Progress *progress, GError **error)
{
  g_autoptr (Plan) plan = plan_new (run, device);
  run->device = device;
  gboolean done = plan_memory_check (plan, device, error) && run_steps (run, device, progress, error);
  return settle (run, done ? error : NULL) && done;
}

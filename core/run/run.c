/* SPDX-License-Identifier: MIT
 *
 * Results are told apart by numbers that are never used twice, so that what a step was made from is known when it is gone.
 */
#include "core/run/run.h"

#include "core/ops/args.h"

#include <string.h>

struct Run {
  Recipe *recipe;
  Image *source;
  guint64 source_id;
  RunKeep keep;
  gboolean fetched; /* the last image, by run_fetch_last() */
  char **wanted;    /* names; NULL: all */
  const Device *device;
  Device *spare;
  RunStep *steps;
};

Image *
run_nothing (void)
{
  static const ImageInfo info = {.type = FV_U8,
                                 .frames = 1,
                                 .channels = 1,
                                 .depth = 1,
                                 .rows = 1,
                                 .columns = 1,
                                 .spacing = {1, 1, 1},
                                 .name = (char *) "Untitled"};
  static _Alignas(64) guint8 pixel;
  static Image *image;
  if (g_once_init_enter (&image))
    g_once_init_leave (&image, image_new_lent (&info, &pixel, NULL, NULL, NULL));
  return image;
}

Run *
run_new (const Recipe *recipe, Image *source, RunKeep keep)
{
  Run *run = g_new0 (Run, 1);
  run->recipe = recipe_ref (recipe);
  run->source = image_ref (source ? source : run_nothing ());
  run->source_id = run_step_ids ();
  run->keep = keep;
  run->steps = g_new0 (RunStep, recipe_length (recipe));
  for (guint i = 0; i < recipe_length (recipe); i++) {
    const Step *step = recipe_step (recipe, i);
    run->steps[i].step = step;
    run->steps[i].from = g_new0 (guint64, step->op->n_inputs + step_founds (step));
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
    run_step_forget (step);
    for (guint k = 0; k < step->step->op->n_inputs; k++)
      image_unref (step->masks[k]);
    g_free (step->masks);
    g_free (step->given);
    g_free (step->from);
    g_clear_pointer (&step->derived, run_derived_unref);
  }
  g_free (run->steps);
  g_strfreev (run->wanted);
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

gconstpointer
run_args (const Run *run, guint i)
{
  const RunStep *step = &run->steps[i];
  return step->derived ? step->derived->args : step->step->args;
}

const Device *
run_device (const Run *run)
{
  return run->device;
}

void
run_want (Run *run, const char *const *names)
{
  g_strfreev (run->wanted);
  run->wanted = g_strdupv ((char **) names);
}

gboolean
run_wants (const Run *run, const char *name)
{
  return !run->wanted || g_strv_contains ((const char *const *) run->wanted, name);
}

void
run_fetch_last (Run *run)
{
  run->fetched = TRUE;
}

gboolean
run_is_fetched (const Run *run)
{
  return run->fetched;
}

void
run_give (Run *run, guint i, Image *image)
{
  RunStep *step = &run->steps[i];
  run_step_forget (step);
  step->result.n_images = step->step->op->n_outputs;
  step->result.images = g_new0 (Image *, step->result.n_images);
  step->result.images[0] = image_ref (image);
  step->done = step->fixed = TRUE;
  step->id = run_step_ids ();
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

guint64
run_link_id (const Run *run, const Link *link)
{
  switch (link->kind) {
  case LINK_SOURCE: return run->source_id;
  case LINK_RESULT: return run->steps[link->step].id + link->output;
  case LINK_TABLE: return run->steps[link->step].id + OP_MAX_ARRAYS;
  default: return G_MAXUINT64;
  }
}

RunStep *
run_step_at (Run *run, guint i)
{
  return &run->steps[i];
}

void
run_set_device (Run *run, const Device *device)
{
  run->device = device;
}

void
run_set_spare (Run *run, Device *spare)
{
  run->spare = spare;
}

Device *
run_spare (const Run *run)
{
  return run->spare;
}

guint
run_index (const Run *run)
{
  guint index = 0;
  while (index < run_length (run) && (run->steps[index].done || run->steps[index].step->skipped))
    index++;
  return index;
}

double
run_ms (const Run *run)
{
  double ms = 0;
  for (guint i = 0; i < run_length (run); i++)
    ms += run->steps[i].result.ms;
  return ms;
}

guint
run_on_disk (const Run *run, guint64 *bytes)
{
  guint64 all = 0;
  guint n = 0;
  for (guint i = 0; i < run_length (run); i++) {
    all += run->steps[i].result.on_disk;
    n += run->steps[i].result.on_disk > 0;
  }
  if (bytes)
    *bytes = all;
  return n;
}

Image *
run_image (const Run *run, guint i, guint output)
{
  const CallResult *result = &run->steps[i].result;
  return output < result->n_images ? result->images[output] : NULL;
}

Image *
run_linked (const Run *run, guint i, guint input, const Link *link)
{
  switch (link->kind) {
  case LINK_SOURCE: return run->source == run_nothing () ? NULL : run->source;
  case LINK_RESULT: return run_image (run, link->step, link->output);
  case LINK_SELECTION: return run->steps[i].masks[input];
  case LINK_FILE: return file_input_image (run->steps[i].step->files[input], NULL);
  default: return NULL;
  }
}

Image *
run_input (const Run *run, guint i, guint input)
{
  Link link;
  if (input >= run->steps[i].step->op->n_inputs || !link_find (run->recipe, i, input, &link, NULL))
    return NULL;
  return run_linked (run, i, input, &link);
}

Image *
run_image_at (const Run *run, int index)
{
  for (int i = MIN (index, (int) run_length (run) - 1); i >= 0; i--)
    if (run_image (run, (guint) i, 0))
      return run_image (run, (guint) i, 0);
  return run->source;
}

Image *
run_last_image (const Run *run)
{
  return run_image_at (run, (int) run_length (run));
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
  if (!step_acts_alike (a, b))
    return FALSE;
  for (guint i = 0; i < a->op->n_inputs; i++)
    if (!file_input_equal (a->files[i], b->files[i]))
      return FALSE;
    else if ((step_input_is_selection (a->inputs[i]) || step_input_is_selection (b->inputs[i]))
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
  step->spared = from->spared;
  step->id = from->id;
  memcpy (step->from, from->from, (n + step_founds (step->step)) * sizeof *from->from);
  step->derived = from->derived ? g_atomic_rc_box_acquire (from->derived) : NULL;
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

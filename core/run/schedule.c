/* SPDX-License-Identifier: MIT
 *
 * Forwards: a result is current when its step's inputs are the results that it was made from. Backwards: a current result that was
 * freed is computed again when a step that is computed takes it.
 */
#include "core/run/schedule.h"

#include "core/base/error.h"

/* What the input is now; 0: something that is not there yet. */
static guint64
identity (const Run *run, const ScheduleStep *all, const Link *link)
{
  gboolean made = link->kind == LINK_RESULT || link->kind == LINK_TABLE;
  return made && all[link->step].runs ? 0 : run_link_id (run, link);
}

/* Whether the numbers that derived values take are those that the step was made from. */
static gboolean
took_numbers (const Run *run, const ScheduleStep *all, guint i)
{
  const RunStep *step = run_result (run, i);
  const guint64 *from = step->from + step->step->op->n_inputs;
  g_autofree FoundLink *links = step->step->derived ? recipe_founds (run_recipe (run), i, NULL) : NULL;
  for (guint k = 0; links && k < step_founds (step->step); k++)
    if (from[k] != identity (run, all, &(Link){LINK_RESULT, links[k].step, 0}))
      return FALSE;
  return TRUE;
}

static gboolean
is_current (const Run *run, const ScheduleStep *all, guint i, const Device *device)
{
  const RunStep *step = run_result (run, i);
  if (step->fixed)
    return TRUE;
  if (!step->done || (step->device != device && !step->spared && !step->step->device) || !took_numbers (run, all, i))
    return FALSE;
  for (guint k = 0; k < step->step->op->n_inputs; k++)
    if (step->from[k] != identity (run, all, &all[i].inputs[k]))
      return FALSE;
  return TRUE;
}

/* Whether the image is wanted when the run is over. */
static gboolean
stays (const Run *run, guint i, guint output)
{
  const Step *step = recipe_step (run_recipe (run), i);
  Link last = link_previous (run_recipe (run), recipe_length (run_recipe (run)));
  return run_keep (run) == RUN_KEEP_ALL || run_result (run, i)->fixed
         || (step->names[output] && run_wants (run, step->names[output]))
         || (last.kind == LINK_RESULT && last.step == i && last.output == output);
}

/* That output of a step that is current; it has to be there. */
static void
need (const Run *run, ScheduleStep *all, guint i, guint output)
{
  all[i].runs |= !run_image (run, i, output);
}

static void
find_needed (const Run *run, ScheduleStep *all, guint n)
{
  for (guint i = n; i--;) {
    const Step *step = recipe_step (run_recipe (run), i);
    for (guint k = 0; k < step->op->n_outputs && !step->skipped; k++)
      if (stays (run, i, k))
        need (run, all, i, k);
    for (guint k = 0; k < step->op->n_inputs && all[i].runs; k++)
      if (all[i].inputs[k].kind == LINK_RESULT)
        need (run, all, all[i].inputs[k].step, all[i].inputs[k].output);
  }
}

static void
find_last (const Run *run, ScheduleStep *all, guint n)
{
  for (guint i = 0; i < n; i++) {
    const Step *step = recipe_step (run_recipe (run), i);
    for (guint k = 0; k < step->op->n_outputs; k++)
      all[i].last[k] = stays (run, i, k) ? G_MAXUINT : i;
    for (guint k = 0; k < step->op->n_inputs && all[i].runs; k++) {
      const Link *link = &all[i].inputs[k];
      if (link->kind == LINK_RESULT && all[link->step].last[link->output] < i)
        all[link->step].last[link->output] = i;
    }
  }
}

/* Whether the steps whose numbers step n takes are on. */
static gboolean
has_numbers (const Recipe *recipe, guint n, GError **error)
{
  const Step *step = recipe_step (recipe, n);
  g_autofree FoundLink *links = step->derived && !step->skipped ? recipe_founds (recipe, n, error) : NULL;
  for (guint k = 0; links && k < step_founds (step); k++) {
    const Step *from = recipe_step (recipe, links[k].step);
    if (!from->skipped)
      continue;
    step_error_set (error, FV_BAD_ARGUMENT, NULL,
                    "%s takes the %s of %s, which is skipped: enable that step, or give a number.", step->op->fv.key,
                    from->op->fv.scalars[links[k].scalar].key, from->op->fv.key);
    return FALSE;
  }
  return TRUE;
}

ScheduleStep *
schedule_new (const Run *run, const Device *device, guint *n, GError **error)
{
  const Recipe *recipe = run_recipe (run);
  ScheduleStep *all = g_new0 (ScheduleStep, MAX (1, recipe_length (recipe)));
  for (*n = 0; *n < recipe_length (recipe); ++*n) {
    const Step *step = recipe_step (recipe, *n);
    if (!has_numbers (recipe, *n, error))
      goto out;
    for (guint k = 0; k < step->op->n_inputs && !step->skipped; k++)
      if (!link_find (recipe, *n, k, &all[*n].inputs[k], error))
        goto out;
    all[*n].runs = !step->skipped && !is_current (run, all, *n, device);
  }
out:
  find_needed (run, all, *n);
  find_last (run, all, *n);
  return all;
}

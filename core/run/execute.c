/* SPDX-License-Identifier: MIT
 *
 * Steps follow each other on the device without waiting, and results that are no longer needed are released on the
 * way.
 */
#include "core/run/execute.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/data/device_lost.h"
#include "core/call/op.h"
#include "core/run/choice.h"
#include "core/run/derive.h"
#include "core/run/plan_memory.h"
#include "core/run/schedule.h"
#include "core/run/selection_input.h"

#include <string.h>

/* What is drawn for an input that is a selection, or a file of them, in an image like `image`; the step's. */
static Image *
mask_of (RunStep *step, guint i, Image *image, GError **error)
{
  const ImageInfo info = selection_input_info (step->step, i, image),
                  *had = step->masks[i] ? image_info (step->masks[i]) : NULL;
  if (had && had->rows == info.rows && had->columns == info.columns && had->depth == info.depth
      && had->frames == info.frames)
    return step->masks[i];
  g_clear_pointer (&step->masks[i], image_unref);
  return step->masks[i] = selection_input_draw (step->step, i, image, error);
}

static gboolean
set_one_from (guint64 *from, guint64 id)
{
  const gboolean same = *from == id;
  *from = id;
  return same;
}

/* Says what step i is about to be made from; whether it was before. */
static gboolean
set_from (const Run *run, guint i, RunStep *step, const ScheduleStep *schedule, const Device *device)
{
  guint64 *from = step->from;
  g_autofree FoundLink *links = recipe_founds (run_recipe (run), i, NULL);
  gboolean same = step->done && (step->device == device || step->spared);
  for (guint k = 0; k < step->step->op->n_inputs; k++)
    same &= set_one_from (from++, run_link_id (run, &schedule->inputs[k]));
  for (guint k = 0; k < step_founds (step->step); k++)
    same &= set_one_from (from++, run_result (run, links[k].step)->id);
  return same;
}

/* Whether the first image of step i is the last of all, which is awaited. */
static gboolean
is_downloaded (const Run *run, guint i)
{
  Link last = link_previous (run_recipe (run), run_length (run));
  return run_is_fetched (run) && last.kind == LINK_RESULT && last.step == i && last.output == 0;
}

/* Less than other threads need to wake: arithmetic operations, and one for every 8 bytes. */
static const double little_work = 10000;

/* Whether one thread does the step before others have woken. Steps with code of the user's are not known well enough. */
static gboolean
is_little (const PlanStep *step, const Device *device)
{
  return step && !(step->op->fv.compiles >> device->fv->kind & 1)
         && step->arithmetic * (double) step->pixels + (double) (step->read + step->made) / 8 < little_work;
}

/* By one thread where that is quicker. */
static gboolean
start (const PlanStep *planned, const Op *op, gconstpointer args, const CallInputs *inputs, Device *device,
       const CallTarget *target, Progress *progress, CallResult *result, GError **error)
{
  if (!is_little (planned, device))
    return call_op_start (op, args, inputs, device, target, progress, result, error);
  const guint before = parallel_limit_operations (1);
  const gboolean done = call_op_start (op, args, inputs, device, target, progress, result, error);
  parallel_limit_operations (before);
  return done;
}

/* On the device or, where that has too little memory, on the spare one of the run. Nothing of the first try is kept. */
static gboolean
start_step (const Run *run, RunStep *step, const PlanStep *planned, const CallInputs *inputs, Device *device,
            const CallTarget *target, Progress *progress, GError **error)
{
  const Op *op = step->step->op;
  Device *spare = run_spare (run);
  gconstpointer args = step->derived ? step->derived->args : step->step->args;
  const gboolean own = step->step->device && strcmp (step->step->device, "auto");
  GError *why = NULL;
  step->device = device;
  step->spared = FALSE;
  if (start (planned, op, args, inputs, device, target, progress, &step->result, &why))
    return TRUE;
  if (!spare || own || !device->discrete || !g_error_matches (why, STEP_ERROR, FV_NO_MEMORY)) {
    g_propagate_error (error, why);
    return FALSE;
  }
  g_info ("%s goes to %s: %s", op->fv.key, spare->fv->key, why->message);
  g_error_free (why);
  call_result_clear (&step->result);
  step->device = spare;
  step->spared = TRUE;
  return start (planned, op, args, inputs, spare, target, progress, &step->result, error);
}

/* What made the images of step i: what had made the source, and all steps up to this one. Free with g_free(). */
static char *
made_by (const Run *run, guint i)
{
  const ImageNotes *notes = image_info (run_source (run))->notes;
  GString *s = g_string_new (notes && notes->made_by ? notes->made_by : NULL);
  for (guint k = 0; k <= i; k++) {
    const Step *step = recipe_step (run_recipe (run), k);
    const char *text = step->skipped ? NULL : step_format_all (step);
    if (text)
      g_string_append_printf (s, "%sFovea " FOVEA_VERSION ": %s", s->len ? "\n" : "", text);
  }
  return g_string_free (s, FALSE);
}

/* planned: NULL: the plan, if there is one, does not know the step. */
static gboolean
run_one (Run *run, guint i, const ScheduleStep *schedule, Device *device, const PlanStep *planned, Progress *progress,
         GError **error)
{
  RunStep *step = run_step_at (run, i);
  const Op *op = step->step->op;
  Image *inputs[OP_MAX_ARRAYS] = {NULL};
  Table *tables[OP_MAX_ARRAYS] = {NULL};
  CallTarget target = planned && !step->step->device ? planned->where : (CallTarget){0};
  g_autofree char *maker = op->n_outputs ? made_by (run, i) : NULL;
  gboolean in_place = set_from (run, i, step, schedule, device);
  run_step_forget (step);
  target.given = step->given;
  target.made_by = maker;
  target.asked = &step->step->asked;
  for (guint k = 0; k < op->n_inputs; k++) {
    const Link *link = &schedule->inputs[k];
    if ((link->kind == LINK_SELECTION && !mask_of (step, k, k ? inputs[0] : run_source (run), error))
        || (link->kind == LINK_FILE && !file_input_image (step->step->files[k], error))) {
      g_prefix_error (error, "%s: %s: ", op->fv.key, op->fv.inputs[k].key);
      return FALSE;
    }
    inputs[k] = run_linked (run, i, k, link);
    if (link->kind == LINK_TABLE)
      tables[k] = run_result (run, link->step)->result.table;
  }
  if (step->derived && step->derived->each.planes > 1)
    target.each = &step->derived->each;
  target.to_host = is_downloaded (run, i);
  step->one_object = op_has_trait (op, FV_MEASURES_OBJECTS) && inputs[0] && image_info (inputs[0])->role == FV_MASK;
  if (!start_step (run, step, planned, &(CallInputs){inputs, tables}, device, &target, progress, error))
    return FALSE;
  step->done = TRUE;
  step->id = in_place ? step->id : run_step_ids ();
  return TRUE;
}

/* Where step i runs: on the run's device, or on its own. A GPU of its own is another Device than any run has, because that one may have its turn. */
static Device *
device_of (const Run *run, guint i, Device *device, GError **error)
{
  const Step *step = run_result (run, i)->step;
  Device *own = step->device ? choice_device_of_step (run, i, error) : device;
  if (!own || own->fv == device->fv)
    return own ? device : NULL;
  return own->discrete ? modules_second_device ((Modules *) step->op->modules, own, error) : own;
}

/* What a step has made elsewhere is settled and in host memory before that device has another turn. */
static gboolean
fetch_all (RunStep *step, Progress *progress, GError **error)
{
  if (!call_settle (step->step->op, &step->result, error))
    return FALSE;
  for (guint k = 0; k < step->result.n_images; k++)
    if (!image_on_host (step->result.images[k], progress, error))
      return FALSE;
  return TRUE;
}

static gboolean
run_elsewhere (Run *run, guint i, const ScheduleStep *schedule, Device *own, const PlanStep *planned,
               Progress *progress, GError **error)
{
  RunStep *step = run_step_at (run, i);
  GError *fault = NULL;
  if (own->discrete)
    g_mutex_lock (&own->turn);
  gboolean done = !device_is_lost (own->fv, &fault) && run_one (run, i, schedule, own, planned, progress, &fault)
                  && (!own->discrete || fetch_all (step, progress, &fault));
  if (!done)
    device_note_fault (own->fv, own->stream, &fault);
  if (own->discrete)
    g_mutex_unlock (&own->turn);
  if (!done) {
    run_step_forget (step);
    g_propagate_error (error, fault);
  }
  return done;
}

/* Releases what is not needed after step i. */
static void
let_go (Run *run, const ScheduleStep *schedule, guint i)
{
  for (guint n = 0; n <= i; n++)
    for (guint k = 0; k < run_result (run, n)->result.n_images; k++)
      if (schedule[n].last[k] <= i)
        g_clear_pointer (&run_step_at (run, n)->result.images[k], image_unref);
  for (guint k = 0; k < run_result (run, i)->step->op->n_inputs && run_keep (run) != RUN_KEEP_ALL; k++)
    g_clear_pointer (&run_step_at (run, i)->masks[k], image_unref);
}

/* Step i of the recipe in the plan, if there is one; NULL: it does not know the step. */
static const PlanStep *
planned_step (const Plan *plan, guint i)
{
  for (guint n = 0; plan && n < plan->steps->len; n++)
    if (g_array_index (plan->steps, PlanStep, n).index == i)
      return &g_array_index (plan->steps, PlanStep, n);
  return NULL;
}

/* The derived values of step i, and the plan again, which knows them now. */
static gboolean
derive (Run *run, guint i, const ScheduleStep *schedule, Plan **plan, const Device *device, GError **error)
{
  Image *first = run_result (run, i)->step->op->n_inputs ? run_linked (run, i, 0, &schedule->inputs[0]) : NULL;
  if (!step_founds (run_result (run, i)->step))
    return TRUE;
  if (!run_derive (run, i, first, error))
    return FALSE;
  if (!*plan)
    return TRUE;
  plan_free (*plan);
  *plan = plan_new (run, device);
  return plan_memory_arrange (*plan, device, error);
}

static gboolean
run_step (Run *run, guint i, const ScheduleStep *schedule, Plan **plan, Device *device, Progress *progress,
          GError **error)
{
  Device *where = derive (run, i, schedule, plan, device, error) ? device_of (run, i, device, error) : NULL;
  if (!where)
    return FALSE;
  return (where == device ? run_one : run_elsewhere) (run, i, schedule, where, planned_step (*plan, i), progress,
                                                      error);
}

static gboolean
run_steps (Run *run, Plan **plan, Device *device, Progress *progress, GError **error)
{
  guint n;
  GError *fault = NULL;
  g_autofree ScheduleStep *schedule = schedule_new (run, device, &n, &fault);
  for (guint i = 0; i < n; i++) {
    progress_part (progress, (gint) i, (gint) run_length (run));
    if (run_result (run, i)->step->skipped)
      run_step_forget (run_step_at (run, i));
    if (schedule[i].runs && !run_step (run, i, &schedule[i], plan, device, progress, error)) {
      g_clear_error (&fault);
      return FALSE;
    }
    let_go (run, schedule, i);
    progress_on_disk (progress, (gint) run_on_disk (run, NULL));
  }
  for (guint i = n; i < run_length (run); i++)
    run_step_forget (run_step_at (run, i));
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
    RunStep *step = run_step_at (run, i);
    if (step->done && !(settled = settled && call_settle (step->step->op, &step->result, error)))
      run_step_forget (step);
  }
  return settled;
}

static gboolean
execute (Run *run, Device *device, Progress *progress, GError **error)
{
  /* A GPU has its results in memory of its own: with the source in memory there is nothing to arrange. */
  gboolean arranged = device->discrete && !image_missing_bytes (run_source (run));
  g_autoptr (Plan) plan = arranged ? NULL : plan_new (run, device);
  run_set_device (run, device);
  gboolean done =
    (arranged || plan_memory_arrange (plan, device, error)) && run_steps (run, &plan, device, progress, error);
  return settle (run, done ? error : NULL) && done;
}

gboolean
run_execute (Run *run, Device *device, Progress *progress, GError **error)
{
  GError *fault = NULL;
  if (device_is_lost (device->fv, error))
    return FALSE;
  if (execute (run, device, progress, &fault))
    return TRUE;
  device_note_fault (device->fv, device->stream, &fault);
  g_propagate_error (error, fault);
  return FALSE;
}

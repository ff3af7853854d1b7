/* SPDX-License-Identifier: MIT
 */
#include "core/run/halo.h"

#include "core/base/error.h"
#include "core/call/grid.h"
#include "core/run/plan.h"
#include "core/run/schedule.h"

static gboolean
same_size (Image *a, Image *b)
{
  const ImageInfo *x = image_info (a), *y = image_info (b);
  return x->rows == y->rows && x->columns == y->columns && x->depth == y->depth && x->frames == y->frames;
}

/* Whether all that it makes is as large as the source, so that parts of it are parts of that. */
static gboolean
makes_same_size (const Plan *plan, guint index, const Run *run)
{
  for (guint k = 0; k < plan->images->len; k++) {
    const PlanImage *made = &g_array_index (plan->images, PlanImage, k);
    if (made->step == index && !same_size (made->image, run_source (run)))
      return FALSE;
  }
  return TRUE;
}

/* Whether it takes an image that is not divided together with the source. */
static gboolean
takes_other_image (const Op *op, const ScheduleStep *schedule)
{
  for (guint k = 0; k < op->n_inputs; k++)
    if (schedule->inputs[k].kind == LINK_SELECTION || schedule->inputs[k].kind == LINK_FILE)
      return TRUE;
  return FALSE;
}

/* Adds what the step needs. NULL, or why it cannot work on a part. */
static const char *
add_step (const Plan *plan, guint index, const ScheduleStep *schedule, const Run *run, gint64 halo[3])
{
  const PlanStep *step = &g_array_index (plan->steps, PlanStep, index);
  fv_grid in[OP_MAX_ARRAYS], out[OP_MAX_ARRAYS];
  gint64 own[3] = {0};
  if (step->op->fv.kind != FV_POINT && step->op->fv.kind != FV_LOCAL)
    return "it needs the whole image, or makes a table";
  if (takes_other_image (step->op, &schedule[step->index]))
    return "it takes a selection or a file, which are of the whole image";
  if (!makes_same_size (plan, index, run))
    return "its result has another size";
  if (!call_grids (step->op, step->args, step->inputs, in, out, NULL))
    return "its input has another size";
  if (step->op->fv.kind == FV_LOCAL)
    step->op->fv.halo (step->op->declared, step->args, &in[0], own);
  if (call_grain (step->op, step->args) == FV_PLANES && own[0] != INT64_MAX)
    own[0] = 0; /* planes are independent */
  for (int axis = 0; axis < 3; axis++) {
    if (own[axis] == INT64_MAX)
      return "its pixels depend on their coordinates";
    halo[axis] = MIN (halo[axis] + own[axis], in[0].shape[axis]);
  }
  return NULL;
}

/* Whether all steps could be planned; FALSE with *error, which names the first that could not. */
static gboolean
is_whole (const Plan *plan, const ScheduleStep *schedule, const Run *run, GError **error)
{
  guint planned = 0;
  for (guint i = 0; i < run_length (run); i++)
    if (schedule[i].runs && planned++ == plan->steps->len) {
      step_error_set (error, FV_BAD_ARGUMENT, NULL, "%s: Its inputs or parameters do not fit the image.",
                      run_result (run, i)->step->op->fv.key);
      return FALSE;
    }
  return TRUE;
}

gboolean
run_halo (const Run *run, gint64 halo[3], GError **error)
{
  guint n;
  g_autofree ScheduleStep *schedule = schedule_new (run, NULL, &n, error);
  g_autoptr (Plan) plan = NULL;
  const char *why = NULL;
  guint i = 0;
  if (n < run_length (run))
    return FALSE;
  plan = plan_new (run, NULL);
  halo[0] = halo[1] = halo[2] = 0;
  for (; i < plan->steps->len && !why; i++)
    if ((why = add_step (plan, i, schedule, run, halo)))
      step_error_set (error, FV_UNSUPPORTED, NULL, "%s cannot be computed in blocks: %s.",
                      g_array_index (plan->steps, PlanStep, i).op->fv.key, why);
  return !why && is_whole (plan, schedule, run, error);
}

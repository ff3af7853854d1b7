/* SPDX-License-Identifier: MIT
 *
 * Results that are not computed yet are images without pixels: image_new_promised().
 */
#include "core/run/plan.h"

#include "core/call/box.h"
#include "core/call/grid.h"
#include "core/run/schedule.h"
#include "core/run/selection_input.h"
#include "core/call/wants.h"

#include <math.h>

#define MAX_SCRATCH                                                                                                    \
  (G_GINT64_CONSTANT (1) << 50) /* bytes: more than any machine has, and little enough to be added up */

void
plan_free (Plan *plan)
{
  g_array_unref (plan->steps);
  g_array_unref (plan->images);
  g_ptr_array_unref (plan->promised);
  g_ptr_array_unref (plan->needed);
  g_ptr_array_unref (plan->taken);
  g_clear_error (&plan->fault);
  g_free (plan);
}

/* What step i is to make; NULL: nothing. */
static Image *
first_image (const Plan *plan, guint i)
{
  for (guint k = 0; k < plan->images->len; k++) {
    const PlanImage *made = &g_array_index (plan->images, PlanImage, k);
    if (made->output == 0 && g_array_index (plan->steps, PlanStep, made->step).index == i)
      return made->image;
  }
  return NULL;
}

Image *
plan_image_at (const Plan *plan, const Run *run, int index)
{
  for (int i = MIN (index, (int) run_length (run) - 1); i >= 0; i--) {
    Image *image = first_image (plan, (guint) i);
    if (image || (image = run_image (run, (guint) i, 0)))
      return image;
  }
  return run_source (run);
}

/* What the operation says that it takes and does. */
static void
ask (const Op *op, Image *const *inputs, PlanStep *s)
{
  static const double usual[] = {[FV_POINT] = 2, [FV_LOCAL] = 4, [FV_GLOBAL] = 10, [FV_TABLE] = 16};
  fv_grid in[OP_MAX_ARRAYS], out[OP_MAX_ARRAYS];
  const fv_grid *in_at[OP_MAX_ARRAYS] = {NULL};
  s->arithmetic = usual[op->fv.kind];
  if ((!op->fv.scratch && !op->fv.arithmetic) || !call_grids (op, s->args, inputs, in, out, NULL))
    return;
  for (guint i = 0; i < op->n_inputs; i++)
    in_at[i] = inputs[i] ? &in[i] : NULL;
  if (op->fv.scratch)
    s->scratch = (gsize) CLAMP (op->fv.scratch (op->declared, s->args, in_at), 0, MAX_SCRATCH);
  if (op->fv.arithmetic)
    s->arithmetic = fmax (op->fv.arithmetic (op->declared, s->args, in_at), 0);
}

/* An image of a step as it will be or is, and the bytes that go with it. */
typedef struct {
  Image *image; /* NULL: none */
  gsize bytes;  /* that the plan makes */
} Made;

typedef struct {
  Plan *plan;
  const Run *run;
  const ScheduleStep *schedule;
  Made (*made)[OP_MAX_ARRAYS]; /* of each step */
} Planning;

static Image *
promise (Planning *p, const ImageInfo *info)
{
  Image *image = image_new_promised (info);
  g_ptr_array_add (p->plan->promised, image);
  return image;
}

/* What step i takes; masks that have to be made count as its own. */
static void
find_inputs (Planning *p, guint i, Image **inputs, PlanStep *s)
{
  const RunStep *step = run_result (p->run, i);
  for (guint k = 0; k < step->step->op->n_inputs; k++) {
    const Link *link = &p->schedule[i].inputs[k];
    inputs[k] = link->kind == LINK_RESULT ? p->made[link->step][link->output].image : run_linked (p->run, i, k, link);
    if (link->kind != LINK_SELECTION || inputs[k])
      continue;
    const ImageInfo drawn = selection_input_info (step->step, k, k ? inputs[0] : run_source (p->run));
    inputs[k] = promise (p, &drawn);
    s->made += image_bytes (inputs[k]);
    s->gone += run_keep (p->run) == RUN_KEEP_ALL ? 0 : image_bytes (inputs[k]);
  }
}

/* What inputs become first, once for each image, and then stay as long as that. */
static gsize
bytes_of_taken (Planning *p, guint i, Image *const *inputs)
{
  const Op *op = run_result (p->run, i)->step->op;
  gsize bytes = 0;
  for (guint k = 0; k < op->n_inputs; k++) {
    const Link *link = &p->schedule[i].inputs[k];
    gsize own = inputs[k] ? wants_bytes (&op->fv.inputs[k], inputs[k]) : 0;
    if (!own || g_ptr_array_find (p->plan->taken, inputs[k], NULL))
      continue;
    g_ptr_array_add (p->plan->taken, inputs[k]);
    if (link->kind == LINK_RESULT)
      p->made[link->step][link->output].bytes += own;
    bytes += own;
  }
  return bytes;
}

/* Bytes of images of the plan that are freed after step i. */
static gsize
bytes_freed (const Planning *p, guint i)
{
  gsize bytes = 0;
  for (guint n = 0; n <= i; n++)
    for (guint k = 0; k < run_result (p->run, n)->step->op->n_outputs; k++)
      if (p->schedule[n].last[k] == i)
        bytes += p->made[n][k].bytes;
  return bytes;
}

static gint64
pixels_of (const ImageInfo *info)
{
  return image_info_planes (info) * info->rows * info->columns;
}

/* FALSE when its inputs do not fit it. */
static gboolean
add_step (Planning *p, guint i)
{
  const Step *step = run_result (p->run, i)->step;
  ImageInfo infos[OP_MAX_ARRAYS];
  PlanStep s = {.op = step->op, .args = run_args (p->run, i), .index = i};
  Image **inputs = s.inputs;
  find_inputs (p, i, inputs, &s);
  GError **fault = step_founds (step) && !run_result (p->run, i)->derived ? NULL : &p->plan->fault;
  if ((step->op->n_inputs && !inputs[0]) || !call_infer (step->op, s.args, inputs, infos, fault))
    return FALSE;
  s.pixels = inputs[0] ? pixels_of (image_info (inputs[0])) : 0;
  for (guint k = 0; k < step->op->n_outputs; k++) {
    Image *image = promise (p, &infos[k]);
    p->made[i][k] = (Made){image, image_bytes (image)};
    g_array_append_val (p->plan->images,
                        ((PlanImage){image, p->plan->steps->len, k, image_bytes (image), p->schedule[i].last[k]}));
    s.made += image_bytes (image);
    s.pixels = MAX (s.pixels, pixels_of (&infos[k]));
    image_info_clear (&infos[k]);
  }
  s.made += bytes_of_taken (p, i, inputs);
  ask (step->op, inputs, &s);
  s.gone += bytes_freed (p, i);
  for (guint k = 0; k < step->op->n_inputs; k++)
    s.read += !inputs[k]                             ? 0
              : call_box_reads (step->op, inputs[k]) ? image_bytes (p->made[i][0].image)
                                                     : image_bytes (inputs[k]);
  g_array_append_val (p->plan->steps, s);
  for (guint k = 0; k < step->op->n_inputs; k++)
    if (inputs[k] && !g_ptr_array_find (p->plan->promised, inputs[k], NULL)
        && !g_ptr_array_find (p->plan->needed, inputs[k], NULL))
      g_ptr_array_add (p->plan->needed, inputs[k]);
  return TRUE;
}

static void
use_current (Planning *p, guint i)
{
  for (guint k = 0; k < run_result (p->run, i)->step->op->n_outputs && !run_result (p->run, i)->step->skipped; k++)
    p->made[i][k].image = run_image (p->run, i, k);
}

Plan *
plan_new (const Run *run, const Device *device)
{
  Plan *plan = g_new0 (Plan, 1);
  guint n;
  g_autofree ScheduleStep *schedule = schedule_new (run, device, &n, NULL);
  g_autofree gpointer made = g_malloc0_n (MAX (1, n), OP_MAX_ARRAYS * sizeof (Made));
  Planning p = {plan, run, schedule, made};
  plan->steps = g_array_new (FALSE, FALSE, sizeof (PlanStep));
  plan->images = g_array_new (FALSE, FALSE, sizeof (PlanImage));
  plan->promised = g_ptr_array_new_with_free_func ((GDestroyNotify) image_unref);
  plan->needed = g_ptr_array_new ();
  plan->taken = g_ptr_array_new ();
  for (guint i = 0; i < n; i++) {
    if (!schedule[i].runs)
      use_current (&p, i);
    else if (!add_step (&p, i))
      break;
    if (p.made[i][0].image)
      plan->last = image_bytes (p.made[i][0].image);
  }
  return plan;
}

/* SPDX-License-Identifier: MIT
 *
 * Results that are not there yet are images without pixels.
 */
#include "core/run/plan.h"

#include "core/run/call_grid.h"
#include "core/run/pipeline_inputs.h"
#include "core/run/take.h"

#define MOST_SCRATCH                                                                                                   \
  (G_GINT64_CONSTANT (1) << 50) /* bytes: more than any machine has, and little enough to be added up */

void
plan_free (Plan *plan)
{
  g_array_unref (plan->steps);
  g_ptr_array_unref (plan->needed);
  g_ptr_array_unref (plan->taken);
  g_free (plan);
}

static gsize
scratch_of (const Step *step, Image *const *inputs)
{
  fv_grid in[OP_MAX_ARRAYS], out[OP_MAX_ARRAYS];
  const fv_grid *in_at[OP_MAX_ARRAYS] = {NULL};
  gint64 bytes = 0;
  if (step->op->fv.scratch && call_grids (step->op, step->args, inputs, in, out, NULL)) {
    for (guint i = 0; i < step->op->n_inputs; i++)
      in_at[i] = inputs[i] ? &in[i] : NULL;
    bytes = step->op->fv.scratch (step->op->declared, step->args, in_at);
  }
  return (gsize) CLAMP (bytes, 0, MOST_SCRATCH);
}

/* What inputs become first, once for each image. */
static gsize
bytes_of_taken (Plan *plan, const Op *op, Image *const *inputs)
{
  gsize bytes = 0;
  for (guint i = 0; i < op->n_inputs; i++) {
    gsize own = inputs[i] ? take_bytes (&op->fv.inputs[i], inputs[i]) : 0;
    if (!own || g_ptr_array_find (plan->taken, inputs[i], NULL))
      continue;
    g_ptr_array_add (plan->taken, inputs[i]);
    bytes += own;
  }
  return bytes;
}

/* Adds a step; *made becomes its first image, which belongs to `promised`. FALSE when its inputs do not fit it. */
static gboolean
add_step (Plan *plan, const Step *step, Image *const *inputs, GPtrArray *promised, Image **made)
{
  ImageInfo infos[OP_MAX_ARRAYS];
  const ImageInfo *first = image_info (inputs[0]);
  PlanStep s = {.op = step->op, .pixels = image_info_planes (first) * first->rows * first->columns};
  if (!call_infer (step->op, step->args, inputs, infos, NULL))
    return FALSE;
  for (guint i = 0; i < step->op->n_outputs; i++) {
    gint64 planes = image_info_planes (&infos[i]);
    s.made += (gsize) planes * image_info_plane_bytes (&infos[i]);
    s.pixels = MAX (s.pixels, planes * infos[i].rows * infos[i].columns);
    g_ptr_array_add (promised, image_new_promised (&infos[i]));
    if (i == 0)
      *made = promised->pdata[promised->len - 1];
    image_info_clear (&infos[i]);
  }
  s.made += bytes_of_taken (plan, step->op, inputs);
  s.scratch = scratch_of (step, inputs);
  g_array_append_val (plan->steps, s);
  for (guint i = 0; i < step->op->n_inputs; i++)
    if (inputs[i] && !g_ptr_array_find (promised, inputs[i], NULL) && !g_ptr_array_find (plan->needed, inputs[i], NULL))
      g_ptr_array_add (plan->needed, inputs[i]);
  return TRUE;
}

Plan *
plan_new (const Pipeline *pipeline, Image *source, const Device *device)
{
  Plan *plan = g_new0 (Plan, 1);
  guint n = pipeline_length (pipeline);
  g_autofree Image **made = g_new0 (Image *, n);
  g_autoptr (GPtrArray) promised = g_ptr_array_new_with_free_func ((GDestroyNotify) image_unref);
  plan->steps = g_array_new (FALSE, FALSE, sizeof (PlanStep));
  plan->needed = g_ptr_array_new ();
  plan->taken = g_ptr_array_new ();
  for (guint i = 0; i < n; i++) {
    const Step *step = pipeline_step (pipeline, i);
    g_autofree Image **inputs = g_new0 (Image *, step->op->n_inputs);
    if (step->skipped)
      continue;
    if (!pipeline_inputs (pipeline, i, source, made, inputs, NULL))
      break;
    if (device && step_is_current (step, inputs, device))
      made[i] = step->result.n_images ? step->result.images[0] : NULL;
    else if (!add_step (plan, step, inputs, promised, &made[i]))
      break;
    if (made[i])
      plan->last = image_bytes (made[i]);
  }
  return plan;
}

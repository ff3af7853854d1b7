/* SPDX-License-Identifier: MIT
 *
 * The part is run as any image is, by a run of its own whose first results are cut out of the last one's. An image is halved until
 * that is likely to be quick.
 */
#include "core/preview/preview.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/run/cost.h"
#include "core/run/execute.h"
#include "core/preview/steps.h"
#include "core/view/pyramid.h"

#include <math.h>

/* A shorter whole run is there before a preview and its mark would be of use: that would flicker, and drawing both costs more. */
static const double pays_ms = 150;
static const double quick_ms = 15;  /* with the picture and a frame of the screen that is less than 50 */
static const double stack_ms = 150; /* which cannot be halved: better late than never */
enum { ROOM = 16 };                 /* pixels around what is seen: outlines, and objects that are cut off */

void
preview_free (Preview *preview)
{
  run_free (preview->run);
  g_free (preview);
}

/* ---- How long ---- */

static double
cost_of (const Plan *plan, const Device *device, const Device *cpu)
{
  Speed speed = device->fv->kind == FV_CPU ? speed_of_cpu (cpu) : speed_of_gpu (device);
  return cost_of_steps (plan, &speed);
}

/* What the last run took for these steps; 0: it has not done any. */
static double
last_ms (const Run *run, const Plan *plan)
{
  double ms = 0;
  for (guint i = 0; i < plan->steps->len; i++)
    ms += run_result (run, g_array_index (plan->steps, PlanStep, i).index)->result.ms;
  return ms;
}

/* With a preview beside it, a run takes up to twice as long as it would alone. */
static gboolean
was_long (double ms)
{
  return ms > 2 * pays_ms;
}

gboolean
preview_pays (const Run *run, const Device *cpu)
{
  const Device *device = preview_device (run);
  g_autoptr (Plan) plan = plan_new (run, device);
  return cost_of (plan, device ? device : cpu, cpu) > pays_ms || was_long (last_ms (run, plan));
}

guint
preview_wait_ms (const Run *last)
{
  const double ms = run_ms (last);
  return (guint) (was_long (ms) ? pays_ms : fmax (pays_ms, 2 * ms));
}

/* On the CPU, of those steps of the whole that a preview makes. */
static double
cost_of_made (const PreviewSteps *steps, const Run *whole, const Device *cpu)
{
  g_autoptr (Plan) plan = plan_new (whole, preview_device (whole));
  Speed speed = speed_of_cpu (cpu);
  double ms = 0;
  for (guint i = 0; i < plan->steps->len; i++) {
    const PlanStep *step = &g_array_index (plan->steps, PlanStep, i);
    if (preview_steps_use (steps, step->index) == PREVIEW_MADE)
      ms += cost_of_step (step, &speed);
  }
  return ms;
}

/* ---- The part ---- */

/* What is looked at and the halo around it, as far as the image reaches; FALSE: none of it is seen. */
static gboolean
fit_part (const ImageInfo *info, const PreviewArea *a, const gint64 halo[3], PreviewPart *part)
{
  const double scale = ldexp (1, (int) part->level);
  const gint64 rows = info->rows >> part->level, columns = info->columns >> part->level;
  const gint64 y = halo[1] + ROOM, x = halo[2] + ROOM, slice = MIN (a->slice, info->depth - 1);
  gint64 top = (gint64) floor (a->y / scale) - y, bottom = (gint64) ceil ((a->y + a->rows) / scale) + y;
  gint64 left = (gint64) floor (a->x / scale) - x, right = (gint64) ceil ((a->x + a->columns) / scale) + x;
  top = MAX (top, 0), left = MAX (left, 0), bottom = MIN (bottom, rows), right = MIN (right, columns);
  part->region = (ImageRegion){top, left, bottom - top, right - left};
  part->slice = MAX (slice - halo[0], 0);
  part->slices = MIN (slice + halo[0] + 1, info->depth) - part->slice;
  part->frame = a->frame;
  return top < bottom && left < right;
}

static double
share_of (const ImageInfo *info, const PreviewPart *part)
{
  const double all = (double) (info->frames * info->depth) * (double) info->rows * (double) info->columns;
  return (double) part->slices * (double) part->region.rows * (double) part->region.columns / all;
}

/* As large as can be seen, or smaller where that would take too long. FALSE with *error. */
static gboolean
find_part (const PreviewSteps *steps, const PreviewArea *area, double cost_ms, PreviewPart *part, GError **error)
{
  const ImageInfo *info = preview_steps_shown (steps);
  gint64 halo[3];
  preview_steps_halo (steps, 0, halo);
  const gboolean stack = halo[0] > 0;
  for (part->level = stack ? 0 : pyramid_level_for (area->zoom); MIN (info->rows, info->columns) >> part->level;
       part->level++) {
    preview_steps_halo (steps, part->level, halo);
    if (!fit_part (info, area, halo, part)) {
      step_error_set (error, FV_UNSUPPORTED, NULL, "No part of the image is visible.");
      return FALSE;
    }
    if (cost_ms * share_of (info, part) < (stack ? stack_ms : quick_ms))
      return TRUE;
    if (stack)
      break;
  }
  step_error_set (error, FV_UNSUPPORTED, NULL, "A preview would take too long.");
  return FALSE;
}

/* ---- The run ---- */

/* What the step is made from in the run of the part: see schedule.c. Steps that will be made have no number yet. */
static guint64
identity (const PreviewSteps *steps, const Run *run, guint i, guint k)
{
  Link link;
  if (!link_find (run_recipe (run), i, k, &link, NULL) || (link.kind != LINK_SOURCE && link.kind != LINK_RESULT))
    return G_MAXUINT64;
  return link.kind == LINK_RESULT && preview_steps_use (steps, link.step) == PREVIEW_MADE ? 0
                                                                                          : run_link_id (run, &link);
}

static gboolean
cut_results (PreviewCache *cache, const PreviewSteps *steps, const Run *whole, const PreviewPart *part, Run *run,
             guint i, Device *cpu, GError **error)
{
  RunStep *to = run_step_at (run, i);
  const RunStep *from = run_result (whole, i);
  const Op *op = to->step->op;
  to->result.images = g_new0 (Image *, op->n_outputs);
  to->result.n_images = op->n_outputs;
  to->result.device = cpu;
  for (guint k = 0; k < op->n_outputs; k++)
    if (!(to->result.images[k] = preview_cut (cache, run_image (whole, i, k), from->id + k, part, error)))
      return FALSE;
  for (guint k = 0; k < op->n_inputs; k++)
    to->from[k] = identity (steps, run, i, k);
  to->done = TRUE;
  to->device = cpu;
  to->id = run_step_ids ();
  return TRUE;
}

/* The source of the part; where nothing is needed of it, one without pixels. */
static Image *
cut_source (PreviewCache *cache, const PreviewSteps *steps, const Run *whole, const PreviewPart *part, GError **error)
{
  if (preview_steps_use_source (steps))
    return preview_cut (cache, run_source (whole), run_source_id (whole), part, error);
  return image_new_promised (image_info (run_source (whole)));
}

static Run *
new_run (PreviewCache *cache, const PreviewSteps *steps, const Run *whole, const PreviewPart *part, Device *cpu,
         GError **error)
{
  g_autoptr (Recipe) recipe = preview_steps_recipe (steps, cache, part, error);
  g_autoptr (Image) source = recipe ? cut_source (cache, steps, whole, part, error) : NULL;
  g_autoptr (Run) run = source ? run_new (recipe, source, RUN_KEEP_ALL) : NULL;
  for (guint i = 0; run && i < run_length (run); i++) {
    const PreviewUse use = preview_steps_use (steps, i);
    if (use == PREVIEW_CUT && !cut_results (cache, steps, whole, part, run, i, cpu, error))
      return NULL;
    if (use == PREVIEW_MADE)
      run_step_at (run, i)->given = preview_steps_given (steps, i, part);
  }
  return g_steal_pointer (&run);
}

/* By one thread where that is quick: of a team each would wait for a core, which the whole run has. */
static gboolean
execute (Run *run, Device *cpu, GError **error)
{
  const guint cores = parallel_threads ();
  g_autoptr (Plan) plan = plan_new (run, preview_device (run));
  const guint before = parallel_limit_operations (cost_of (plan, cpu, cpu) * cores < quick_ms ? 1 : 0);
  const gboolean done = run_execute (run, cpu, progress_current (), error);
  parallel_limit_operations (before);
  return done;
}

Preview *
preview_make (PreviewCache *cache, const Run *whole, int index, const PreviewArea *area, Device *cpu, GError **error)
{
  g_autoptr (PreviewSteps) steps = preview_steps_new (whole, index, error);
  g_autoptr (Run) run = NULL;
  PreviewPart part;
  if (!steps || !find_part (steps, area, cost_of_made (steps, whole, cpu), &part, error)
      || !(run = new_run (cache, steps, whole, &part, cpu, error)) || !execute (run, cpu, error))
    return NULL;
  Preview *preview = g_new (Preview, 1);
  const gint64 slice = MIN (area->slice, preview_steps_shown (steps)->depth - 1) - part.slice;
  *preview = (Preview){g_steal_pointer (&run), part.region, part.level, slice};
  return preview;
}

void
preview_prepare (PreviewCache *cache, const Run *run, int index, const PreviewArea *area)
{
  const Op *op = index >= 0 && index < (int) run_length (run) ? run_result (run, (guint) index)->step->op : NULL;
  for (guint k = 0; op && k < op->n_inputs; k++) {
    Image *image = run_input (run, (guint) index, k);
    Link link;
    if (!image || !link_find (run_recipe (run), (guint) index, k, &link, NULL) || link.kind == LINK_SELECTION
        || link.kind == LINK_FILE || image_missing_bytes (image))
      continue;
    const ImageInfo *info = image_info (image);
    PreviewPart part = {.level = pyramid_level_for (area->zoom)};
    if (part.level && fit_part (info, area, (const gint64[3]){0, 0, 0}, &part))
      image_unref (preview_cut (cache, image, run_link_id (run, &link), &part, NULL));
  }
}

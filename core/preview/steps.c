/* SPDX-License-Identifier: MIT
 *
 * Forwards: what the whole images are, or will be, and what of each step can be had in part. Backwards: what is needed.
 */
#include "core/preview/steps.h"

#include "core/base/error.h"
#include "core/call/grid.h"
#include "core/preview/step.h"
#include "core/ops/args.h"
#include "core/run/derive.h"
#include "core/run/schedule.h"
#include "core/run/selection_input.h"

#include <string.h>

/* Of a step; images are the whole ones, there or without pixels, and not ours. */
typedef struct {
  Image *inputs[OP_MAX_ARRAYS]; /* NULL: not given */
  Image *images[OP_MAX_ARRAYS]; /* NULL: there is none */
  RunDerived *derived;          /* NULL: the step has no derived values, or their numbers are not there */
  PreviewUse use;
} Foreseen;

struct PreviewSteps {
  const Run *run;
  guint n; /* that have a schedule */
  ScheduleStep *schedule;
  Foreseen *steps;
  GPtrArray *promised; /* owns images without pixels */
  Image *shown;
  gboolean source; /* is needed */
};

void
preview_steps_free (PreviewSteps *s)
{
  for (guint i = 0; i < s->n; i++)
    g_clear_pointer (&s->steps[i].derived, run_derived_unref);
  g_free (s->schedule);
  g_free (s->steps);
  g_ptr_array_unref (s->promised);
  g_free (s);
}

const Device *
preview_device (const Run *run)
{
  for (guint i = run_length (run); i--;)
    if (run_result (run, i)->done)
      return run_result (run, i)->device;
  return NULL;
}

/* ---- What the whole will be ---- */

static Image *
promise (PreviewSteps *s, const ImageInfo *info)
{
  Image *image = image_new_promised (info);
  g_ptr_array_add (s->promised, image);
  return image;
}

/* A mask of one plane. */
static void
find_inputs (PreviewSteps *s, guint i)
{
  Image **inputs = s->steps[i].inputs;
  for (guint k = 0; k < run_result (s->run, i)->step->op->n_inputs; k++) {
    const Link *link = &s->schedule[i].inputs[k];
    inputs[k] = link->kind == LINK_RESULT ? s->steps[link->step].images[link->output] : run_linked (s->run, i, k, link);
    if (link->kind == LINK_SELECTION && (inputs[0] || k == 0)) {
      const ImageInfo drawn =
        selection_input_info (run_result (s->run, i)->step, k, k ? inputs[0] : run_source (s->run));
      inputs[k] = promise (s, &drawn);
    }
  }
}

/* With what its derived values come to. */
static gconstpointer
args_of (const PreviewSteps *s, guint i)
{
  return s->steps[i].derived ? s->steps[i].derived->args : run_result (s->run, i)->step->args;
}

/* Its images as far as the declarations say what they will be. */
static void
foresee (PreviewSteps *s, guint i)
{
  const Step *step = run_result (s->run, i)->step;
  ImageInfo infos[OP_MAX_ARRAYS];
  if (step->skipped)
    return;
  find_inputs (s, i);
  if (step_founds (step))
    s->steps[i].derived = run_derived_from (s->run, i, s->steps[i].inputs[0], NULL);
  for (guint k = 0; k < step->op->n_outputs && !s->schedule[i].runs; k++)
    s->steps[i].images[k] = run_image (s->run, i, k);
  if (!s->schedule[i].runs || !call_infer (step->op, args_of (s, i), s->steps[i].inputs, infos, NULL))
    return;
  for (guint k = 0; k < step->op->n_outputs; k++) {
    s->steps[i].images[k] = promise (s, &infos[k]);
    image_info_clear (&infos[k]);
  }
}

/* ---- What can be had in part ---- */

/* Whether its pixels are where those of the image are that is looked at; a single slice, or frame, goes with all. */
static gboolean
fits (const PreviewSteps *s, Image *image)
{
  const ImageInfo *a = image_info (image), *b = image_info (s->shown);
  return a->rows == b->rows && a->columns == b->columns && (a->depth == b->depth || a->depth == 1)
         && (a->frames == b->frames || a->frames == 1);
}

static gboolean
outputs_fit (const PreviewSteps *s, guint i)
{
  const Op *op = run_result (s->run, i)->step->op;
  for (guint k = 0; k < op->n_outputs; k++)
    if (!s->steps[i].images[k] || !fits (s, s->steps[i].images[k]))
      return FALSE;
  return op->n_outputs > 0;
}

static gboolean
can_be_cut (const PreviewSteps *s, guint i)
{
  for (guint k = 0; k < run_result (s->run, i)->step->op->n_outputs; k++)
    if (!preview_can_cut (s->steps[i].images[k]))
      return FALSE;
  return !s->schedule[i].runs;
}

static void
halo_of_args (const Foreseen *step, const Op *op, gconstpointer args, gint64 halo[3])
{
  fv_grid in[OP_MAX_ARRAYS], out[OP_MAX_ARRAYS];
  memset (halo, 0, 3 * sizeof *halo);
  if (op->fv.kind == FV_LOCAL && call_grids (op, args, step->inputs, in, out, NULL))
    op->fv.halo (op->declared, args, &in[0], halo);
}

/* Whether a pixel depends on where in the whole it is, of which a part knows nothing. */
static gboolean
knows_positions (const Foreseen *step, const Op *op, gconstpointer args)
{
  gint64 halo[3];
  halo_of_args (step, op, args, halo);
  return halo[0] == INT64_MAX || halo[1] == INT64_MAX || halo[2] == INT64_MAX;
}

/* Whether the same part of a file's image corresponds to the part of the image: its pixels have the same positions.
 * This is unknown for inputs that are used as a whole for each pixel, such as a kernel. */
static gboolean
goes_along (const PreviewSteps *s, guint i, guint k)
{
  const Foreseen *step = &s->steps[i];
  const Op *op = run_result (s->run, i)->step->op;
  gint64 halo[3];
  if (!step->inputs[k] || !fits (s, step->inputs[k]) || (op->fv.kind != FV_POINT && op->fv.kind != FV_LOCAL))
    return FALSE;
  halo_of_args (step, op, args_of (s, i), halo);
  return halo[1] < image_info (s->shown)->rows && halo[2] < image_info (s->shown)->columns;
}

/* Whether the derived values of step i are known, the same for all channels, which a part has. */
static gboolean
has_values (const PreviewSteps *s, guint i)
{
  const RunDerived *derived = s->steps[i].derived;
  return derived ? derived->each.planes == 1 || image_info (s->steps[i].inputs[0])->channels == 1
                 : !step_founds (run_result (s->run, i)->step);
}

/* Not what joins slices or frames to one: it would have to see them all. */
static gboolean
can_be_made (const PreviewSteps *s, guint i)
{
  const Op *op = run_result (s->run, i)->step->op;
  const Foreseen *step = &s->steps[i];
  for (guint k = 0; k < op->n_inputs; k++) {
    const Link *link = &s->schedule[i].inputs[k];
    if (link->kind == LINK_RESULT && s->steps[link->step].use == PREVIEW_SKIPPED)
      return FALSE;
    if ((link->kind == LINK_FILE && !goes_along (s, i, k))
        || (link->kind == LINK_SELECTION && run_result (s->run, i)->step->files[k]) /* drawn whole */
        || (link->kind == LINK_SOURCE && !fits (s, run_source (s->run))))
      return FALSE;
  }
  return has_values (s, i) && step->inputs[0]
         && image_info (step->inputs[0])->depth == image_info (step->images[0])->depth
         && image_info (step->inputs[0])->frames == image_info (step->images[0])->frames
         && (op->fv.kind == FV_POINT || op->fv.kind == FV_LOCAL || op->fv.part != FV_PART_OTHER)
         && !knows_positions (step, op, args_of (s, i));
}

/* What is in a table is of the whole, and tables are not made. */
static gboolean
takes_table (const PreviewSteps *s, guint i)
{
  for (guint k = 0; k < run_result (s->run, i)->step->op->n_inputs; k++)
    if (s->schedule[i].inputs[k].kind == LINK_TABLE)
      return TRUE;
  return FALSE;
}

static PreviewUse
find_use (const PreviewSteps *s, guint i)
{
  if (!outputs_fit (s, i) || takes_table (s, i))
    return PREVIEW_SKIPPED;
  return can_be_cut (s, i) ? PREVIEW_CUT : can_be_made (s, i) ? PREVIEW_MADE : PREVIEW_SKIPPED;
}

/* ---- What is needed ---- */

/* The step whose image is looked at, or -1. */
static int
shown_step (const PreviewSteps *s, int index)
{
  int i = MIN (index, (int) s->n - 1);
  while (i >= 0 && !s->steps[i].images[0])
    i--;
  return i;
}

static void
need_input (PreviewSteps *s, gboolean *needed, guint i, guint k)
{
  const Link *link = &s->schedule[i].inputs[k];
  if (link->kind == LINK_RESULT && s->steps[link->step].use != PREVIEW_SKIPPED)
    needed[link->step] = TRUE;
  else if (link->kind == LINK_SOURCE)
    s->source |= fits (s, run_source (s->run));
}

/* The image that is looked at and what it is of, and labels, which are drawn over any image. */
static void
find_needed (PreviewSteps *s, int shown)
{
  g_autofree gboolean *needed = g_new0 (gboolean, MAX (1, s->n));
  for (guint i = 0; i < s->n; i++)
    needed[i] = (int) i == shown || (s->steps[i].images[0] && image_info (s->steps[i].images[0])->role == FV_LABELS);
  s->source = shown < 0;
  if (shown >= 0)
    need_input (s, needed, (guint) shown, 0);
  for (guint i = s->n; i--;) {
    if (!needed[i])
      s->steps[i].use = PREVIEW_SKIPPED;
    for (guint k = 0; k < run_result (s->run, i)->step->op->n_inputs && s->steps[i].use == PREVIEW_MADE; k++)
      need_input (s, needed, i, k);
  }
}

PreviewSteps *
preview_steps_new (const Run *run, int index, GError **error)
{
  g_autoptr (PreviewSteps) s = g_new0 (PreviewSteps, 1);
  int shown;
  s->run = run;
  s->promised = g_ptr_array_new_with_free_func ((GDestroyNotify) image_unref);
  s->schedule = schedule_new (run, preview_device (run), &s->n, NULL);
  s->steps = g_new0 (Foreseen, MAX (1, s->n));
  for (guint i = 0; i < s->n; i++)
    foresee (s, i);
  shown = shown_step (s, index);
  s->shown = shown < 0 ? run_source (run) : s->steps[shown].images[0];
  for (guint i = 0; i < s->n; i++)
    s->steps[i].use = find_use (s, i);
  if (shown >= 0 && s->steps[shown].use == PREVIEW_SKIPPED) {
    step_error_set (error, FV_UNSUPPORTED, NULL, "%s cannot be previewed in part.",
                    run_result (run, (guint) shown)->step->op->fv.key);
    return NULL;
  }
  find_needed (s, shown);
  return g_steal_pointer (&s);
}

/* ---- Looking ---- */

const ImageInfo *
preview_steps_shown (const PreviewSteps *s)
{
  return image_info (s->shown);
}

PreviewUse
preview_steps_use (const PreviewSteps *s, guint i)
{
  return i < s->n ? s->steps[i].use : PREVIEW_SKIPPED;
}

gboolean
preview_steps_use_source (const PreviewSteps *s)
{
  return s->source;
}

/* ---- Derived values ---- */

/* Step i, with the numbers of the slice and frame of the part instead of derived values. part: NULL: those of the first. */
static Step *
numbered_step (const PreviewSteps *s, guint i, const PreviewPart *part)
{
  const Step *step = recipe_step (run_recipe (s->run), i);
  const RunDerived *derived = i < s->n ? s->steps[i].derived : NULL;
  if (!derived)
    return step_copy (step);
  const ImageInfo *in = s->steps[i].inputs[0] ? image_info (s->steps[i].inputs[0]) : NULL;
  const gint64 plane = !part || derived->each.planes == 1
                         ? 0
                         : MIN (part->frame, in->frames - 1) * in->depth + MIN (part->slice, in->depth - 1);
  Step *numbered = step_with_args (step, derived->args);
  for (guint k = 0; k < derived->each.n; k++)
    args_put_number (numbered->args, derived->each.params[k], derived->each.values[plane * derived->each.n + k], NULL);
  return numbered;
}

/* ---- Around the part ---- */

static void
halo_of (const PreviewSteps *s, guint i, guint level, gint64 halo[3])
{
  static const ImageRegion nowhere;
  g_autoptr (Step) numbered = numbered_step (s, i, NULL), step = preview_step (numbered, level, &nowhere);
  halo_of_args (&s->steps[i], step->op, step->args, halo);
}

void
preview_steps_halo (const PreviewSteps *s, guint level, gint64 halo[3])
{
  g_autofree gint64 (*around)[3] = g_malloc0_n (MAX (1, s->n), sizeof *around); /* of what each step makes */
  memset (halo, 0, 3 * sizeof *halo);
  for (guint i = s->n; i--;) {
    gint64 own[3];
    if (s->steps[i].use != PREVIEW_MADE)
      continue;
    halo_of (s, i, level, own);
    for (int axis = 0; axis < 3; axis++) {
      own[axis] += around[i][axis];
      halo[axis] = MAX (halo[axis], own[axis]);
      for (guint k = 0; k < run_result (s->run, i)->step->op->n_inputs; k++)
        if (s->schedule[i].inputs[k].kind == LINK_RESULT) {
          gint64 *before = &around[s->schedule[i].inputs[k].step][axis];
          *before = MAX (*before, own[axis]);
        }
    }
  }
}

/* ---- For the part ---- */

/* Replaces the files of a step with those parts of their images. */
static gboolean
cut_files (PreviewCache *cache, const PreviewPart *part, Step *step, GError **error)
{
  for (guint k = 0; k < step->op->n_inputs; k++) {
    FileInput *file = step->files[k];
    g_autoptr (Image) cut = NULL;
    if (!file)
      continue;
    if (!(cut = preview_cut (cache, file_input_image (file, NULL), file_input_id (file), part, error)))
      return FALSE;
    step->files[k] = file_input_with_image (file, cut);
    file_input_unref (file);
  }
  return TRUE;
}

Recipe *
preview_steps_recipe (const PreviewSteps *s, PreviewCache *cache, const PreviewPart *part, GError **error)
{
  g_autoptr (Recipe) recipe = recipe_ref (run_recipe (s->run));
  for (guint i = 0; i < recipe_length (recipe); i++) {
    g_autoptr (Step) numbered = numbered_step (s, i, part), step = preview_step (numbered, part->level, &part->region);
    const PreviewUse use = preview_steps_use (s, i);
    step->skipped = use == PREVIEW_SKIPPED;
    if (use == PREVIEW_MADE && !cut_files (cache, part, step, error))
      return NULL;
    Recipe *next = recipe_with_step (recipe, i, 1, step, NULL);
    recipe_unref (recipe);
    recipe = next;
  }
  return g_steal_pointer (&recipe);
}

double *
preview_steps_given (const PreviewSteps *s, guint i, const PreviewPart *part)
{
  const RunStep *before = run_result (s->run, i);
  const Op *op = before->step->op;
  if (op->fv.part != FV_PART_GIVEN || !before->done || !before->result.scalars)
    return NULL;
  const ImageInfo *in = image_info (s->steps[i].inputs[0]);
  const fv_grain grain = call_grain (op, args_of (s, i));
  const gint64 channels = grain >= FV_FRAME ? 1 : in->channels, depth = grain == FV_PLANES ? in->depth : 1;
  const gint64 slices = MIN (part->slices, depth), slice = depth > 1 ? part->slice : 0;
  if (before->result.scalar_rows != in->frames * channels * depth) /* of an image of another size */
    return NULL;
  const gsize row = op->n_scalars;
  const double *from =
    before->result.scalars + (gsize) (MIN (part->frame, in->frames - 1) * channels * depth + slice) * row;
  double *given = g_new (double, (gsize) (channels * slices) * row), *to = given;
  for (gint64 c = 0; c < channels; c++, from += (gsize) depth * row, to += (gsize) slices * row)
    memcpy (to, from, (gsize) slices * row * sizeof *to);
  return given;
}

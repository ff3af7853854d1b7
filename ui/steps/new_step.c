/* SPDX-License-Identifier: MIT
 *
 * An operation that gives numbers for a whole image, such as a threshold or a count of objects, or a table, is of one channel. What the
 * steps make is known from the opened image and the recipe, whether it is there yet or not.
 */
#include "ui/steps/new_step.h"

#include "core/data/plane.h"
#include "core/measure/statistics.h"
#include "core/ops/args.h"
#include "core/run/plan.h"
#include "core/view/plane_sample.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

/* What the new step comes upon. */
typedef struct {
  View *view;
  const Recipe *recipe;
  int index; /* of the step that is looked at */
  Run *run;
  Plan *plan;
} Present;

static Present *
present_new (View *view, const Recipe *recipe, int index)
{
  Document *document = view_document (view);
  Present *p = g_new (Present, 1);
  *p = (Present){.view = view, .recipe = recipe, .index = index};
  p->run = run_new (p->recipe, document_source (document), RUN_KEEP_ALL);
  p->plan = plan_new (p->run, NULL);
  return p;
}

static void
present_free (Present *p)
{
  plan_free (p->plan);
  run_free (p->run);
  g_free (p);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Present, present_free)

static const ImageInfo *
info_at (const Present *p, int index)
{
  return image_info (plan_image_at (p->plan, p->run, index));
}

/* ---- One channel of several ---- */

enum { LOOKS = 4096 };

/* The standard deviation of some of the pixels; -1 when they are not at hand. */
static double
deviation_of (Image *image, gint64 plane)
{
  gint64 n = 0;
  g_autofree double *values = plane_glimpse (image, plane, LOOKS, &n);
  return values ? statistics_of (values, NULL, n).sd : -1;
}

static gint64
clearest_channel (const View *view, Image *image)
{
  const ImageInfo *info = image_info (image);
  gint64 best = 0;
  double max = -1;
  for (gint64 c = 0; c < info->channels; c++) {
    gint64 slice = MIN (view_slice (view), info->depth - 1), frame = MIN (view_frame (view), info->frames - 1);
    double deviation = deviation_of (image, plane_number (info, (PlanePosition){c, slice, frame}));
    if (deviation > max) {
      max = deviation;
      best = c;
    }
  }
  return best;
}

/* The last step up to `index` that selects a channel; -1: none. */
static int
channel_step (const Recipe *recipe, int index)
{
  while (index >= 0 && !op_has_trait (recipe_step (recipe, (guint) index)->op, FV_PICKS_CHANNEL))
    index--;
  return index;
}

/* Whether the operation gives numbers of a whole image, or a table, and does not say itself which of the channels it takes. */
static gboolean
is_of_one_channel (const Op *op)
{
  for (guint i = 0; i < op->n_params; i++)
    if (op->fv.params[i].ordinal && g_str_has_prefix (op->fv.params[i].key, "channel"))
      return FALSE;
  return op->n_scalars || op->fv.kind == FV_TABLE;
}

/* The channel that an earlier step must select: the shown one. For a color image without a choice, that is the
 * clearest one of the opened image, which is then shown. -1: none. */
static gint64
channel_for (const Present *p, const Op *op)
{
  View *view = p->view;
  Image *source = run_source (p->run);
  const ImageInfo *info = info_at (p, p->index);
  if (!is_of_one_channel (op) || info->channels < 2 || channel_step (p->recipe, p->index) >= 0)
    return -1;
  if (info->role == FV_RGB && image_info (source)->role == FV_RGB && !view_channel_chosen (view))
    view_set_position (view, clearest_channel (view, source), view_slice (view), view_frame (view));
  return MIN (view_channel (view), info->channels - 1);
}

/* ---- Intensities ---- */

static gboolean
same_size (const ImageInfo *x, const ImageInfo *y)
{
  return x->rows == y->rows && x->columns == y->columns && x->depth == y->depth && x->frames == y->frames;
}

/* What was there before objects were looked for: the channel that was taken, or the opened image, when it has the size of what is
 * measured. Its step gets a name in the recipe that is returned; NULL: there is none. */
static Recipe *
name_intensity (const Present *p, char **name)
{
  const Recipe *recipe = p->recipe;
  int index = channel_step (recipe, p->index);
  const ImageInfo *info = info_at (p, index);
  if (info->role != FV_IMAGE || info->channels > 1 || !same_size (info, info_at (p, p->index)))
    return NULL;
  if (index < 0) {
    *name = g_strdup (RECIPE_SOURCE);
    return recipe_ref (recipe);
  }
  *name = g_strdup (recipe_step (recipe, (guint) index)->names[0]);
  if (!*name)
    *name = recipe_free_name (recipe, "intensity");
  return recipe_with_name (recipe, (guint) index, 0, *name, NULL);
}

/* The steps before a new one that measures, which takes the intensities. */
static Recipe *
with_intensity (const Present *p, Step *step)
{
  for (guint i = 1; step->op->fv.kind == FV_TABLE && i < step->op->n_inputs; i++)
    if (!strcmp (step->op->fv.inputs[i].key, "intensity")) {
      g_autofree char *name = NULL;
      Recipe *recipe = name_intensity (p, &name);
      if (recipe && step_set (step, "intensity", name, NULL)) /* its mean is part of what is measured then */
        return recipe;
    }
  return recipe_ref (p->recipe);
}

/* ---- Adding ---- */

/* With the step below the one that is looked at: as it is written, or, if that is its name alone, as it is mostly meant. */
static Recipe *
with_step (const Present *p, const Modules *modules, const char *text, const Op **op, GError **error)
{
  g_autofree char *key = g_strndup (text, strcspn (text, " "));
  g_autoptr (Recipe) before = NULL;
  g_autoptr (Step) step = NULL;
  guint index = (guint) (p->index + 1);
  if (!(*op = modules_op (modules, key, error)))
    return NULL;
  if (strcmp (text, key))
    return recipe_with_parsed (p->recipe, index, 0, modules, text, error);
  if (!(step = step_new (*op, error)))
    return NULL;
  before = with_intensity (p, step);
  return recipe_with_step (before, index, 0, step, error);
}

/* With a step before it that takes the channel. */
static Recipe *
with_channel (const Recipe *recipe, const Modules *modules, guint index, gint64 channel, GError **error)
{
  const Op *op = modules_op (modules, "channel", error);
  g_autoptr (Step) step = op ? step_new (op, error) : NULL;
  return step && args_put_number (step->args, args_param (op, "index"), (double) channel, error)
           ? recipe_with_step (recipe, index, 0, step, error)
           : NULL;
}

/* Its message; index: from 1. Free with g_free(). */
static char *
channel_note (const Op *op, int index, gint64 channel)
{
  g_autofree char *title = words_title (op);
  return g_strdup_printf (
    _ ("%s works on one channel. Step %d selects channel %" PRId64 ", where C is now; choose another channel there."),
    title, index, channel + 1);
}

static char *
volume_note (void)
{
  return g_strdup (_ ("Slices are processed as one volume. To process each separately, use Slices, above the "
                      "steps."));
}

/* The first step that a person adds and that would find, separate or measure objects slice by slice of a volume has the recipe say that it is one;
 * takes the recipe. A recipe whose steps take slices already keeps its meaning. */
static Recipe *
for_volume (const Present *p, Recipe *with, char **note)
{
  const ImageInfo *info = image_info (run_source (p->run));
  const RecipeVolume said =
    recipe_suggest_volume (p->recipe, info) ? RECIPE_UNSAID : recipe_suggest_volume (with, info);
  if (!said)
    return with;
  Recipe *own = recipe_with_volume (with, said);
  recipe_unref (with);
  if (!*note)
    *note = volume_note ();
  return own;
}

gboolean
new_step_add (View *view, const Modules *modules, const char *text, char **note, GError **error)
{
  const Op *op;
  g_autoptr (Present) present = present_new (view, document_recipe (view_document (view)), view_index (view));
  g_autoptr (Recipe) with = with_step (present, modules, text, &op, error), all = NULL;
  int index = present->index + 1;
  gint64 channel = with ? channel_for (present, op) : -1;
  *note = NULL;
  if (channel >= 0)
    all = with_channel (with, modules, (guint) index++, channel, error);
  else
    all = g_steal_pointer (&with);
  if (!all)
    return FALSE;
  if (channel >= 0)
    *note = channel_note (op, index, channel);
  all = for_volume (present, g_steal_pointer (&all), note);
  document_set_recipe (view_document (view), all);
  view_set_index (view, index);
  return TRUE;
}

/* ---- Steps to begin with ---- */

/* The first step that is of one channel, unless one before it takes a channel; NULL: none. */
static const Op *
op_of_one_channel (const Recipe *recipe)
{
  for (guint i = 0; i < recipe_length (recipe); i++) {
    const Op *op = recipe_step (recipe, i)->op;
    if (op_has_trait (op, FV_PICKS_CHANNEL))
      return NULL;
    if (is_of_one_channel (op))
      return op;
  }
  return NULL;
}

/* The first step behind the one that takes a channel, where parameters are tried first. Objects are seen best as outlines on the image that they are
 * found in: the step before, when that one makes labels. */
static int
first_to_see (View *view, const Recipe *steps)
{
  const int last = (int) recipe_length (steps) - 1, first = channel_step (steps, 0) + 1;
  g_autoptr (Present) present = present_new (view, steps, first);
  if (last < 1)
    return last;
  return info_at (present, first)->role == FV_LABELS ? first - 1 : first;
}

gboolean
new_steps_begin (View *view, const Modules *modules, const Recipe *steps, char **note, GError **error)
{
  const Op *op = op_of_one_channel (steps);
  g_autoptr (Recipe) none = recipe_new (), all = NULL;
  g_autoptr (Present) present = present_new (view, none, -1);
  const gint64 channel = op ? channel_for (present, op) : -1;
  *note = channel >= 0 ? channel_note (op, 1, channel) : NULL;
  if (recipe_volume (steps) == RECIPE_OBJECTS && !*note)
    *note = volume_note ();
  all = channel >= 0 ? with_channel (steps, modules, 0, channel, error) : recipe_ref ((Recipe *) steps);
  if (!all)
    return FALSE;
  const int index = first_to_see (view, all);
  document_set_recipe (view_document (view), all);
  view_set_index (view, index);
  return TRUE;
}

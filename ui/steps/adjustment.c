/* SPDX-License-Identifier: MIT
 *
 * The methods take what is above their threshold, a manual threshold what is at least it: so that is the next value above.
 */
#include "ui/steps/adjustment.h"

#include "core/base/text.h"
#include "core/data/pixel_type.h"
#include "core/ops/args.h"
#include "core/run/shown.h"

#include <math.h>

const Step *
adjustment_step (const View *view)
{
  const Recipe *recipe = document_recipe (view_document (view));
  int index = view_index (view);
  const Step *step = index >= 0 && index < (int) recipe_length (recipe) ? recipe_step (recipe, (guint) index) : NULL;
  return step && op_has_trait (step->op, FV_THRESHOLDS) ? step : NULL;
}

Image *
adjustment_taken (const View *view)
{
  const Run *run = document_run (view_document (view));
  const int index = view_index (view);
  Image *taken = index < (int) run_length (run) ? run_input (run, (guint) index, 0) : NULL;
  return taken ? taken : document_image (view_document (view), index - 1);
}

/* The threshold of the plane that is looked at; NaN: none is known of this step. */
static double
found_by (const View *view, const Step *step)
{
  const Run *run = document_run (view_document (view));
  const guint index = (guint) view_index (view);
  if (shown_is_by_hand (step) || index >= run_length (run) || run_result (run, index)->step->op != step->op)
    return NAN;
  return shown_found (run_result (run, index), image_info (adjustment_taken (view)), view_plane (view));
}

gboolean
adjustment_found (const View *view)
{
  const Step *step = adjustment_step (view);
  return step && isfinite (found_by (view, step));
}

gboolean
adjustment_range (const View *view, double *low, double *high)
{
  const Step *step = adjustment_step (view);
  const Run *run = document_run (view_document (view));
  const guint index = (guint) view_index (view);
  const RunStep *result = step && index < run_length (run) ? run_result (run, index) : NULL;
  return step && shown_band (step, result, found_by (view, step), low, high);
}

/* The step by hand that takes what this one takes; NULL with *error. */
static Step *
by_hand (const View *view, const Step *step, GError **error)
{
  const gboolean whole = !pixel_type_is_float (image_info (adjustment_taken (view))->type);
  double low = -INFINITY, high = INFINITY;
  const Op *op = modules_op (step->op->modules, "threshold", error);
  g_autoptr (Step) instead = !op ? NULL : op == step->op ? step_copy (step) : step_new (op, error);
  if (adjustment_range (view, &low, &high) && isfinite (low))
    low = whole ? floor (low) + 1 : nextafter (low, INFINITY);
  g_autofree char *lower = text_from_number (low), *upper = text_from_number (high);
  if (!instead || !step_set (instead, "method", "manual", error) || !step_set (instead, "lower", lower, error)
      || !step_set (instead, "upper", upper, error))
    return NULL;
  if (op != step->op) {
    instead->inputs[0] = g_strdup (step->inputs[0]);
    instead->names[0] = g_strdup (step->names[0]);
    instead->skipped = step->skipped;
  }
  return g_steal_pointer (&instead);
}

static Recipe *
recipe_by_hand (const View *view, GError **error)
{
  g_autoptr (Step) instead = by_hand (view, adjustment_step (view), error);
  return instead
           ? recipe_with_step (document_recipe (view_document (view)), (guint) view_index (view), 1, instead, error)
           : NULL;
}

gboolean
adjustment_set (View *view, gboolean upper, double value, GError **error)
{
  Document *document = view_document (view);
  const guint index = (guint) view_index (view);
  g_autoptr (Recipe) manual =
    shown_is_by_hand (adjustment_step (view)) ? recipe_ref (document_recipe (document)) : recipe_by_hand (view, error);
  if (!manual)
    return FALSE;
  const fv_param *param = args_param (recipe_step (manual, index)->op, upper ? "upper" : "lower");
  const double shown = isinf (value)                                                       ? value
                       : !pixel_type_is_float (image_info (adjustment_taken (view))->type) ? round (value)
                                                                                           : text_round (value, 6);
  g_autoptr (Recipe) with = recipe_with_number (manual, index, param, shown, error);
  if (with)
    document_set_recipe_for (document, with, index, param);
  return with != NULL;
}

gboolean
adjustment_take (View *view, GError **error)
{
  g_autoptr (Recipe) with = recipe_by_hand (view, error);
  if (with)
    document_set_recipe (view_document (view), with);
  return with != NULL;
}

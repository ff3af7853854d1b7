/* SPDX-License-Identifier: MIT
 *
 * The methods take what is above their threshold, a manual threshold what is at least it: so that is the next value above.
 */
#include "ui/steps/adjustment.h"

#include "core/data/pixel_type.h"
#include "core/ops/args.h"
#include "core/base/text.h"

#include <math.h>
#include <string.h>

static gboolean
has_value (const Step *step, const char *key, const char *value)
{
  const fv_param *param = args_param (step->op, key);
  g_autofree char *now = param ? args_get (step->args, param) : NULL;
  return now && !strcmp (now, value);
}

/* The step that is looked at, and its results; NULL when they are not those of this step. */
static const RunStep *
result_of (const View *view, const Step **step)
{
  const Recipe *recipe = document_recipe (view_document (view));
  const Run *run = document_run (view_document (view));
  int place = view_place (view);
  if (place < 0 || place >= (int) recipe_length (recipe) || place >= (int) run_length (run))
    return NULL;
  const RunStep *result = run_result (run, (guint) place);
  *step = recipe_step (recipe, (guint) place);
  return result->step->op == (*step)->op && result->done && result->result.scalars ? result : NULL;
}

/* The threshold of the plane that is looked at. */
static gboolean
found (const View *view, const RunStep *result, double *threshold)
{
  const Op *op = result->step->op;
  for (guint i = 0; i < op->n_scalars; i++)
    if (!strcmp (op->fv.scalars[i].key, "threshold")) {
      gint64 row = MIN (view_slice (view), result->result.scalar_rows - 1);
      *threshold = result->result.scalars[row * op->n_scalars + i];
      return isfinite (*threshold);
    }
  return FALSE;
}

gboolean
adjustment_found (const View *view, double *threshold)
{
  const Step *step;
  const RunStep *result = result_of (view, &step);
  return result && !has_value (step, "method", "manual") && !has_value (step, "dark_background", "no")
         && found (view, result, threshold);
}

static double
number_of (const Step *step, const char *key)
{
  const fv_param *param = args_param (step->op, key);
  g_autofree char *text = param ? args_get (step->args, param) : NULL;
  double number = NAN;
  return text && text_to_number_or_infinity (text, &number) ? number : NAN;
}

gboolean
adjustment_range (const View *view, double *low, double *high, gboolean *manual)
{
  const Step *step;
  const RunStep *result = result_of (view, &step);
  double threshold;
  if (!result)
    return FALSE;
  *manual = has_value (step, "method", "manual");
  *low = *manual ? number_of (step, "lower") : -INFINITY;
  *high = *manual ? number_of (step, "upper") : INFINITY;
  if (*manual)
    return !isnan (*low) && !isnan (*high);
  if (!found (view, result, &threshold))
    return FALSE;
  *(has_value (step, "dark_background", "no") ? high : low) = threshold;
  return TRUE;
}

gboolean
adjustment_set (View *view, gboolean upper, double value, GError **error)
{
  Image *image = document_image (view_document (view), view_place (view) - 1);
  const Step *step = recipe_step (document_recipe (view_document (view)), (guint) view_place (view));
  const fv_param *param = args_param (step->op, upper ? "upper" : "lower");
  double shown = !pixel_type_is_float (image_info (image)->type) ? round (value) : text_round (value, 6);
  return document_set_number (view_document (view), (guint) view_place (view), param, shown, error);
}

gboolean
adjustment_take (View *view, GError **error)
{
  Document *document = view_document (view);
  guint place = (guint) view_place (view);
  double threshold;
  if (!adjustment_found (view, &threshold))
    return TRUE;
  const Recipe *recipe = document_recipe (document);
  const Step *step = recipe_step (recipe, place);
  const gboolean whole = !pixel_type_is_float (image_info (document_image (document, (int) place - 1))->type);
  g_autofree char *value = text_from_number (whole ? floor (threshold) + 1 : nextafter (threshold, INFINITY));
  const Op *op = modules_op (step->op->modules, "threshold", error);
  g_autoptr (Step) instead = op ? step_new (op, error) : NULL;
  if (!instead || !step_set (instead, "method", "manual", error) || !step_set (instead, "lower", value, error))
    return FALSE;
  instead->inputs[0] = g_strdup (step->inputs[0]);
  instead->names[0] = g_strdup (step->names[0]);
  instead->skipped = step->skipped;
  g_autoptr (Recipe) with = recipe_with_step (recipe, place, 1, instead, error);
  if (with)
    document_set_recipe (document, with);
  return with != NULL;
}

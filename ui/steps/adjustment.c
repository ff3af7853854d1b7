/* SPDX-License-Identifier: MIT
 *
 * The methods take what is above their threshold, a manual threshold what is at least it: so that is the next value above.
 */
#include "ui/steps/adjustment.h"

#include "core/ops/args.h"
#include "core/base/text.h"

#include <math.h>
#include <string.h>

static const fv_param *
param_of (const Op *op, const char *key)
{
  for (guint i = 0; i < op->n_params; i++)
    if (!strcmp (op->fv.params[i].key, key))
      return &op->fv.params[i];
  return NULL;
}

static gboolean
has_value (const Step *step, const char *key, const char *value)
{
  const fv_param *param = param_of (step->op, key);
  g_autofree char *now = param ? args_get (step->args, param) : NULL;
  return now && !strcmp (now, value);
}

/* The step that is looked at, and its results; NULL when they are not those of this step. */
static const Step *
result_of (const View *view, const Step **step)
{
  const Pipeline *steps = document_steps (view_document (view)), *results = document_results (view_document (view));
  int place = view_place (view);
  if (place < 0 || place >= (int) pipeline_length (steps) || place >= (int) pipeline_length (results))
    return NULL;
  const Step *result = pipeline_step (results, (guint) place);
  *step = pipeline_step (steps, (guint) place);
  return result->op == (*step)->op && result->done && result->result.scalars ? result : NULL;
}

/* The threshold of the plane that is looked at. */
static gboolean
found (const View *view, const Step *step, const Step *result, double *threshold)
{
  for (guint i = 0; i < step->op->n_scalars; i++)
    if (!strcmp (step->op->fv.scalars[i].key, "threshold")) {
      gint64 row = MIN (view_slice (view), result->result.scalar_rows - 1);
      *threshold = result->result.scalars[row * step->op->n_scalars + i];
      return isfinite (*threshold);
    }
  return FALSE;
}

gboolean
adjustment_found (const View *view, double *threshold)
{
  const Step *step, *result = result_of (view, &step);
  return result && !has_value (step, "method", "manual") && !has_value (step, "dark_background", "no")
         && found (view, step, result, threshold);
}

static double
number_of (const Step *step, const char *key)
{
  const fv_param *param = param_of (step->op, key);
  g_autofree char *text = param ? args_get (step->args, param) : NULL;
  double number = NAN;
  return text && text_to_number (text, &number) ? number : NAN;
}

gboolean
adjustment_range (const View *view, double *low, double *high, gboolean *manual)
{
  const Step *step, *result = result_of (view, &step);
  double threshold;
  if (!result)
    return FALSE;
  *manual = has_value (step, "method", "manual");
  *low = *manual ? number_of (step, "lower") : -INFINITY;
  *high = *manual ? number_of (step, "upper") : INFINITY;
  if (*manual)
    return !isnan (*low) && !isnan (*high);
  if (!found (view, step, result, &threshold))
    return FALSE;
  *(has_value (step, "dark_background", "no") ? high : low) = threshold;
  return TRUE;
}

gboolean
adjustment_set (View *view, gboolean upper, double value, GError **error)
{
  Image *image = document_image (view_document (view), view_place (view) - 1);
  double shown = image_info (image)->type & FV_INTEGERS ? round (value) : value;
  g_autofree char *text = g_strdup_printf ("%.6g", shown);
  return document_set_value (view_document (view), (guint) view_place (view), upper ? "upper" : "lower", text, error);
}

gboolean
adjustment_take (View *view, GError **error)
{
  Document *document = view_document (view);
  guint place = (guint) view_place (view);
  double threshold;
  if (!adjustment_found (view, &threshold))
    return TRUE;
  const Step *step = pipeline_step (document_steps (document), place);
  const gboolean whole = image_info (document_image (document, (int) place - 1))->type & FV_INTEGERS;
  g_autofree char *value = text_from_number (whole ? floor (threshold) + 1 : nextafter (threshold, INFINITY));
  g_autofree char *from = step->inputs[0] ? text_quote (step->inputs[0]) : NULL;
  g_autofree char *name = step->name ? text_quote (step->name) : NULL;
  g_autofree char *text =
    g_strdup_printf ("threshold method=manual lower=%s%s%s%s%s%s", value, from ? " from=" : "", from ? from : "",
                     name ? " as=" : "", name ? name : "", step->skipped ? " skip=yes" : "");
  return document_replace_step (document, place, text, error);
}

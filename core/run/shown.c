/* SPDX-License-Identifier: MIT
 */
#include "core/run/shown.h"

#include "core/base/text.h"
#include "core/ops/args.h"

#include <math.h>
#include <string.h>

gboolean
shown_alike (Image *one, Image *other)
{
  const ImageInfo *a = image_info (one), *b = image_info (other);
  return a->rows == b->rows && a->columns == b->columns && a->depth == b->depth && a->frames == b->frames;
}

/* ---- Thresholds ---- */

double
shown_found (const RunStep *result, const ImageInfo *taken, PlanePosition index)
{
  const CallResult *r = &result->result;
  const Op *op = result->step->op;
  if (!op_has_trait (op, FV_THRESHOLDS) || !r->scalars || !r->scalar_rows)
    return NAN;
  const gint64 planes = taken->frames * taken->channels * taken->depth;
  const gint64 row =
    plane_number (taken, plane_within (taken, index)) * r->scalar_rows / planes; /* of so many planes each */
  return r->scalars[row * op->n_scalars];
}

static gboolean
has_value (const Step *step, const char *key, const char *value)
{
  const fv_param *param = args_param (step->op, key);
  g_autofree char *now = param ? args_get (step->args, param) : NULL;
  return now && !strcmp (now, value);
}

static double
number_of (const Step *step, const RunStep *result, const char *key)
{
  const fv_param *param = args_param (step->op, key);
  const gboolean derived = param && step_derived (step, param);
  const RunDerived *values = result && result->step->op == step->op ? result->derived : NULL;
  gconstpointer args = !derived ? step->args : values && values->each.planes == 1 ? values->args : NULL;
  g_autofree char *text = param && args ? args_get (args, param) : NULL;
  double number = NAN;
  return text && text_to_number_or_infinity (text, &number) ? number : NAN;
}

gboolean
shown_is_by_hand (const Step *step)
{
  return op_has_trait (step->op, FV_THRESHOLDS) && has_value (step, "method", "manual");
}

gboolean
shown_band (const Step *step, const RunStep *result, double found, double *low, double *high)
{
  const gboolean by_hand = shown_is_by_hand (step), dark = has_value (step, "dark_background", "no");
  *low = by_hand ? number_of (step, result, "lower") : dark ? -INFINITY : found;
  *high = by_hand ? number_of (step, result, "upper") : dark ? found : INFINITY;
  return !isnan (*low) && !isnan (*high);
}

Image *
shown_thresholded (const Run *run, int index)
{
  const guint i = (guint) index;
  if (index < 0 || i >= run_length (run) || !run_result (run, i)->done)
    return NULL;
  const Op *op = run_result (run, i)->step->op;
  Image *from = run_input (run, i, 0), *mask = run_image (run, i, 0);
  if (!from || !mask || !op_has_trait (op, FV_THRESHOLDS))
    return NULL;
  return image_info (mask)->role == FV_MASK && shown_alike (from, mask)
             && image_info (from)->channels == image_info (mask)->channels
           ? from
           : NULL;
}

/* ---- Objects ---- */

/* The labels that step i has made, when they fit the image: one object at most for each of its pixels. */
static Image *
labels_of (const Run *run, guint i, Image *image)
{
  Image *labels = run_image (run, i, 0);
  return labels && image_info (labels)->role == FV_LABELS && image_info (labels)->channels == 1
             && shown_alike (labels, image)
           ? labels
           : NULL;
}

Image *
shown_labels (const Run *run, int index, Image *image)
{
  int n = (int) run_length (run), last = MIN (index, n - 1);
  Image *labels = NULL;
  for (int i = last; i >= 0 && !labels; i--)
    labels = labels_of (run, (guint) i, image);
  for (int i = n - 1; i > last && !labels; i--)
    labels = labels_of (run, (guint) i, image);
  return labels;
}

gboolean
shown_is_objects (const Run *run, int index, Image *image)
{
  int last = MIN (index, (int) run_length (run) - 1);
  const Image *made = last < 0 ? NULL : run_image (run, (guint) last, 0);
  const Image *from = made ? run_input (run, (guint) last, 0) : NULL;
  return image_info (image)->role == FV_LABELS || (from && image_info (from)->role == FV_LABELS);
}

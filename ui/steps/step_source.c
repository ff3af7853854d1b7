/* SPDX-License-Identifier: MIT
 */
#include "ui/steps/step_source.h"

#include "core/base/error.h"
#include "core/data/pixel_type.h"
#include "core/ops/args.h"
#include "core/ops/native.h"
#include "core/view/value_range.h"

#include <math.h>
#include <string.h>

/* NULL: the step was removed. */
static const Step *
step_of (const StepInDocument *self)
{
  const Recipe *recipe = document_recipe (self->document);
  return self->index < recipe_length (recipe) ? recipe_step (recipe, self->index) : NULL;
}

static char *
get (gpointer self, const fv_param *param)
{
  const Step *step = step_of (self);
  const Derived *derived = step_derived (step, param);
  return derived ? g_strdup (derived_text (derived)) : args_get (step->args, param);
}

/* Of one plane, or the least and the greatest of several. */
static char *
computed (gpointer data, const fv_param *param)
{
  const StepInDocument *self = data;
  const Run *run = document_run (self->document);
  const Step *step = step_of (self);
  const RunStep *became = self->index < run_length (run) ? run_result (run, self->index) : NULL;
  double low = INFINITY, high = -INFINITY;
  if (!step || args_param (step->op, param->key) != param || !step_derived (step, param) || !became || !became->derived
      || !step_acts_alike (became->step, step))
    return NULL;
  const CallEach *each = &became->derived->each;
  for (guint k = 0; k < each->n; k++)
    for (gint64 plane = 0; plane < each->planes && each->params[k] == param; plane++) {
      low = MIN (low, each->values[plane * each->n + k]);
      high = MAX (high, each->values[plane * each->n + k]);
    }
  return low < high ? g_strdup_printf ("%.6g … %.6g", low, high) : g_strdup_printf ("%.6g", low);
}

static char **
found (gpointer data, const fv_param *param)
{
  const StepInDocument *self = data;
  const Recipe *recipe = document_recipe (self->document);
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  if (!step_can_derive (param))
    return NULL;
  for (guint i = MIN (self->index, recipe_length (recipe)); i-- > 0;) {
    const Op *op = recipe_step (recipe, i)->op;
    g_autofree char *name = op->n_scalars ? recipe_found_name (recipe, self->index, i) : NULL;
    for (guint k = 0; k < op->n_scalars; k++) {
      g_autofree char *text = g_strdup_printf ("{%s.%s}", name, op->fv.scalars[k].key);
      g_strv_builder_add (all, text);
    }
  }
  return g_strv_builder_end (all);
}

/* What is typed here is the user's own: code made from allowed code is allowed. */
static void
allow_typed (const StepInDocument *self, const char *key, const char *text)
{
  const Step *step = step_of (self);
  if (!step->op->fv.native || !native_is_allowed (step->op, step->args))
    return;
  g_autoptr (Recipe) with = recipe_with_text (document_recipe (self->document), self->index, key, text, NULL);
  g_autofree char *code = with ? native_code (step->op, recipe_step (with, self->index)->args) : NULL;
  if (code)
    native_allow (document_modules (self->document), code);
}

static gboolean
set (gpointer data, const fv_param *param, const char *value, GError **error)
{
  const StepInDocument *self = data;
  allow_typed (self, param->key, value);
  return document_set_value (self->document, self->index, param->key, value, error);
}

static gboolean
set_number (gpointer data, const fv_param *param, double number, GError **error)
{
  const StepInDocument *self = data;
  return document_set_number (self->document, self->index, param, number, error);
}

static gboolean
enabled (gpointer self, const fv_param *param)
{
  const Step *step = step_of (self);
  return step && args_param (step->op, param->key) == param && args_enabled (step->op, step->args, param);
}

/* A choice of any number answers for what it asks for, too, such as an input that is missing. */
static const char *
fault (gpointer data, const fv_param *param)
{
  const StepInDocument *self = data;
  guint index;
  const Step *step = step_of (self);
  const GError *error = document_error (self->document, &index);
  if (!step || !error || index != self->index)
    return NULL;
  const char *field = step_error_field (error);
  const gboolean asked = param->type == FV_SET && !args_param (step->op, field);
  return asked || !strcmp (field, param->key) ? error->message : NULL;
}

/* A value of the image, such as a threshold. */
static gboolean
range (gpointer data, const fv_param *param, double *low, double *high, gboolean *integer)
{
  const StepInDocument *self = data;
  Image *image = document_image (self->document, (int) self->index - 1);
  if (!param->open || !value_range (image, low, high))
    return FALSE;
  *integer = !pixel_type_is_float (image_info (image)->type);
  return TRUE;
}

ParamSource
step_source (StepInDocument *step)
{
  return (ParamSource){.self = step,
                       .get = get,
                       .set = set,
                       .set_number = set_number,
                       .enabled = enabled,
                       .computed = computed,
                       .found = found,
                       .fault = fault,
                       .range = range,
                       .code = step_of (step)->op->fv.native};
}

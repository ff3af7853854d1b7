/* SPDX-License-Identifier: MIT
 *
 * The one writer of a step's text, and of what it is made.
 */
#include "core/recipe/step.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ops/args.h"

#include <math.h>
#include <string.h>

guint
step_results (const Op *op)
{
  return op->n_outputs + (op->fv.kind == FV_TABLE);
}

/* ---- Derived values ---- */

gboolean
step_can_derive (const fv_param *param)
{
  return (param->type == FV_FLOAT || param->type == FV_INT || param->type == FV_AXES) && !param->choices;
}

Derived *
step_derived (const Step *step, const fv_param *param)
{
  return step->derived ? step->derived[param - step->op->fv.params] : NULL;
}

guint
step_founds (const Step *step)
{
  guint n = 0;
  for (guint i = 0; i < step->op->n_params && step->derived; i++)
    n += step->derived[i] ? derived_length (step->derived[i]) : 0;
  return n;
}

/* Takes it; NULL: the parameter has none from now on. */
static void
set_derived (Step *step, const fv_param *param, Derived *derived)
{
  const guint i = (guint) (param - step->op->fv.params);
  if (!step->derived && !derived)
    return;
  if (!step->derived)
    step->derived = g_new0 (Derived *, step->op->n_params);
  derived_unref (step->derived[i]);
  step->derived[i] = derived;
}

/* What is written for parameters instead of their values, or NULL. Free with g_free(). */
static const char **
derived_texts (const Step *step)
{
  const char **texts = step->derived ? g_new0 (const char *, step->op->n_params) : NULL;
  for (guint i = 0; texts && i < step->op->n_params; i++)
    texts[i] = step->derived[i] ? derived_text (step->derived[i]) : NULL;
  return texts;
}

gboolean
step_put_number (Step *step, const fv_param *param, double number, GError **error)
{
  if (!args_put_number (step->args, param, number, error))
    return FALSE;
  set_derived (step, param, NULL);
  return TRUE;
}

double
step_derived_number (const fv_param *param, double value)
{
  return param->type == FV_INT ? round (value) : value;
}

/* An argument from text, which may be a derived value. */
static gboolean
set_argument (Step *step, const char *key, const char *text, GError **error)
{
  const fv_param *param = args_param (step->op, key);
  const gboolean derives = param && step_can_derive (param) && derived_is (text);
  g_autoptr (GError) wrong = NULL;
  g_autoptr (Derived) derived = derives ? derived_parse (text, &wrong) : NULL;
  g_autofree char *usual = derives ? args_default (param) : NULL;
  if (wrong) {
    step_error_set (error, FV_BAD_ARGUMENT, param->key, "%s=%s: %s", param->key, text, wrong->message);
    return FALSE;
  }
  if (derived && !derived_length (derived))
    return step_put_number (step, param, step_derived_number (param, derived_value (derived, NULL)), error);
  if (!args_set (step->op, step->args, key, derives ? usual : text, error))
    return FALSE;
  set_derived (step, param, g_steal_pointer (&derived));
  return TRUE;
}

/* ---- Steps ---- */

Step *
step_new (const Op *op, GError **error)
{
  gpointer args = args_new (op, error);
  Step *step;
  if (!args)
    return NULL;
  step = g_new0 (Step, 1);
  step->op = op;
  step->args = args;
  step->names = g_new0 (char *, step_results (op));
  step->inputs = g_new0 (char *, MAX (1, op->n_inputs)); /* the first can always be asked for */
  step->files = g_new0 (FileInput *, MAX (1, op->n_inputs));
  step->refs = 1;
  return step;
}

Step *
step_copy (const Step *from)
{
  Step *step = g_new0 (Step, 1);
  step->op = from->op;
  step->args = args_copy (from->op, from->args);
  step->asked = from->asked;
  step->device = g_strdup (from->device);
  for (guint i = 0; i < from->op->n_params && from->derived; i++)
    if (from->derived[i])
      set_derived (step, &from->op->fv.params[i], derived_ref (from->derived[i]));
  step->names = g_new0 (char *, step_results (from->op));
  step->inputs = g_new0 (char *, MAX (1, from->op->n_inputs));
  step->files = g_new0 (FileInput *, MAX (1, from->op->n_inputs));
  step->skipped = from->skipped;
  step->volume_given = from->volume_given;
  for (guint i = 0; i < step_results (from->op); i++)
    step->names[i] = g_strdup (from->names[i]);
  for (guint i = 0; i < from->op->n_inputs; i++) {
    step->inputs[i] = g_strdup (from->inputs[i]);
    step->files[i] = file_input_ref (from->files[i]);
  }
  step->refs = 1;
  return step;
}

Step *
step_with_args (const Step *from, gconstpointer args)
{
  Step *step = step_copy (from);
  memcpy (step->args, args, from->op->fv.args_size);
  for (guint i = 0; i < from->op->n_params; i++)
    set_derived (step, &from->op->fv.params[i], NULL);
  return step;
}

Step *
step_ref (const Step *step)
{
  g_atomic_int_inc (&((Step *) step)->refs);
  return (Step *) step;
}

void
step_unref (Step *step)
{
  if (!g_atomic_int_dec_and_test (&step->refs))
    return;
  for (guint i = 0; i < step_results (step->op); i++)
    g_free (step->names[i]);
  for (guint i = 0; i < step->op->n_inputs; i++) {
    g_free (step->inputs[i]);
    file_input_unref (step->files[i]);
  }
  for (guint i = 0; i < step->op->n_params && step->derived; i++)
    derived_unref (step->derived[i]);
  g_free (step->derived);
  g_free (step->device);
  g_free (step->whole);
  g_free (step->names);
  g_free (step->inputs);
  g_free (step->files);
  g_free (step->args);
  g_free (step);
}

static gboolean
texts_equal (char *const *a, char *const *b, guint n)
{
  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (a[i], b[i]))
      return FALSE;
  return TRUE;
}

static gboolean
files_equal (const Step *a, const Step *b)
{
  for (guint i = 0; i < a->op->n_inputs; i++)
    if (!file_input_equal (a->files[i], b->files[i]))
      return FALSE;
  return TRUE;
}

static gboolean
derived_are_equal (const Step *a, const Step *b)
{
  for (guint i = 0; i < a->op->n_params && (a->derived || b->derived); i++)
    if (!derived_equal (step_derived (a, &a->op->fv.params[i]), step_derived (b, &b->op->fv.params[i])))
      return FALSE;
  return TRUE;
}

gboolean
step_acts_alike (const Step *a, const Step *b)
{
  return a->op == b->op && args_equal (a->op, a->args, b->args) && derived_are_equal (a, b)
         && !g_strcmp0 (a->device, b->device);
}

gboolean
step_equal (const Step *a, const Step *b)
{
  return a == b
         || (step_acts_alike (a, b) && a->skipped == b->skipped
             && !memcmp (a->asked.order, b->asked.order, sizeof a->asked.order)
             && texts_equal (a->names, b->names, step_results (a->op))
             && texts_equal (a->inputs, b->inputs, a->op->n_inputs) && files_equal (a, b));
}

gboolean
step_input_is_selection (const char *input)
{
  return input && strchr (input, '(') && !g_str_has_prefix (input, FILE_INPUT);
}

void
step_set_input (Step *step, guint i, const char *text)
{
  g_free (step->inputs[i]);
  file_input_unref (step->files[i]);
  step->inputs[i] = g_strdup (text);
  step->files[i] = file_input_new (text);
}

/* ---- Text ---- */

const char *
step_result_label (const Op *op, guint i)
{
  if (i >= op->n_outputs)
    return "table";
  return op->fv.outputs[i].label ? op->fv.outputs[i].label : op->fv.outputs[i].key;
}

static gboolean
too_many_names (const Op *op, const char *text, guint given, GError **error)
{
  guint n = step_results (op);
  g_autoptr (GString) results = g_string_new (NULL);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (results, "%s%s", i ? ", " : "", step_result_label (op, i));
  step_error_set (error, FV_BAD_ARGUMENT, "as", "as=%s names %u results, but there %s %u: %s.", text, given,
                  n == 1 ? "is only" : "are only", n, results->str);
  return FALSE;
}

/* Separated by ','; an empty one of several leaves its result unnamed. */
static gboolean
set_names (Step *step, const char *text, GError **error)
{
  guint n = step_results (step->op);
  g_auto (GStrv) names = g_strsplit (text, ",", -1);
  guint given = g_strv_length (names);
  if (given > n)
    return too_many_names (step->op, text, given, error);
  for (guint i = 0; i < n; i++) {
    const char *name = n == 1 ? text : i < given && *names[i] ? names[i] : NULL;
    g_free (step->names[i]);
    step->names[i] = g_strdup (name);
  }
  return TRUE;
}

/* ---- Intensities ---- */

#define MEAN "intensity_mean"

/* The parameter that says what is measured of objects, the mean intensity among others; NULL: there is none. */
static const fv_param *
properties_of (const Op *op)
{
  const fv_param *set = op_has_trait (op, FV_MEASURES_OBJECTS) ? args_param (op, "properties") : NULL;
  for (const fv_choice *c = set && set->type == FV_SET ? set->choices : NULL; c && c->key; c++)
    if (!strcmp (c->key, MEAN))
      return set;
  return NULL;
}

static gboolean
has_intensity (const Step *step)
{
  for (guint i = 0; i < step->op->n_inputs; i++)
    if (step->inputs[i] && !strcmp (step->op->fv.inputs[i].key, "intensity"))
      return TRUE;
  return FALSE;
}

/* Its arguments with what is measured by itself, and perhaps the mean. Free with g_free(). */
static gpointer
usual_args (const Step *step, const fv_param *properties, gboolean mean)
{
  g_autoptr (Step) own = step_copy (step);
  g_autofree char *usual = args_default (properties), *all = g_strconcat (usual, mean ? "," MEAN : "", NULL);
  args_set (own->op, own->args, properties->key, all, NULL);
  return g_steal_pointer (&own->args);
}

/* Sets an input. An intensity image is measured: with it the mean is part of what is measured by itself, unless something else was chosen. */
static void
change_input (Step *step, guint i, const char *text)
{
  const fv_param *properties = properties_of (step->op);
  const gboolean before = has_intensity (step);
  g_autofree gpointer usual = properties ? usual_args (step, properties, before) : NULL;
  step_set_input (step, i, text);
  if (!usual || before == has_intensity (step) || !args_equal (step->op, usual, step->args))
    return;
  gpointer args = usual_args (step, properties, !before);
  g_free (step->args);
  step->args = args;
}

gboolean
step_set (Step *step, const char *key, const char *value, GError **error)
{
  if (!strcmp (key, "as"))
    return set_names (step, value, error);
  if (!strcmp (key, "skip")) {
    if (!(step->skipped = !strcmp (value, "yes")) && strcmp (value, "no")) {
      step_error_set (error, FV_BAD_ARGUMENT, "skip", "skip must be yes or no, not '%s'.", value);
      return FALSE;
    }
    return TRUE;
  }
  if (!strcmp (key, "device") && !args_param (step->op, key)) {
    g_free (step->device);
    step->device = *value ? g_strdup (value) : NULL;
    return TRUE;
  }
  for (guint i = 0; i < step->op->n_inputs; i++)
    if (!strcmp (key, i ? step->op->fv.inputs[i].key : "from")) {
      change_input (step, i, *value ? value : NULL);
      return TRUE;
    }
  if (!set_argument (step, key, value, error))
    return FALSE;
  args_order (step->op, &step->asked, key, value);
  step->volume_given |= args_param (step->op, key) == args_volume_param (step->op);
  return TRUE;
}

gboolean
step_ask (Step *step, const char *key, const char *value, GError **error)
{
  if (!step_set (step, key, value, error))
    return FALSE;
  args_ask (step->op, &step->asked, key);
  return TRUE;
}

/* The arguments as they are written: what is measured by itself is left out. param: see args_format_but(). Free with g_free(). */
static char *
format_args (const Step *step, const fv_param *param, gboolean written)
{
  const fv_param *properties = properties_of (step->op);
  g_autofree const char **texts = derived_texts (step);
  if (!properties || !has_intensity (step) || args_is_asked (&step->asked, (guint) (properties - step->op->fv.params)))
    return args_format_but (step->op, step->args, &step->asked, texts, param, written);
  g_autofree gpointer alone = usual_args (step, properties, FALSE), mean = usual_args (step, properties, TRUE);
  const gboolean with_mean = args_equal (step->op, step->args, mean);
  g_autofree char *args =
                    args_format_but (step->op, with_mean ? alone : step->args, &step->asked, texts, param, written),
                  *usual = args_default (properties);
  if (!args_equal (step->op, step->args, alone))
    return g_steal_pointer (&args);
  return g_strdup_printf ("%s%s%s=%s", args, *args ? " " : "", properties->key, usual);
}

/* " key=word", quoted where needed. */
static void
append_word (GString *s, const char *key, const char *word)
{
  g_autofree char *quoted = text_quote (word);
  g_string_append_printf (s, " %s=%s", key, quoted);
}

static void
append_names (GString *s, const Step *step)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = step_results (step->op);
  while (n && !step->names[n - 1])
    n--;
  for (guint i = 0; i < n; i++)
    g_string_append_printf (names, "%s%s", i ? "," : "", step->names[i] ? step->names[i] : "");
  if (n)
    append_word (s, "as", names->str);
}

/* args: as text; taken. */
static char *
format (const Step *step, char *args)
{
  GString *s = g_string_new (step->op->fv.key);
  if (*args)
    g_string_append_printf (s, " %s", args);
  for (guint i = 0; i < step->op->n_inputs; i++)
    if (step->inputs[i])
      append_word (s, i ? step->op->fv.inputs[i].key : "from", step->inputs[i]);
  append_names (s, step);
  if (step->device)
    append_word (s, "device", step->device);
  if (step->skipped)
    g_string_append (s, " skip=yes");
  g_free (args);
  return g_string_free (s, FALSE);
}

char *
step_format (const Step *step)
{
  return format (step, format_args (step, NULL, FALSE));
}

const char *
step_format_all (const Step *constant)
{
  Step *step = (Step *) constant; /* it shows no change */
  if (!g_atomic_pointer_get (&step->whole)) {
    g_autofree const char **texts = derived_texts (step);
    char *text = format (step, args_format_all (step->op, step->args, &step->asked, texts));
    if (!g_atomic_pointer_compare_and_exchange (&step->whole, NULL, text))
      g_free (text);
  }
  return g_atomic_pointer_get (&step->whole);
}

char *
step_format_volume (const Step *step, gboolean written)
{
  return format (step, format_args (step, args_volume_param (step->op), written));
}

/* SPDX-License-Identifier: MIT
 *
 * The one writer of a step's text, and of what it is made.
 */
#include "core/recipe/step.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ops/args.h"

#include <string.h>

guint
step_results (const Op *op)
{
  return op->n_outputs + (op->fv.kind == FV_TABLE);
}

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
  step->names = g_new0 (char *, step_results (from->op));
  step->inputs = g_new0 (char *, MAX (1, from->op->n_inputs));
  step->files = g_new0 (FileInput *, MAX (1, from->op->n_inputs));
  step->skipped = from->skipped;
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

gboolean
step_equal (const Step *a, const Step *b)
{
  return a == b
         || (a->op == b->op && a->skipped == b->skipped && args_equal (a->op, a->args, b->args)
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
  step_error_set (error, FV_BAD_ARGUMENT, "as", "as=%s names %u results, and there %s %u: %s.", text, given,
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

gboolean
step_set (Step *step, const char *key, const char *value, GError **error)
{
  if (!strcmp (key, "as"))
    return set_names (step, value, error);
  if (!strcmp (key, "skip")) {
    if (!(step->skipped = !strcmp (value, "yes")) && strcmp (value, "no")) {
      step_error_set (error, FV_BAD_ARGUMENT, "skip", "skip is yes or no, not '%s'.", value);
      return FALSE;
    }
    return TRUE;
  }
  for (guint i = 0; i < step->op->n_inputs; i++)
    if (!strcmp (key, i ? step->op->fv.inputs[i].key : "from")) {
      step_set_input (step, i, *value ? value : NULL);
      return TRUE;
    }
  return args_set (step->op, step->args, key, value, error);
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

char *
step_format (const Step *step)
{
  GString *s = g_string_new (step->op->fv.key);
  g_autofree char *args = args_format (step->op, step->args);
  if (*args)
    g_string_append_printf (s, " %s", args);
  for (guint i = 0; i < step->op->n_inputs; i++)
    if (step->inputs[i])
      append_word (s, i ? step->op->fv.inputs[i].key : "from", step->inputs[i]);
  append_names (s, step);
  if (step->skipped)
    g_string_append (s, " skip=yes");
  return g_string_free (s, FALSE);
}

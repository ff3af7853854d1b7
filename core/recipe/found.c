/* SPDX-License-Identifier: MIT
 */
#include "core/recipe/found.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <string.h>

/* ---- Steps ---- */

static const Step *
step_at (const GPtrArray *steps, guint i)
{
  return steps->pdata[i];
}

gboolean
found_result (const GPtrArray *steps, guint n, const char *name, guint *index, guint *result)
{
  for (*index = n; (*index)--;)
    for (*result = 0; *result < step_results (step_at (steps, *index)->op); ++*result)
      if (!g_strcmp0 (step_at (steps, *index)->names[*result], name))
        return TRUE;
  return FALSE;
}

/* The k-th step of that operation, from 1. */
static gboolean
find_nth (const GPtrArray *steps, const char *operation, guint64 k, guint *index)
{
  for (guint i = 0; i < steps->len; i++)
    if (!strcmp (step_at (steps, i)->op->fv.key, operation) && !--k) {
      *index = i;
      return TRUE;
    }
  return FALSE;
}

/* "otsu#2"; FALSE: it is not written so. */
static gboolean
split_numbered (const char *name, char **operation, guint64 *k)
{
  const char *hash = strrchr (name, '#');
  if (!hash || !g_ascii_string_to_unsigned (hash + 1, 10, 1, G_MAXUINT, k, NULL))
    return FALSE;
  *operation = g_strndup (name, (gsize) (hash - name));
  return TRUE;
}

/* The last step before n that is called so. */
static gboolean
find_before (const GPtrArray *steps, guint n, const char *name, guint *index)
{
  g_autofree char *operation = NULL;
  guint64 k;
  guint result;
  if (found_result (steps, n, name, index, &result))
    return TRUE;
  if (split_numbered (name, &operation, &k))
    return find_nth (steps, operation, k, index) && *index < n;
  for (*index = n; (*index)--;)
    if (!strcmp (step_at (steps, *index)->op->fv.key, name))
      return TRUE;
  return FALSE;
}

/* The first step from n on that is called so. */
static gboolean
find_after (const GPtrArray *steps, guint n, const char *name, guint *index)
{
  for (guint end = n + 1; end <= steps->len; end++)
    if (find_before (steps, end, name, index) && *index >= n)
      return TRUE;
  return FALSE;
}

/* ---- Errors ---- */

/* "{sgima.sigma}*5" of step n is wrong. */
static void
fail (const GPtrArray *steps, guint n, const fv_param *param, const char *why, GError **error)
{
  const Step *step = step_at (steps, n);
  step_error_set (error, FV_BAD_ARGUMENT, param->key, "%s: %s=%s: %s", step->op->fv.key, param->key,
                  derived_text (step_derived (step, param)), why);
}

/* " Did you mean 'sigma'?" or "". */
static char *
hint (const char *word, GStrv words)
{
  g_autofree char *near = text_nearest (word, (const char *const *) words);
  return near ? g_strdup_printf (" Did you mean '%s'?", near) : g_strdup ("");
}

static char **
names_before (const GPtrArray *steps, guint n)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  for (guint i = 0; i < n; i++)
    if (step_at (steps, i)->op->n_scalars) {
      g_autofree char *name = found_name (steps, n, i);
      g_strv_builder_add (names, name);
    }
  return g_strv_builder_end (names);
}

static char *
no_step (const GPtrArray *steps, guint n, const char *name)
{
  guint later;
  if (find_after (steps, n, name, &later))
    return later == n ? g_strdup ("a step cannot use a number that it finds itself.")
                      : g_strdup_printf ("'%s' is a later step: move it before this one.", name);
  g_auto (GStrv) names = names_before (steps, n);
  g_autofree char *all = g_strjoinv (", ", names), *near = hint (name, names);
  if (!*all)
    return g_strdup ("no earlier step finds a number: put one before it, such as otsu or sigma_clip.");
  return g_strdup_printf ("no earlier step is called '%s'.%s Steps before it that find numbers: %s.", name, near, all);
}

static char *
no_number (const Op *op, const char *number)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  for (guint i = 0; i < op->n_scalars; i++)
    g_strv_builder_add (builder, op->fv.scalars[i].key);
  g_auto (GStrv) keys = g_strv_builder_end (builder);
  g_autofree char *all = g_strjoinv (", ", keys), *near = hint (number, keys);
  if (!op->n_scalars)
    return g_strdup_printf ("%s finds no numbers.", op->fv.key);
  return g_strdup_printf ("%s does not find '%s'.%s It finds: %s.", op->fv.key, number, near, all);
}

/* ---- Links ---- */

static gboolean
find_scalar (const Op *op, const char *key, guint *scalar)
{
  for (*scalar = 0; *scalar < op->n_scalars; ++*scalar)
    if (!strcmp (op->fv.scalars[*scalar].key, key))
      return TRUE;
  return FALSE;
}

/* NULL, or why the number cannot be taken. */
static char *
find (const GPtrArray *steps, guint n, const Derived *derived, guint i, FoundLink *link)
{
  const char *name = derived_step (derived, i), *number = derived_number (derived, i);
  if (!find_before (steps, n, name, &link->step))
    return no_step (steps, n, name);
  const Op *op = step_at (steps, link->step)->op;
  return find_scalar (op, number, &link->scalar) ? NULL : no_number (op, number);
}

FoundLink *
found_links (const GPtrArray *steps, guint n, GError **error)
{
  const Step *step = step_at (steps, n);
  g_autofree FoundLink *links = g_new0 (FoundLink, step_founds (step) + 1);
  FoundLink *next = links;
  for (guint p = 0; p < step->op->n_params; p++) {
    const Derived *derived = step_derived (step, &step->op->fv.params[p]);
    for (guint i = 0; derived && i < derived_length (derived); i++) {
      g_autofree char *why = find (steps, n, derived, i, next++);
      if (why) {
        fail (steps, n, &step->op->fv.params[p], why, error);
        return NULL;
      }
    }
  }
  return g_steal_pointer (&links);
}

/* ---- Names ---- */

char *
found_name (const GPtrArray *steps, guint n, guint index)
{
  const Step *step = step_at (steps, index);
  const char *key = step->op->fv.key;
  guint found, k = 0;
  for (guint i = 0; i < step_results (step->op); i++)
    if (step->names[i] && find_before (steps, n, step->names[i], &found) && found == index)
      return g_strdup (step->names[i]);
  if (find_before (steps, n, key, &found) && found == index)
    return g_strdup (key);
  for (guint i = 0; i <= index; i++)
    k += !strcmp (step_at (steps, i)->op->fv.key, key);
  return g_strdup_printf ("%s#%u", key, k);
}

static gboolean
is_named (const GPtrArray *steps, guint n, const char *name, guint index, guint result)
{
  guint found, which;
  return found_result (steps, n, name, &found, &which) && found == index && which == result;
}

gboolean
found_uses (const GPtrArray *steps, guint n, guint index, guint result)
{
  const Step *step = step_at (steps, n);
  for (guint p = 0; p < step->op->n_params; p++) {
    const Derived *derived = step_derived (step, &step->op->fv.params[p]);
    for (guint i = 0; derived && i < derived_length (derived); i++)
      if (is_named (steps, n, derived_step (derived, i), index, result))
        return TRUE;
  }
  return FALSE;
}

void
found_rename (const GPtrArray *steps, guint n, guint index, guint result, Step *step, const char *name)
{
  for (guint p = 0; p < step->op->n_params; p++)
    for (guint i = 0; step->derived[p] && i < derived_length (step->derived[p]); i++)
      if (is_named (steps, n, derived_step (step->derived[p], i), index, result)) {
        g_autoptr (Derived) before = step->derived[p];
        step->derived[p] = derived_with_step (before, i, name);
      }
}

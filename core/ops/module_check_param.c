/* SPDX-License-Identifier: MIT
 */
#include "core/ops/module_check_param.h"

#include "core/ops/args.h"
#include "core/ops/module_check_text.h"
#include "core/base/text.h"

#include <math.h>
#include <string.h>

#define DEF_TEXT 65536 /* of a default: a matrix is long */
#define CHOICES 256    /* as many as fv_set has bits */

/* ---- The field ---- */

static gboolean
check_field (const Op *op, const fv_param *p, GError **error)
{
  static const struct {
    gsize size, alignment;
  } fields[] = {[FV_BOOL] = {sizeof (bool), _Alignof(bool)},
                [FV_INT] = {sizeof (int32_t), _Alignof(int32_t)},
                [FV_FLOAT] = {sizeof (double), _Alignof(double)},
                [FV_AXES] = {sizeof (fv_axes), _Alignof(fv_axes)},
                [FV_SET] = {sizeof (fv_set), _Alignof(fv_set)},
                [FV_MATRIX] = {sizeof (fv_matrix), _Alignof(fv_matrix)},
                [FV_TEXT] = {2, 1}};
  if (p->type < FV_BOOL || p->type > FV_TEXT)
    return module_fault (error, "its type is unknown");
  if (p->offset > op->fv.args_size || p->capacity > op->fv.args_size - p->offset)
    return module_fault (error, "its field lies outside the argument struct");
  if (p->type == FV_TEXT ? p->capacity < fields[p->type].size : p->capacity != fields[p->type].size)
    return module_fault (error, "its field of %u bytes does not have the size of its type", p->capacity);
  if (p->file && p->type != FV_TEXT)
    return module_fault (error, "it is a file, and no text");
  if (p->offset % fields[p->type].alignment)
    return module_fault (error, "its field is not aligned");
  for (const fv_param *other = op->fv.params; other != p; other++)
    if (p->offset < other->offset + other->capacity && other->offset < p->offset + p->capacity)
      return module_fault (error, "its field overlaps that of '%s'", other->key);
  return TRUE;
}

/* ---- Models ---- */

static gboolean
check_models (const fv_param *p, GError **error)
{
  const fv_models *m = p->models;
  if (!m)
    return TRUE;
  if (!p->file)
    return module_fault (error, "it has models, and must be a file");
  if (m->size < sizeof *m)
    return module_fault (error, "its fv_models has %u bytes, and needs %zu", m->size, sizeof *m);
  if (!m->names || !m->endings || !m->card || !m->test)
    return module_fault (error, "its models have no names, endings, cards or tests");
  return module_check_key (m->folder, error);
}

/* ---- Numbers ---- */

static gboolean
check_range (const fv_param *p, GError **error)
{
  gboolean limited = p->min != 0 || p->max != 0, soft = p->soft_min != 0 || p->soft_max != 0;
  if (!isfinite (p->soft_min) || !isfinite (p->soft_max) || !(isfinite (p->def) || (p->open && isinf (p->def))))
    return module_fault (error, "its default or soft range is not a finite number");
  if (isnan (p->min) || isnan (p->max) || p->min == INFINITY || p->max == -INFINITY)
    return module_fault (error, "its range is empty or not a number");
  if (p->open && (p->type != FV_FLOAT || (isfinite (p->min) && isfinite (p->max))))
    return module_fault (error, "only a number with an infinite end of its range is open");
  if (p->type == FV_INT && ((isfinite (p->min) && p->min < G_MININT32) || (isfinite (p->max) && p->max > G_MAXINT32)))
    return module_fault (error, "its range is wider than its type");
  if (limited && p->min > p->max)
    return module_fault (error, "its range is empty");
  if (soft && (p->soft_min >= p->soft_max || (limited && (p->soft_min < p->min || p->soft_max > p->max))))
    return module_fault (error, "its soft range is outside its range or empty");
  if (p->scale != FV_LINEAR && p->scale != FV_LOG)
    return module_fault (error, "its scale is unknown");
  if (p->scale == FV_LOG && (soft ? p->soft_min : p->min) <= 0)
    return module_fault (error, "a logarithmic scale needs a positive range");
  return TRUE;
}

/* ---- Choices ---- */

/* Choices are written without quotes in steps, lists and conditions. */
static gboolean
is_choice (const char *key)
{
  for (const char *c = key; *c; c++)
    if (!g_ascii_isalnum (*c) && !strchr ("_-.+", *c))
      return FALSE;
  return TRUE;
}

static gboolean
check_choice (const fv_param *p, guint i, GError **error)
{
  const fv_choice *c = &p->choices[i];
  if (!module_check_text ("key", c->key, MODULE_KEY, error)
      || !module_check_text ("label", c->label, MODULE_SENTENCE, error)
      || !module_check_text_or_null ("help", c->help, MODULE_SENTENCE, error))
    return FALSE;
  if (!is_choice (c->key))
    return module_fault (error, "its key holds more than letters, digits and _-.+");
  if (p->type == FV_SET && !strcmp (c->key, "all"))
    return module_fault (error, "its key is a reserved word");
  for (guint k = 0; k < i; k++)
    if (!g_ascii_strcasecmp (p->choices[k].key, c->key))
      return module_fault (error, "its key occurs twice");
  return TRUE;
}

static gboolean
check_choices (const fv_param *p, GError **error)
{
  guint n = 0;
  if (p->type == FV_SET && !p->choices)
    return module_fault (error, "it has no choices");
  if (!p->choices)
    return TRUE;
  if (p->type != FV_SET && p->type != FV_INT)
    return module_fault (error, "its type cannot have choices");
  while (n <= CHOICES && p->choices[n].key)
    n++;
  if (n == 0 || n > CHOICES)
    return module_fault (error, "it needs 1 to %d choices", CHOICES);
  for (guint i = 0; i < n; i++)
    if (!check_choice (p, i, error)) {
      g_prefix_error (error, "choice %u: ", i + 1);
      return FALSE;
    }
  if (p->type == FV_INT && (p->def < 0 || p->def >= n || p->def != floor (p->def)))
    return module_fault (error, "its default is not one of its choices");
  return TRUE;
}

/* ---- The condition ---- */

/* Whether the parameter can have that value, written like this. */
static gboolean
can_be (const fv_param *p, const char *value)
{
  double number;
  if (p->type == FV_BOOL)
    return !strcmp (value, "yes") || !strcmp (value, "no");
  for (const fv_choice *c = p->choices; c && c->key; c++)
    if (!strcmp (c->key, value))
      return p->type == FV_INT;
  if (p->choices || (p->type != FV_INT && p->type != FV_FLOAT) || !text_to_number (value, &number))
    return FALSE;
  g_autofree char *formatted = text_from_number (number);
  return !strcmp (formatted, value);
}

static gboolean
check_one_condition (const Op *op, const fv_param *p, const char *condition, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (condition, "=", 2);
  if (!parts[0] || !parts[1])
    return module_fault (error, "its condition '%s' is not NAME=VALUE|VALUE", p->enabled);
  const fv_param *other = args_param (op, parts[0]);
  if (!other || other == p || strcmp (other->key, parts[0]))
    return module_fault (error, "its condition '%s' names no other parameter", p->enabled);
  g_auto (GStrv) values = g_strsplit (*parts[1] ? parts[1] : "|", "|", -1);
  for (char **value = values; *value; value++)
    if (!can_be (other, *value))
      return module_fault (error, "its condition '%s' contains '%s', which %s never is", p->enabled, *value,
                           other->key);
  return TRUE;
}

gboolean
module_check_condition (const Op *op, const fv_param *p, GError **error)
{
  if (!p->enabled)
    return TRUE;
  if (!module_check_text ("condition", p->enabled, MODULE_SENTENCE, error))
    return FALSE;
  g_auto (GStrv) conditions = g_strsplit (p->enabled, "&", -1);
  for (char **condition = conditions; *condition; condition++)
    if (!check_one_condition (op, p, g_strstrip (*condition), error))
      return FALSE;
  return TRUE;
}

/* ---- Names ---- */

/* No name, old or new, of this parameter is that of an input or of a parameter before. */
static gboolean
check_names (const Op *op, const fv_param *p, GError **error)
{
  g_autofree char *all = g_strconcat (p->key, p->aliases ? "," : "", p->aliases, NULL);
  g_auto (GStrv) names = g_strsplit (all, ",", -1);
  for (char **name = names; *name; name++) {
    const char *which = name == names ? "its key" : "its alias";
    for (guint i = 0; i < op->n_inputs; i++)
      if (!strcmp (op->fv.inputs[i].key, *name))
        return module_fault (error, "%s is also the name of an input", which);
    for (const fv_param *other = op->fv.params; other != p; other++)
      if (!strcmp (other->key, *name) || op_has_alias (other->aliases, *name))
        return module_fault (error, "%s '%s' is also one of '%s'", which, *name, other->key);
  }
  return TRUE;
}

gboolean
module_check_param (const Op *op, const fv_param *p, GError **error)
{
  if (!module_check_key (p->key, error) || !module_check_word (p->key, error)
      || !module_check_new_key (op->fv.params, sizeof *p, (guint) (p - op->fv.params), error)
      || !module_check_text ("label", p->label, MODULE_SENTENCE, error)
      || !module_check_text ("help", p->help, MODULE_SENTENCE, error)
      || !module_check_text_or_null ("unit", p->unit, MODULE_KEY, error)
      || !module_check_text_or_null ("default", p->def_text, DEF_TEXT, error)
      || !module_check_aliases (p->aliases, module_check_word, error)
      || !module_check_bool ("advanced", &p->advanced, error) || !module_check_bool ("ordinal", &p->ordinal, error)
      || !module_check_bool ("open", &p->open, error) || !module_check_bool ("file", &p->file, error))
    return FALSE;
  if (p->ordinal && (p->type != FV_INT || p->choices))
    return module_fault (error, "only an integer without choices is ordinal");
  return check_names (op, p, error) && check_field (op, p, error) && check_models (p, error) && check_range (p, error)
         && check_choices (p, error);
}

/* SPDX-License-Identifier: MIT
 *
 * A first step that calibrates is the calibration of the opened image. Steps that take that image take what this step makes of it.
 */
#include "core/recipe/calibration.h"

#include "core/base/text.h"
#include "core/base/units.h"

#include <string.h>

/* Whether that is the name of the opened image, or of the first step's, where step n takes it; later results may have the name, too. */
static gboolean
takes (const Recipe *recipe, guint n, const char *input, const char *name)
{
  guint index, result;
  return !g_strcmp0 (input, name) && (!recipe_find (recipe, n, name, &index, &result) || index == 0);
}

/* With `to` for each input that is `from`. */
static Recipe *
redirect (const Recipe *whole, const char *from, const char *to)
{
  Recipe *recipe = recipe_ref (whole);
  for (guint i = 0; i < recipe_length (recipe); i++)
    for (guint k = 0; k < recipe_step (recipe, i)->op->n_inputs; k++)
      if (takes (recipe, i, recipe_step (recipe, i)->inputs[k], from)) {
        Recipe *before = recipe;
        recipe = recipe_with_input (before, i, k, to, NULL);
        recipe_unref (before);
      }
  return recipe;
}

static gboolean
is_calibration (const ImageInfo *info, const double spacing[3], const char *unit)
{
  for (int axis = 0; axis < 3; axis++)
    if (info->spacing[axis] != spacing[axis] || strcmp (info->units[axis], unit))
      return FALSE;
  return TRUE;
}

static char *
format_calibration (const double spacing[3], const char *unit, const char *name)
{
  g_autofree char *z = text_from_number (spacing[0]), *y = text_from_number (spacing[1]);
  g_autofree char *x = text_from_number (spacing[2]), *quoted = text_quote (unit), *as = text_quote (name);
  GString *s = g_string_new (NULL);
  g_string_append_printf (s, "calibrate width=%s unit=%s as=%s", x, quoted, as);
  if (spacing[1] != spacing[2])
    g_string_append_printf (s, " height=%s", y);
  if (spacing[0] != spacing[2])
    g_string_append_printf (s, " depth=%s", z);
  return g_string_free (s, FALSE);
}

/* Without a first step that calibrates; *name: what that was called, or NULL. */
static Recipe *
without_calibration (const Recipe *recipe, char **name)
{
  const Step *first = recipe_length (recipe) ? recipe_step (recipe, 0) : NULL;
  g_autoptr (Recipe) none = recipe_new (), from_source = NULL;
  if (!first || !op_has_trait (first->op, FV_CALIBRATES))
    return recipe_ref (recipe);
  *name = g_strdup (first->names[0]);
  from_source = *name ? redirect (recipe, *name, RECIPE_SOURCE) : recipe_ref (recipe);
  return recipe_with_steps (from_source, 0, 1, none, NULL);
}

/* With such a step, from which those get their image that took the source; only then it needs its name. */
static Recipe *
add_calibration (const Recipe *plain, const Modules *modules, const char *step, const char *name, GError **error)
{
  g_autoptr (Recipe) first = recipe_parse (modules, step, error), all = NULL, redirected = NULL;
  if (!first || !(all = recipe_with_steps (plain, 0, 0, first, error)))
    return NULL;
  redirected = redirect (all, RECIPE_SOURCE, name);
  return recipe_equal (redirected, all) ? recipe_with_name (all, 0, 0, NULL, error) : g_steal_pointer (&redirected);
}

Recipe *
recipe_with_calibration (const Recipe *recipe, const Modules *modules, const ImageInfo *source, const double spacing[3],
                         const char *unit, GError **error)
{
  g_autofree char *normal = units_normal (unit), *before = NULL, *name = NULL, *step = NULL;
  g_autoptr (Recipe) plain = without_calibration (recipe, &before);
  if (is_calibration (source, spacing, normal))
    return g_steal_pointer (&plain);
  name = recipe_free_name (plain, before ? before : "calibrated");
  step = format_calibration (spacing, normal, name);
  return add_calibration (plain, modules, step, name, error);
}

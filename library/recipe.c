/* SPDX-License-Identifier: MIT
 *
 * Recipes with the context that their operations belong to.
 */
#include "library/private.h"

/* Takes the recipe; NULL gives the caller the fault. */
static fovea_recipe *
wrap (fovea_context *context, Recipe *recipe, GError *fault, fovea_error **error)
{
  fovea_recipe *wrapped;
  if (!recipe) {
    library_fail (error, fault);
    return NULL;
  }
  wrapped = g_new (fovea_recipe, 1);
  *wrapped = (fovea_recipe){library_context_ref (context), recipe, recipe_format (recipe)};
  return wrapped;
}

static gboolean
is_text (const char *text, const char *name, fovea_error **error)
{
  if (!library_has (text, name, error))
    return FALSE;
  if (!g_utf8_validate (text, -1, NULL)) {
    library_fail_argument (error, name, "It is not UTF-8 text.");
    return FALSE;
  }
  return TRUE;
}

fovea_recipe *
fovea_recipe_parse (fovea_context *context, const char *text, fovea_error **error)
{
  GError *fault = NULL;
  if (!library_has (context, "context", error) || !is_text (text, "text", error))
    return NULL;
  Recipe *recipe = recipe_parse (context->modules, text, &fault);
  return wrap (context, recipe, fault, error);
}

fovea_recipe *
fovea_recipe_with (const fovea_recipe *recipe, unsigned n, const char *key, const char *value, fovea_error **error)
{
  GError *fault = NULL;
  if (!library_has (recipe, "recipe", error) || !is_text (key, "key", error) || !is_text (value, "value", error))
    return NULL;
  if (n >= fovea_recipe_length (recipe)) {
    library_fail_argument (error, "n", "There is no step %u; the recipe has %u, counted from 0.", n,
                           fovea_recipe_length (recipe));
    return NULL;
  }
  Recipe *changed = recipe_with_text (recipe->recipe, n, key, value, &fault);
  return wrap (recipe->context, changed, fault, error);
}

const char *
fovea_recipe_text (const fovea_recipe *recipe)
{
  return recipe->text;
}

unsigned
fovea_recipe_length (const fovea_recipe *recipe)
{
  return recipe_length (recipe->recipe);
}

void
fovea_recipe_free (fovea_recipe *recipe)
{
  if (!recipe)
    return;
  recipe_unref (recipe->recipe);
  fovea_context_free (recipe->context);
  g_free (recipe->text);
  g_free (recipe);
}

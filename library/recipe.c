/* SPDX-License-Identifier: MIT
 *
 * Recipes with the context that their operations belong to.
 */
#include "library/private.h"

#include "core/base/file_name.h"
#include "core/base/file_source.h"
#include "core/base/text.h"
#include "core/ops/native.h"
#include "core/recipe/link.h"
#include "core/recipe/steps_text.h"
#include "core/run/halo.h"

#include <string.h>

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
  *wrapped = (fovea_recipe){library_context_ref (context), recipe, recipe_format (recipe),
                            g_new0 (char *, recipe_length (recipe) + 1)};
  for (guint n = 0; n < recipe_length (recipe); n++)
    wrapped->steps[n] = step_format (recipe_step (recipe, n));
  return wrapped;
}

/* Whether there is a step n; FALSE with *error. */
static gboolean
has_step (const fovea_recipe *recipe, unsigned n, fovea_error **error)
{
  if (n < fovea_recipe_length (recipe))
    return TRUE;
  library_fail_argument (error, "n", "Step %u does not exist; the recipe has %u, counted from 0.", n,
                         fovea_recipe_length (recipe));
  return FALSE;
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

/* Of steps whose code may run. */
static Recipe *
parse (const fovea_context *context, const char *text, GError **error)
{
  Recipe *recipe = recipe_parse (context->modules, text, error);
  for (guint n = 0; recipe && n < recipe_length (recipe); n++)
    if (!native_check (recipe_step (recipe, n)->op, recipe_step (recipe, n)->args, error))
      g_clear_pointer (&recipe, recipe_unref);
  return recipe;
}

fovea_recipe *
fovea_recipe_parse (fovea_context *context, const char *text, fovea_error **error)
{
  GError *fault = NULL;
  if (!library_has (context, "context", error) || !is_text (text, "text", error))
    return NULL;
  Recipe *recipe = parse (context, text, &fault);
  return wrap (context, recipe, fault, error);
}

fovea_recipe *
fovea_recipe_load (fovea_context *context, const char *path, fovea_error **error)
{
  GError *fault = NULL;
  if (!library_has (context, "context", error) || !library_has (path, "path", error))
    return NULL;
  g_autoptr (FileSource) source = file_source_new (path, &fault);
  const char *local = source ? file_source_path (source) : NULL;
  g_autofree char *text = local ? steps_text_load (local, &fault) : NULL;
  g_autoptr (Recipe) recipe = text ? parse (context, text, &fault) : NULL;
  g_autofree char *given = local ? file_name_given (local) : NULL;
  if (text && !recipe) {
    g_autofree char *name = text_visible (given, "");
    g_prefix_error (&fault, "'%s': ", name);
  }
  g_autofree char *absolute = recipe && !strcmp (given, local) ? g_canonicalize_filename (local, NULL) : NULL,
                  *folder = absolute ? g_path_get_dirname (absolute) : NULL;
  return wrap (context, recipe ? recipe_in_folder (recipe, folder) : NULL, fault, error);
}

fovea_recipe *
fovea_recipe_empty (fovea_context *context, fovea_error **error)
{
  return library_has (context, "context", error) ? wrap (context, recipe_new (), NULL, error) : NULL;
}

fovea_recipe *
fovea_recipe_with (const fovea_recipe *recipe, unsigned n, const char *key, const char *value, fovea_error **error)
{
  GError *fault = NULL;
  if (!library_has (recipe, "recipe", error) || !is_text (key, "key", error) || !is_text (value, "value", error)
      || !has_step (recipe, n, error))
    return NULL;
  Recipe *changed = recipe_with_text (recipe->recipe, n, key, value, &fault);
  return wrap (recipe->context, changed, fault, error);
}

fovea_volume
fovea_recipe_get_volume (const fovea_recipe *recipe)
{
  return recipe ? (fovea_volume) recipe_volume (recipe->recipe) : FOVEA_VOLUME_UNSAID;
}

fovea_recipe *
fovea_recipe_with_volume (const fovea_recipe *recipe, fovea_volume volume, fovea_error **error)
{
  if (!library_has (recipe, "recipe", error))
    return NULL;
  if ((guint) volume > FOVEA_VOLUME_OBJECTS) {
    library_fail_argument (error, "volume", "Unknown fovea_volume %d.", (int) volume);
    return NULL;
  }
  return wrap (recipe->context, recipe_with_volume (recipe->recipe, (RecipeVolume) volume), NULL, error);
}

fovea_volume
fovea_recipe_suggest_volume (const fovea_recipe *recipe, const fovea_image *image)
{
  return recipe && image ? (fovea_volume) recipe_suggest_volume (recipe->recipe, image_info (image->image))
                         : FOVEA_VOLUME_UNSAID;
}

fovea_recipe *
fovea_recipe_for_image (const fovea_recipe *recipe, const fovea_image *image, char **said, fovea_error **error)
{
  if (said)
    *said = NULL;
  if (!library_has (recipe, "recipe", error) || !library_has (image, "image", error))
    return NULL;
  return wrap (recipe->context, recipe_for_image (recipe->recipe, image_info (image->image), said), NULL, error);
}

fovea_code
fovea_recipe_get_halo (const fovea_recipe *recipe, const fovea_image_info *whole, int64_t halo[3], fovea_error **error)
{
  g_autoptr (Image) image = NULL;
  GError *fault = NULL;
  gint64 found[3];
  if (!library_has (recipe, "recipe", error) || !library_has (halo, "halo", error)
      || !(image = library_image_promised (whole, error)))
    return FOVEA_BAD_ARGUMENT;
  g_autoptr (Run) run = run_new (recipe->recipe, image, RUN_KEEP_NAMED);
  if (!run_halo (run, found, &fault))
    return library_fail (error, fault);
  for (int axis = 0; axis < 3; axis++)
    halo[axis] = found[axis];
  return FOVEA_OK;
}

const char *
fovea_recipe_text (const fovea_recipe *recipe)
{
  return recipe ? recipe->text : NULL;
}

unsigned
fovea_recipe_length (const fovea_recipe *recipe)
{
  return recipe ? recipe_length (recipe->recipe) : 0;
}

fovea_code
fovea_recipe_get_step (const fovea_recipe *recipe, unsigned n, fovea_step *to, fovea_error **error)
{
  if (!library_has (recipe, "recipe", error) || !has_step (recipe, n, error))
    return FOVEA_BAD_ARGUMENT;
  const Step *step = recipe_step (recipe->recipe, n);
  const fovea_step all = {
    .operation = step->op->fv.key,
    .text = recipe->steps[n],
    .skipped = step->skipped,
    .images = step->op->n_outputs,
    .results = step_results (step->op),
    .names = (const char *const *) step->names,
    .device = step->device,
  };
  return library_give (&all, sizeof all, to, "step", error) ? FOVEA_OK : FOVEA_BAD_ARGUMENT;
}

int
fovea_recipe_takes_image (const fovea_recipe *recipe)
{
  return recipe && link_needs_source (recipe->recipe);
}

void
fovea_recipe_free (fovea_recipe *recipe)
{
  if (!recipe)
    return;
  recipe_unref (recipe->recipe);
  fovea_context_free (recipe->context);
  g_strfreev (recipe->steps);
  g_free (recipe->text);
  g_free (recipe);
}

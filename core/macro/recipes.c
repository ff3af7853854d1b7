/* SPDX-License-Identifier: MIT
 *
 * Steps as values, which run on any image without showing it.
 */
#include "core/base/error.h"
#include "core/macro/images.h"
#include "core/macro/state.h"
#include "core/macro/step_files.h"
#include "core/macro/tables.h"
#include "core/macro/values.h"

static int
make_recipe (lua_State *L, Macro *m)
{
  GError *error = NULL;
  const char *text = macro_text (L, 1);
  if (!g_utf8_validate (text, -1, NULL))
    macro_fail_text (m, "The steps are not UTF-8 text.");
  Recipe *recipe = recipe_parse (m->host->modules, text, &error);
  if (!recipe)
    macro_fail (m, error);
  macro_own (m, recipe, (GDestroyNotify) recipe_unref);
  values_push (L, VALUE_RECIPE, step_files_whole (m, recipe, NULL));
  return 1;
}

/* Bytes of what a run holds. */
static gsize
bytes_of (const Run *run)
{
  gsize bytes = image_bytes (run_source (run));
  for (guint i = 0; i < run_length (run); i++)
    for (guint k = 0; k < recipe_step (run_recipe (run), i)->op->n_outputs; k++) {
      Image *image = run_image (run, i, k);
      bytes += image ? image_bytes (image) : 0;
    }
  return bytes;
}

static int
run_recipe_on (lua_State *L, Macro *m)
{
  GError *error = NULL;
  const Recipe *recipe = values_get (L, 1, VALUE_RECIPE);
  gboolean alone = lua_isnoneornil (L, 2) && !link_needs_source (recipe) && !m->host->current (m->host->self);
  Image *image = alone ? run_nothing () : images_argument (L, m, 2);
  if (!alone)
    recipe = images_recipe (m, recipe, image_info (image));
  macro_attach (m, 2 * image_bytes (image));
  Results *results =
    macro_own (m, results_new (run_new (recipe, image, RUN_KEEP_NAMED)), (GDestroyNotify) results_unref);
  if (!m->host->execute (m->host->self, results->run, &error))
    macro_fail (m, error);
  macro_attach (m, bytes_of (results->run));
  values_push (L, VALUE_RESULTS, results);
  return 1;
}

static int
get_text (lua_State *L, Macro *m)
{
  lua_pushstring (L, macro_own (m, recipe_format (values_get (L, 1, VALUE_RECIPE)), g_free));
  return 1;
}

static int
get_image (lua_State *L, Macro *m)
{
  GError *error = NULL;
  const Results *results = values_get (L, 1, VALUE_RESULTS);
  Image *image = results_image (results->run, macro_text_or_null (L, 2), &error);
  if (!image)
    macro_fail (m, error);
  values_push (L, VALUE_IMAGE, image);
  return 1;
}

static int
get_table (lua_State *L, Macro *m)
{
  GError *error = NULL;
  const Results *results = values_get (L, 1, VALUE_RESULTS);
  Table *table = results_table (results->run, macro_text_or_null (L, 2), &error);
  if (!table)
    macro_fail (m, error);
  return tables_push (L, m, table);
}

const MacroFunction macro_recipe_functions[] = {
  {"recipe", "steps", "returns steps, such as \"gaussian sigma=5 | otsu\", as a value.", make_recipe},
  {"recipe:run", "[image]",
   "runs the steps on an image (a value, an id, or by default the result of the current "
   "image's steps) and returns the results.",
   run_recipe_on},
  {"recipe:text", "", "returns the steps as a string.", get_text},
  {"results:image", "[name]", "returns the last image, or the one named with as=name.", get_image},
  {"results:table", "[name]", "returns the last table, or the one named with as=name.", get_table},
  {0},
};

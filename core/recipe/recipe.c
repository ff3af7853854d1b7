/* SPDX-License-Identifier: MIT
 *
 * An array of steps with a count of references. A copy counts the steps that it shares and makes the one that differs.
 */
#include "core/recipe/recipe.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ops/args.h"
#include "core/selection/selection.h"

#include <string.h>

struct Recipe {
  gint refs;
  GPtrArray *steps; /* Step */
  RecipeVolume volume;
};

Recipe *
recipe_new (void)
{
  Recipe *recipe = g_new0 (Recipe, 1);
  recipe->refs = 1;
  recipe->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) step_unref);
  return recipe;
}

Recipe *
recipe_ref (const Recipe *recipe)
{
  g_atomic_int_inc (&((Recipe *) recipe)->refs);
  return (Recipe *) recipe;
}

void
recipe_unref (Recipe *recipe)
{
  if (!recipe || !g_atomic_int_dec_and_test (&recipe->refs))
    return;
  g_ptr_array_unref (recipe->steps);
  g_free (recipe);
}

guint
recipe_length (const Recipe *recipe)
{
  return recipe->steps->len;
}

const Step *
recipe_step (const Recipe *recipe, guint index)
{
  return recipe->steps->pdata[index];
}

RecipeVolume
recipe_volume (const Recipe *recipe)
{
  return recipe->volume;
}

gboolean
recipe_makes_table (const Recipe *recipe)
{
  for (guint i = 0; i < recipe_length (recipe); i++)
    if (recipe_step (recipe, i)->op->fv.kind == FV_TABLE && !recipe_step (recipe, i)->skipped)
      return TRUE;
  return FALSE;
}

gboolean
recipe_equal (const Recipe *a, const Recipe *b)
{
  if (recipe_length (a) != recipe_length (b) || a->volume != b->volume)
    return FALSE;
  for (guint i = 0; i < recipe_length (a); i++)
    if (!step_equal (recipe_step (a, i), recipe_step (b, i)))
      return FALSE;
  return TRUE;
}

gboolean
recipe_find (const Recipe *recipe, guint n, const char *name, guint *index, guint *result)
{
  return found_result (recipe->steps, n, name, index, result);
}

FoundLink *
recipe_founds (const Recipe *recipe, guint n, GError **error)
{
  return found_links (recipe->steps, n, error);
}

char *
recipe_found_name (const Recipe *recipe, guint n, guint index)
{
  return found_name (recipe->steps, n, index);
}

char *
recipe_free_name (const Recipe *recipe, const char *stem)
{
  char *name = g_strdup (stem);
  guint index, result;
  for (guint n = 2; recipe_find (recipe, recipe_length (recipe), name, &index, &result); n++) {
    g_free (name);
    name = g_strdup_printf ("%s%u", stem, n);
  }
  return name;
}

/* ---- Whether steps go together ---- */

static gboolean
check_selection (const Step *step, guint i, GError **error)
{
  g_autoptr (Selection) selection = NULL;
  gboolean table = (step->op->fv.inputs[i].types & FV_WANTS_TABLE) != 0;
  if (i == 0 || table) {
    const char *key = i ? step->op->fv.inputs[i].key : "from";
    step_error_set (error, FV_BAD_ARGUMENT, key, "%s: '%s' is a selection, but %s= takes %s.", step->op->fv.key,
                    step->inputs[i], key, table ? "a table" : "an image");
    return FALSE;
  }
  if (!(selection = selection_parse (step->inputs[i], error))) {
    g_prefix_error (error, "%s: %s: ", step->op->fv.key, step->op->fv.inputs[i].key);
    return FALSE;
  }
  return TRUE;
}

/* Whether a file can be what input i takes; that it is there is left to be seen. */
static gboolean
check_file (const Step *step, guint i, GError **error)
{
  const char *key = i ? step->op->fv.inputs[i].key : "from";
  if ((i || file_input_is_selections (step->files[i])) && !(step->op->fv.inputs[i].types & FV_WANTS_TABLE)
      && *file_input_path (step->files[i]))
    return TRUE;
  step_error_set (error, FV_BAD_ARGUMENT, key, "%s: '%s': %s.", step->op->fv.key, step->inputs[i],
                  !i
                    ? "from= accepts a step's result, the opened image or a file of selections; open the file to use it"
                  : *file_input_path (step->files[i]) ? "this input must be a table, but a file is an image"
                                                      : FILE_INPUT " is followed by the name of an image file");
  return FALSE;
}

/* Whether a step before has the result. */
static gboolean
check_input (const Recipe *recipe, guint n, guint i, GError **error)
{
  const Step *step = recipe_step (recipe, n);
  const char *input = step->inputs[i];
  guint index, result;
  if (step->files[i])
    return check_file (step, i, error);
  if (step_input_is_selection (input))
    return check_selection (step, i, error);
  if (!input || !strcmp (input, RECIPE_SOURCE) || recipe_find (recipe, n, input, &index, &result))
    return TRUE;
  step_error_set (error, FV_BAD_ARGUMENT, i ? step->op->fv.inputs[i].key : "from",
                  "%s: no earlier step is called '%s'; name one with as=%s, or use %s.", step->op->fv.key, input, input,
                  RECIPE_SOURCE);
  return FALSE;
}

static gboolean
check_name (const Step *step, guint i, GError **error)
{
  const char *name = step->names[i];
  if (name
      && (!*name || !strcmp (name, RECIPE_SOURCE) || strpbrk (name, ",(") || g_str_has_prefix (name, FILE_INPUT))) {
    step_error_set (error, FV_BAD_ARGUMENT, "as",
                    "%s: a result cannot be called '%s'. A name must not be empty and must not be " RECIPE_SOURCE
                    ", does not begin with " FILE_INPUT ", and contains no comma or bracket.",
                    step->op->fv.key, name);
    return FALSE;
  }
  for (guint k = 0; name && k < i; k++)
    if (!g_strcmp0 (name, step->names[k])) {
      step_error_set (error, FV_BAD_ARGUMENT, "as", "%s: two results are called '%s'.", step->op->fv.key, name);
      return FALSE;
    }
  return TRUE;
}

/* Names of step n, and of what it takes. */
static gboolean
check_step (const Recipe *recipe, guint n, GError **error)
{
  const Step *step = recipe_step (recipe, n);
  g_autofree FoundLink *links = recipe_founds (recipe, n, error);
  if (!links)
    return FALSE;
  for (guint i = 0; i < step->op->n_inputs; i++)
    if (!check_input (recipe, n, i, error))
      return FALSE;
  for (guint i = 0; i < step_results (step->op); i++)
    if (!check_name (step, i, error))
      return FALSE;
  return TRUE;
}

/* Takes ownership of the recipe. Checks the steps from `from` on; those before are valid. */
static Recipe *
checked (Recipe *recipe, guint from, GError **error)
{
  for (guint i = from; i < recipe_length (recipe); i++)
    if (!check_step (recipe, i, error)) {
      recipe_unref (recipe);
      return NULL;
    }
  return recipe;
}

/* ---- Text ---- */

static Step *
parse_step (const Modules *modules, const char *text, GError **error)
{
  g_auto (GStrv) words = text_words (text, error);
  g_autoptr (Step) step = NULL;
  const Op *op;
  if (!words)
    return NULL;
  if (!words[0]) {
    step_error_set (error, FV_BAD_ARGUMENT, NULL, "Empty step: write OPERATION NAME=VALUE ... between the pipes (|).");
    return NULL;
  }
  if (!(op = modules_op (modules, words[0], error)) || !(step = step_new (op, error)))
    return NULL;
  if (!args_check_once (op, (const char *const *) words + 1, error)) {
    g_prefix_error (error, "%s: ", op->fv.key);
    return NULL;
  }
  for (char **word = words + 1; *word; word++) {
    char *equals = strchr (*word, '=');
    if (!equals) {
      step_error_set (error, FV_BAD_ARGUMENT, NULL, "%s: '%s' is not NAME=VALUE.", op->fv.key, *word);
      return NULL;
    }
    *equals = 0;
    if (!step_ask (step, *word, equals + 1, error)) {
      g_prefix_error (error, "%s: ", op->fv.key);
      return NULL;
    }
  }
  for (char **word = words + 1; *word; word++) /* regardless of what precedes it */
    if (!strcmp (*word, "properties") && !step_set (step, *word, *word + strlen (*word) + 1, error))
      return NULL;
  if (!args_choose_by_limits (op, step->args, (const char *const *) words + 1, error)) {
    g_prefix_error (error, "%s: ", op->fv.key);
    return NULL;
  }
  return g_steal_pointer (&step);
}

/* Whether they go together is left to be seen. */
static Recipe *
parse (const Modules *modules, const char *text, GError **error)
{
  g_auto (GStrv) texts = text_split (text, '|', error);
  g_autoptr (Recipe) recipe = NULL;
  char **at = texts;
  if (!texts)
    return NULL;
  recipe = recipe_new ();
  if (*at && volume_parse (*at, &recipe->volume, error)) {
    if (!recipe->volume)
      return NULL;
    at++;
  }
  for (RecipeVolume said; *at; at++) {
    if (volume_parse (*at, &said, NULL)) {
      step_error_set (error, FV_BAD_ARGUMENT, "volume",
                      "'%s' is not a step: write it once before the first step, or in a step after the "
                      "operation.",
                      g_strstrip (*at));
      return NULL;
    }
    Step *step = parse_step (modules, *at, error);
    if (!step)
      return NULL;
    volume_apply (step, recipe->volume);
    g_ptr_array_add (recipe->steps, step);
  }
  return g_steal_pointer (&recipe);
}

Recipe *
recipe_parse (const Modules *modules, const char *text, GError **error)
{
  Recipe *recipe = parse (modules, text, error);
  return recipe ? checked (recipe, 0, error) : NULL;
}

/* Steps of a recipe that says nothing of volumes are what they were before that could be said. */
static char *
format_step (const Recipe *recipe, const Step *step)
{
  return recipe->volume ? step_format_volume (step, step->volume_given) : step_format (step);
}

char **
recipe_parts (const Recipe *recipe)
{
  g_autoptr (GStrvBuilder) parts = g_strv_builder_new ();
  if (recipe->volume)
    g_strv_builder_add (parts, volume_text (recipe->volume));
  for (guint i = 0; i < recipe_length (recipe); i++) {
    g_autofree char *step = format_step (recipe, recipe_step (recipe, i));
    g_strv_builder_add (parts, step);
  }
  return g_strv_builder_end (parts);
}

char *
recipe_format (const Recipe *recipe)
{
  g_auto (GStrv) parts = recipe_parts (recipe);
  return g_strjoinv (" | ", parts);
}

/* ---- Copies with one thing changed ---- */

static void
add_steps (Recipe *recipe, const Recipe *from, guint begin, guint end)
{
  for (guint i = begin; i < end; i++)
    g_ptr_array_add (recipe->steps, step_ref (recipe_step (from, i)));
}

static Recipe *
copy (const Recipe *from)
{
  Recipe *recipe = recipe_new ();
  recipe->volume = from->volume;
  add_steps (recipe, from, 0, recipe_length (from));
  return recipe;
}

/* Makes the step the recipe's own, to be changed while the recipe has no other owner. */
static Step *
own_step (Recipe *recipe, guint index)
{
  Step *step = step_copy (recipe_step (recipe, index));
  step_unref (recipe->steps->pdata[index]);
  recipe->steps->pdata[index] = step;
  return step;
}

Recipe *
recipe_with_number (const Recipe *recipe, guint index, const fv_param *param, double number, GError **error)
{
  g_autoptr (Recipe) with = copy (recipe);
  return step_put_number (own_step (with, index), param, number, error) ? g_steal_pointer (&with) : NULL;
}

Recipe *
recipe_with_text (const Recipe *recipe, guint index, const char *key, const char *text, GError **error)
{
  g_autoptr (Recipe) with = copy (recipe);
  Step *step = own_step (with, index);
  if (!step_ask (step, key, text, error))
    return NULL;
  if (with->volume)
    volume_apply (step, with->volume);
  return checked (g_steal_pointer (&with), index, error);
}

static void
set_input (Recipe *recipe, guint index, guint i, const char *input)
{
  step_set_input (own_step (recipe, index), i, input);
}

Recipe *
recipe_with_input (const Recipe *recipe, guint index, guint i, const char *input, GError **error)
{
  Recipe *with = copy (recipe);
  set_input (with, index, i, input);
  return checked (with, index, error);
}

Recipe *
recipe_with_name (const Recipe *recipe, guint index, guint result, const char *name, GError **error)
{
  g_autoptr (Recipe) with = copy (recipe);
  Step *named = own_step (with, index);
  guint of, which;
  for (guint n = index + 1; n < recipe_length (recipe) && name; n++)
    for (guint i = 0; i < recipe_step (recipe, n)->op->n_inputs; i++) {
      const char *input = recipe_step (recipe, n)->inputs[i];
      if (input && recipe_find (recipe, n, input, &of, &which) && of == index && which == result)
        set_input (with, n, i, name);
    }
  g_free (named->names[result]);
  named->names[result] = g_strdup (name);
  for (guint n = index + 1; n < recipe_length (recipe); n++)
    if (found_uses (recipe->steps, n, index, result)) {
      g_autofree char *called = name ? g_strdup (name) : recipe_found_name (with, n, index);
      found_rename (recipe->steps, n, index, result, own_step (with, n), called);
    }
  return checked (g_steal_pointer (&with), index, error);
}

Recipe *
recipe_with_skip (const Recipe *recipe, guint index, gboolean skip)
{
  Recipe *with = copy (recipe);
  own_step (with, index)->skipped = skip;
  return with;
}

Recipe *
recipe_without_devices (const Recipe *recipe)
{
  Recipe *with = copy (recipe);
  for (guint i = 0; i < recipe_length (with); i++)
    if (recipe_step (with, i)->device)
      g_clear_pointer (&own_step (with, i)->device, g_free);
  return with;
}

/* A step that comes from a recipe which says something else keeps what it does. */
static void
take_volume (Recipe *recipe, guint index, RecipeVolume said)
{
  if (!recipe->volume || !volume_changes (recipe_step (recipe, index), recipe->volume))
    return;
  Step *step = own_step (recipe, index);
  if (said && said != recipe->volume)
    step->volume_given = TRUE;
  volume_apply (step, recipe->volume);
}

Recipe *
recipe_with_volume (const Recipe *recipe, RecipeVolume said)
{
  Recipe *with = copy (recipe);
  with->volume = said;
  for (guint i = 0; i < recipe_length (with); i++)
    if (volume_changes (recipe_step (with, i), said))
      volume_apply (own_step (with, i), said);
  return with;
}

RecipeVolume
recipe_suggest_volume (const Recipe *recipe, const ImageInfo *info)
{
  if (recipe->volume || !volume_is_known (info))
    return RECIPE_UNSAID;
  for (guint i = 0; i < recipe_length (recipe); i++)
    if (!recipe_step (recipe, i)->skipped && volume_changes (recipe_step (recipe, i), RECIPE_OBJECTS))
      return RECIPE_OBJECTS;
  return RECIPE_UNSAID;
}

/* "otsu, label": the operations that would take slices as one volume. */
static GString *
operations_of_volume (const Recipe *recipe)
{
  GString *names = g_string_new (NULL);
  for (guint i = 0; i < recipe_length (recipe); i++) {
    const Step *step = recipe_step (recipe, i);
    if (!step->skipped && volume_changes (step, RECIPE_OBJECTS))
      g_string_append_printf (names, "%s%s", names->len ? ", " : "", step->op->fv.key);
  }
  return names;
}

Recipe *
recipe_for_image (const Recipe *recipe, const ImageInfo *info, char **said)
{
  const RecipeVolume volume = recipe_suggest_volume (recipe, info);
  g_autoptr (GString) names = recipe->volume || info->depth < 2 ? g_string_new (NULL) : operations_of_volume (recipe);
  if (said)
    *said = !names->len ? NULL
            : volume    ? g_strconcat (names->str, ": the slices form one volume", NULL)
                        : g_strconcat (names->str, ": each slice separately, since the slice spacing is unknown", NULL);
  return volume ? recipe_with_volume (recipe, volume) : recipe_ref (recipe);
}

Recipe *
recipe_with_steps (const Recipe *recipe, guint index, guint removed, const Recipe *steps, GError **error)
{
  Recipe *with = recipe_new ();
  with->volume = recipe->volume || recipe_length (recipe) > removed ? recipe->volume : steps->volume;
  add_steps (with, recipe, 0, index);
  add_steps (with, steps, 0, recipe_length (steps));
  for (guint i = index; i < recipe_length (with); i++)
    take_volume (with, i, steps->volume);
  add_steps (with, recipe, index + removed, recipe_length (recipe));
  return checked (with, index, error);
}

Recipe *
recipe_with_parsed (const Recipe *recipe, guint index, guint removed, const Modules *modules, const char *text,
                    GError **error)
{
  g_autoptr (Recipe) steps = parse (modules, text, error);
  return steps ? recipe_with_steps (recipe, index, removed, steps, error) : NULL;
}

Recipe *
recipe_with_step (const Recipe *recipe, guint index, guint removed, const Step *step, GError **error)
{
  g_autoptr (Recipe) one = recipe_new ();
  g_ptr_array_add (one->steps, step_ref (step));
  return recipe_with_steps (recipe, index, removed, one, error);
}

Recipe *
recipe_with_move (const Recipe *recipe, guint index, guint to, GError **error)
{
  Recipe *with = copy (recipe);
  Step *step = g_ptr_array_steal_index (with->steps, index);
  g_ptr_array_insert (with->steps, (gint) to, step);
  return checked (with, MIN (index, to), error);
}

/* ---- Files ---- */

Recipe *
recipe_with_files (const Recipe *recipe, RecipeFile find, gpointer user, GError **error)
{
  g_autoptr (Recipe) with = copy (recipe);
  for (guint n = 0; n < recipe_length (recipe); n++)
    for (guint i = 0; i < recipe_step (recipe, n)->op->n_inputs; i++) {
      const FileInput *file = recipe_step (recipe, n)->files[i];
      g_autofree char *path = file ? find (user, file_input_path (file), error) : NULL, *text = NULL;
      if (file && !path)
        return NULL;
      if (!path || !strcmp (path, file_input_path (file)))
        continue;
      text = g_strconcat (FILE_INPUT, path, NULL);
      set_input (with, n, i, text);
    }
  return g_steal_pointer (&with);
}

static char *
below (gpointer folder, const char *path, GError **error)
{
  (void) error;
  return g_path_is_absolute (path) ? g_strdup (path) : g_canonicalize_filename (path, folder);
}

Recipe *
recipe_in_folder (const Recipe *recipe, const char *folder)
{
  return recipe_with_files (recipe, below, (gpointer) folder, NULL);
}

gboolean
recipe_open_files (const Recipe *recipe, GError **error)
{
  for (guint n = 0; n < recipe_length (recipe); n++)
    for (guint i = 0; i < recipe_step (recipe, n)->op->n_inputs; i++) {
      FileInput *file = recipe_step (recipe, n)->files[i];
      if (file && !recipe_step (recipe, n)->skipped && !file_input_open (file, error)) {
        g_prefix_error (error, "%s: %s: ", recipe_step (recipe, n)->op->fv.key,
                        recipe_step (recipe, n)->op->fv.inputs[i].key);
        return FALSE;
      }
    }
  return TRUE;
}

/* SPDX-License-Identifier: MIT
 */
#include "core/recipe/several.h"

#include "core/base/error.h"
#include "core/recipe/link.h"

#include <string.h>

/* ---- Whether it can be taken ---- */

/* Whether its steps can be done among those of another image. */
static gboolean
can_be_done_here (const OtherImage *other)
{
  return other->same || !link_needs_source (other->steps);
}

char *
several_fault (const OtherImage *other)
{
  if (can_be_done_here (other))
    return NULL;
  if (recipe_length (other->steps))
    return g_strdup_printf ("%s has steps, and a step can only use an image as its file contains it. Save the result "
                            "and use that file.",
                            other->name);
  if (!other->path)
    return g_strdup_printf ("%s has no file that a step could use. Save it first.", other->name);
  if (other->number)
    return g_strdup_printf ("%s is not the first image of its file, and a step can only use the first. Save it as a "
                            "file of its own.",
                            other->name);
  return g_utf8_validate (other->path, -1, NULL)
           ? NULL
           : g_strdup_printf ("The name of a file that a step uses must be UTF-8; that of %s is not.", other->name);
}

/* ---- Names ---- */

static gboolean
has_name (const Recipe *recipe, const char *name)
{
  guint index, result;
  return recipe_find (recipe, recipe_length (recipe), name, &index, &result);
}

/* What no result of either is called. Free with g_free(). */
static char *
free_name (const Recipe *a, const Recipe *b, const char *stem)
{
  char *name = g_strdup (stem);
  for (guint n = 2; has_name (a, name) || has_name (b, name); n++) {
    g_free (name);
    name = g_strdup_printf ("%s%u", stem, n);
  }
  return name;
}

/* Takes the recipe, and gives it with that name for a result. */
static Recipe *
renamed (Recipe *recipe, guint index, guint result, const char *name)
{
  Recipe *with = recipe_with_name (recipe, index, result, name, NULL);
  recipe_unref (recipe);
  return with;
}

/* Takes the recipe, and gives it with a name for that image. *name: what it is called then, as long as it lasts. */
static Recipe *
named (Recipe *recipe, Link image, const Recipe *into, const char **name)
{
  *name = RECIPE_SOURCE;
  if (image.kind != LINK_RESULT)
    return recipe;
  const Step *step = recipe_step (recipe, image.step);
  if (!step->names[image.output]) {
    g_autofree char *chosen = free_name (recipe, into, step->op->fv.key);
    recipe = renamed (recipe, image.step, image.output, chosen);
  }
  *name = recipe_step (recipe, image.step)->names[image.output];
  return recipe;
}

/* ---- Steps of another image ---- */

/* Up to the last that makes an image, with names of which the other recipe has none. */
static Recipe *
steps_for (const Recipe *steps, const Recipe *into)
{
  g_autoptr (Recipe) none = recipe_new ();
  const Link last = link_previous (steps, recipe_length (steps));
  const guint n = last.kind == LINK_RESULT ? last.step + 1 : 0;
  Recipe *own = recipe_with_steps (steps, n, recipe_length (steps) - n, none, NULL);
  for (guint index = 0; index < n; index++)
    for (guint i = 0; i < step_results (recipe_step (own, index)->op); i++) {
      const char *name = recipe_step (own, index)->names[i];
      if (!name || !has_name (into, name))
        continue;
      g_autofree char *other = free_name (own, into, name);
      own = renamed (own, index, i, other);
    }
  return own;
}

/* Takes the steps, and lets those that begin with the source say so. */
static Recipe *
from_source (Recipe *steps)
{
  for (guint index = 0; index < recipe_length (steps); index++) {
    const Step *step = recipe_step (steps, index);
    if (!step->op->n_inputs || step->inputs[0] || link_previous (steps, index).kind != LINK_SOURCE)
      continue;
    Recipe *with = recipe_with_input (steps, index, 0, RECIPE_SOURCE, NULL);
    recipe_unref (steps);
    steps = with;
  }
  return steps;
}

/* Takes the recipe and returns it with these steps inserted at the index, which is after them then. *input: how a
 * step refers to their result. */
static Recipe *
with_steps_of (Recipe *recipe, guint *index, const Recipe *steps, char **input, GError **error)
{
  const char *name;
  Recipe *own = from_source (steps_for (steps, recipe));
  own = named (own, link_previous (own, recipe_length (own)), recipe, &name);
  Recipe *with = recipe_with_steps (recipe, *index, 0, own, error);
  *input = g_strdup (name);
  *index += recipe_length (own);
  recipe_unref (own);
  recipe_unref (recipe);
  return with;
}

/* ---- The step ---- */

static gboolean
take (const OtherImage *other, Recipe **recipe, guint *index, char **input, GError **error)
{
  g_autofree char *fault = several_fault (other);
  if (fault) {
    step_error_set (error, FV_BAD_INPUT, NULL, "%s", fault);
    return FALSE;
  }
  if (can_be_done_here (other))
    *recipe = with_steps_of (*recipe, index, other->steps, input, error);
  else
    *input = g_strconcat (FILE_INPUT, other->path, NULL);
  return *recipe != NULL;
}

/* Whether steps of one of them come between the first image and the step. */
static gboolean
come_between (const OtherImage *others, guint n)
{
  for (guint i = 0; i < n; i++)
    if (can_be_done_here (&others[i]) && recipe_length (others[i].steps))
      return TRUE;
  return FALSE;
}

/* Takes the recipe and returns it with the other images inserted as inputs of the step at the index, which is after
 * them then. */
static Recipe *
with_others (Recipe *recipe, guint *index, Step *step, const OtherImage *others, guint n, GError **error)
{
  for (guint i = 1; i < step->op->n_inputs; i++) {
    g_autofree char *input = NULL;
    if (i <= n && !take (&others[i - 1], &recipe, index, &input, error)) {
      recipe_unref (recipe);
      return NULL;
    }
    if (g_strcmp0 (input, step->inputs[i]))
      step_set_input (step, i, input);
  }
  return recipe;
}

Recipe *
several_with_step (const Recipe *recipe, guint index, const Step *step, const OtherImage *others, guint n, guint *at,
                   GError **error)
{
  g_autoptr (Step) own = step_copy (step);
  g_autoptr (Recipe) none = recipe_new ();
  const char *first = NULL;
  Recipe *with = recipe_ref (recipe);
  if (come_between (others, n))
    with = named (with, link_previous (with, index), none, &first);
  step_set_input (own, 0, first);
  *at = index;
  if (!(with = with_others (with, at, own, others, n, error)))
    return NULL;
  Recipe *made = recipe_with_step (with, *at, 0, own, error);
  recipe_unref (with);
  return made;
}

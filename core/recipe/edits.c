/* SPDX-License-Identifier: MIT
 */
#include "core/recipe/edits.h"

#include "core/ops/args.h"

static gboolean
is_edit (const Recipe *recipe, int index)
{
  return index >= 0 && index < (int) recipe_length (recipe)
         && op_has_trait (recipe_step (recipe, (guint) index)->op, FV_EDITS_LABELS);
}

/* One more command of a step that is on from now on. */
static Recipe *
with_command (const Recipe *recipe, guint index, const char *command, GError **error)
{
  const Step *step = recipe_step (recipe, index);
  g_autofree char *before = args_get (step->args, args_param (step->op, "commands"));
  g_autofree char *all = *before ? g_strdup_printf ("%s; %s", before, command) : g_strdup (command);
  g_autoptr (Recipe) more = recipe_with_text (recipe, index, "commands", all, error);
  return more ? recipe_with_skip (more, index, FALSE) : NULL;
}

/* Whether objects of the step are the same in all planes. */
static gboolean
is_volume (const Recipe *recipe, int index)
{
  const Step *step = index < 0 ? NULL : recipe_step (recipe, (guint) index);
  return step && args_volume (step->op, step->args);
}

/* Those that took the first image of a step by its name take that of the next step. */
static Recipe *
pass_name (const Recipe *recipe, guint index, GError **error)
{
  g_autofree char *name = g_strdup (recipe_step (recipe, index)->names[0]);
  g_autofree char *other = recipe_free_name (recipe, "edited");
  g_autoptr (Recipe) now = recipe_with_name (recipe, index + 1, 0, other, error), bare = NULL;
  for (guint i = index + 2; now && i < recipe_length (now); i++)
    for (guint k = 0; now && k < recipe_step (now, i)->op->n_inputs; k++) {
      guint from, result;
      if (g_strcmp0 (recipe_step (now, i)->inputs[k], name) || !recipe_find (now, i, name, &from, &result)
          || from != index)
        continue;
      Recipe *before = now;
      now = recipe_with_input (before, i, k, other, error);
      recipe_unref (before);
    }
  bare = now ? recipe_with_name (now, index, 0, NULL, error) : NULL;
  return bare ? recipe_with_name (bare, index + 1, 0, name, error) : NULL;
}

static Recipe *
with_edit (const Recipe *recipe, const Modules *modules, int labels, const char *command, GError **error)
{
  const Op *op = modules_op (modules, "edit", error);
  g_autoptr (Step) step = op ? step_new (op, error) : NULL;
  g_autoptr (Recipe) with = NULL;
  if (!step || !step_set (step, "commands", command, error)
      || !step_set (step, "volume", is_volume (recipe, labels) ? "yes" : "no", error)
      || !(with = recipe_with_step (recipe, (guint) (labels + 1), 0, step, error)))
    return NULL;
  return labels >= 0 && recipe_step (recipe, (guint) labels)->names[0] ? pass_name (with, (guint) labels, error)
                                                                       : g_steal_pointer (&with);
}

Recipe *
edits_add (const Recipe *recipe, const Modules *modules, int labels, const char *command, guint *index, GError **error)
{
  const int there = is_edit (recipe, labels) ? labels : labels + 1;
  *index = (guint) there;
  return is_edit (recipe, there) ? with_command (recipe, *index, command, error)
                                 : with_edit (recipe, modules, labels, command, error);
}

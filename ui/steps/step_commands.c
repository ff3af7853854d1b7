/* SPDX-License-Identifier: MIT
 */
#include "ui/steps/step_commands.h"

#include "core/ops/args.h"

const Step *
step_command_step (const View *view)
{
  const Recipe *recipe = document_recipe (view_document (view));
  const int index = view_index (view);
  return index >= 0 && index < (int) recipe_length (recipe) ? recipe_step (recipe, (guint) index) : NULL;
}

gboolean
step_command_can_move (const View *view, int by)
{
  const int to = view_index (view) + by;
  return step_command_step (view) && to >= 0 && to < (int) recipe_length (document_recipe (view_document (view)));
}

gboolean
step_command_move (View *view, int by, GError **error)
{
  const int index = view_index (view);
  if (!document_move_step (view_document (view), (guint) index, (guint) (index + by), error))
    return FALSE;
  view_set_index (view, index + by);
  return TRUE;
}

gboolean
step_command_delete (View *view, GError **error)
{
  return document_remove_step (view_document (view), (guint) view_index (view), error);
}

/* A recipe in which the step replaces n steps; takes ownership of the step. */
static gboolean
put (View *view, guint index, guint removed, Step *step, GError **error)
{
  g_autoptr (Step) taken = step;
  Document *document = view_document (view);
  g_autoptr (Recipe) recipe = recipe_with_step (document_recipe (document), index, removed, taken, error);
  if (recipe)
    document_set_recipe (document, recipe);
  return recipe != NULL;
}

gboolean
step_command_duplicate (View *view, GError **error)
{
  Step *copy = step_copy (step_command_step (view));
  for (guint i = 0; i < step_results (copy->op); i++)
    g_clear_pointer (&copy->names[i], g_free);
  return put (view, (guint) view_index (view) + 1, 0, copy, error);
}

gboolean
step_command_reset (View *view, GError **error)
{
  const Step *step = step_command_step (view);
  g_autofree gpointer args = args_new (step->op, error);
  return args && put (view, (guint) view_index (view), 1, step_with_args (step, args), error);
}

void
step_command_skip (View *view, gboolean skip)
{
  document_skip_step (view_document (view), (guint) view_index (view), skip);
}

/* SPDX-License-Identifier: MIT
 *
 * A skipped step passes its input image on.
 */
#include "core/recipe/link.h"

#include "core/base/error.h"

Link
link_previous (const Recipe *recipe, guint n)
{
  while (n--)
    if (recipe_step (recipe, n)->op->n_outputs && !recipe_step (recipe, n)->skipped)
      return (Link){LINK_RESULT, n, 0};
  return (Link){.kind = LINK_SOURCE};
}

static Link
link_named (const Recipe *recipe, guint n, const char *name)
{
  guint result;
  while (recipe_find (recipe, n, name, &n, &result)) {
    const Step *step = recipe_step (recipe, n);
    if (!step->skipped)
      return result < step->op->n_outputs ? (Link){LINK_RESULT, n, result} : (Link){.kind = LINK_NONE};
    if (!step->op->n_inputs || !(name = step->inputs[0]))
      return link_previous (recipe, n);
  }
  return (Link){.kind = LINK_SOURCE};
}

/* The last step before n that makes a table. */
static gboolean
last_table (const Recipe *recipe, guint n, Link *link)
{
  while (n--)
    if (recipe_step (recipe, n)->op->fv.kind == FV_TABLE && !recipe_step (recipe, n)->skipped) {
      *link = (Link){LINK_TABLE, n, 0};
      return TRUE;
    }
  return FALSE;
}

static gboolean
find_table (const Recipe *recipe, guint n, guint i, Link *link, GError **error)
{
  const Op *op = recipe_step (recipe, n)->op;
  const char *input = recipe_step (recipe, n)->inputs[i], *key = op->fv.inputs[i].key;
  guint index, result;
  *link = (Link){.kind = LINK_NONE};
  if (!input && (op->fv.inputs[i].optional || last_table (recipe, n, link)))
    return TRUE;
  if (!input)
    step_error_set (error, FV_BAD_INPUT, key,
                    "%s needs a table. Put a step that makes one before it, such as regionprops.", op->fv.key);
  else if (!recipe_find (recipe, n, input, &index, &result) || result < recipe_step (recipe, index)->op->n_outputs)
    step_error_set (error, FV_BAD_INPUT, key, "%s: '%s' is an image, not a table.", op->fv.key, input);
  else if (recipe_step (recipe, index)->skipped)
    step_error_set (error, FV_BAD_INPUT, key, "%s: the step that makes the table '%s' is skipped.", op->fv.key, input);
  else
    *link = (Link){LINK_TABLE, index, 0};
  return link->kind == LINK_TABLE;
}

gboolean
link_find (const Recipe *recipe, guint n, guint i, Link *link, GError **error)
{
  const Step *step = recipe_step (recipe, n);
  const char *input = step->inputs[i];
  if (step->op->fv.inputs[i].types & FV_WANTS_TABLE)
    return find_table (recipe, n, i, link, error);
  if (step->files[i])
    *link = (Link){.kind = file_input_is_selections (step->files[i]) ? LINK_SELECTION : LINK_FILE};
  else if (step_input_is_selection (input))
    *link = (Link){.kind = LINK_SELECTION};
  else if (input)
    *link = link_named (recipe, n, input);
  else if (i > 0)
    *link = (Link){.kind = LINK_NONE};
  else
    *link = link_previous (recipe, n);
  if (link->kind != LINK_NONE || !input)
    return TRUE;
  step_error_set (error, FV_BAD_INPUT, NULL, "%s: '%s' is a table, not an image.", step->op->fv.key, input);
  return FALSE;
}

/* needs: inputs that may be missing, and are not asked for by name, do not count. */
static gboolean
finds_source (const Recipe *recipe, gboolean needs)
{
  for (guint n = 0; n < recipe_length (recipe); n++) {
    const Step *step = recipe_step (recipe, n);
    for (guint i = 0; i < step->op->n_inputs; i++) {
      Link link;
      if (link_find (recipe, n, i, &link, NULL)
          && (link.kind == LINK_SOURCE || (link.kind == LINK_SELECTION && i == 0)) /* of its size */
          && !(needs && step->op->fv.inputs[i].optional && !step->inputs[i]))
        return TRUE;
    }
  }
  return !recipe_length (recipe);
}

gboolean
link_takes_source (const Recipe *recipe)
{
  return finds_source (recipe, FALSE);
}

gboolean
link_needs_source (const Recipe *recipe)
{
  return finds_source (recipe, TRUE);
}

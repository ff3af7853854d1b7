/* SPDX-License-Identifier: MIT
 *
 * A step that is skipped stands for the image that it would take.
 */
#include "core/recipe/link.h"

#include "core/base/error.h"

#include <string.h>

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

gboolean
link_find (const Recipe *recipe, guint n, guint i, Link *link, GError **error)
{
  const Step *step = recipe_step (recipe, n);
  const char *input = step->inputs[i];
  if (step_input_is_selection (input))
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

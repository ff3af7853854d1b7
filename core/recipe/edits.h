/* SPDX-License-Identifier: MIT
 *
 * Objects edited by hand: commands of a step that edits labels (FV_EDITS_LABELS) after the step that made them.
 */
#ifndef CORE_RECIPE_EDITS_H
#define CORE_RECIPE_EDITS_H

#include "core/recipe/recipe.h"

/* Adds one more command, such as "delete 12,30", for the objects that step `labels` makes, or for the opened image
 * (-1). It goes into that step, or the next one, if it edits labels. Otherwise a new step `edit` is inserted after it, which
 * takes over the name of the objects, so that later steps use the edited ones. *index is that of the edit. NULL with
 * *error. */
Recipe *edits_add (const Recipe *recipe, const Modules *modules, int labels, const char *command, guint *index,
                   GError **error);

#endif

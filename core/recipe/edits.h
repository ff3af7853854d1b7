/* SPDX-License-Identifier: MIT
 *
 * Objects edited by hand: commands of a step `edit` after the step that made them.
 */
#ifndef CORE_RECIPE_EDITS_H
#define CORE_RECIPE_EDITS_H

#include "core/recipe/recipe.h"

/* With one more command, such as "delete 12,30", for the objects that step `labels` makes, or for the opened image (-1): in that step, or
 * the next one, when it is an edit, else in a new one behind it, which gets the name of the objects, so that later steps take what was
 * edited. *place is that of the edit. NULL with *error. */
Recipe *edits_add (const Recipe *recipe, const Modules *modules, int labels, const char *command, guint *place,
                   GError **error);

#endif

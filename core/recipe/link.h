/* SPDX-License-Identifier: MIT
 *
 * Where the inputs of a step come from: known from the recipe alone, before anything is computed.
 */
#ifndef CORE_RECIPE_LINK_H
#define CORE_RECIPE_LINK_H

#include "core/recipe/recipe.h"

typedef enum LinkKind { LINK_NONE, LINK_SOURCE, LINK_RESULT, LINK_SELECTION, LINK_FILE, LINK_TABLE } LinkKind;

typedef struct Link {
  LinkKind kind;      /* NONE: the input is not given */
  guint step, output; /* of LINK_RESULT: this image of that step, which is not skipped; of LINK_TABLE: its table */
} Link;

/* What input i of step n is. FALSE with *error, which names the step, when it is no image, or no table, as it has to be. */
gboolean link_find (const Recipe *recipe, guint n, guint i, Link *link, GError **error);
/* The last image that the steps before n make, or the source. */
Link link_previous (const Recipe *recipe, guint n);
/* Whether any step takes the source, or there is no step; and whether it cannot do without. */
gboolean link_takes_source (const Recipe *recipe);
gboolean link_needs_source (const Recipe *recipe);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Where the inputs of a step come from: known from the recipe alone, before anything is computed.
 */
#ifndef CORE_RECIPE_LINK_H
#define CORE_RECIPE_LINK_H

#include "core/recipe/recipe.h"

typedef enum LinkKind { LINK_NONE, LINK_SOURCE, LINK_RESULT, LINK_SELECTION, LINK_FILE, LINK_TABLE } LinkKind;

typedef struct Link {
  LinkKind kind;      /* NONE: the input is not given; SELECTION: it is text or a file of selections */
  guint step, output; /* of LINK_RESULT: this image of that step, which is not skipped; of LINK_TABLE: its table */
} Link;

/* The source of input i of step n. FALSE with *error, which names the step, if an image or table is needed but
 * missing. */
gboolean link_find (const Recipe *recipe, guint n, guint i, Link *link, GError **error);
/* The last image that the steps before n make, or the source. */
Link link_previous (const Recipe *recipe, guint n);
/* Whether any step uses the source, or there are no steps; and whether it is required. */
gboolean link_takes_source (const Recipe *recipe);
gboolean link_needs_source (const Recipe *recipe);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Which number of which earlier step a derived value takes: known from the steps of a recipe alone. A step is called by the name of one of its results, by its
 * operation, which is the last such step before, or as OPERATION#2, the second such step of the recipe.
 */
#ifndef CORE_RECIPE_FOUND_H
#define CORE_RECIPE_FOUND_H

#include "core/recipe/step.h"

typedef struct FoundLink {
  guint step, scalar; /* in the recipe; in its operation */
} FoundLink;

/* steps: array of Step *, here and below. What step n takes, parameter by parameter, step_founds() links. NULL with *error, which names step and
 * parameter. Free with g_free(). */
FoundLink *found_links (const GPtrArray *steps, guint n, GError **error);
/* What step `index` is called in step n, which comes later. Free with g_free(). */
char *found_name (const GPtrArray *steps, guint n, guint index);
/* Whether step n takes a number by the name of that result. */
gboolean found_uses (const GPtrArray *steps, guint n, guint index, guint result);
/* Where it does, `step`, a copy of step n, takes it by this name from now on. */
void found_rename (const GPtrArray *steps, guint n, guint index, guint result, Step *step, const char *name);
/* The last result before step n that has the name; FALSE: there is none. */
gboolean found_result (const GPtrArray *steps, guint n, const char *name, guint *index, guint *result);

#endif

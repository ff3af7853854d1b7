/* SPDX-License-Identifier: MIT
 *
 * What a recipe says once for all of its steps: whether slices are one volume or planes. It stands before the steps, as in
 * "volume=yes | otsu | label", and is the value of the parameter `volume` in each step that does not give its own.
 */
#ifndef CORE_RECIPE_VOLUME_H
#define CORE_RECIPE_VOLUME_H

#include "core/data/image_info.h"
#include "core/recipe/step.h"

typedef enum RecipeVolume {
  RECIPE_UNSAID, /* nothing: planes, as in recipes of before */
  RECIPE_PLANES, /* volume=no */
  RECIPE_VOLUME, /* volume=yes */
  RECIPE_OBJECTS, /* volume=objects: for steps that find, separate or measure objects, and those that are given one size for all axes */
} RecipeVolume;

/* "volume=yes"; NULL: nothing is said. */
const char *volume_text (RecipeVolume said);
/* Reads a part of a recipe that is no step: TRUE when it is one that says this, or should be; then with *error when it is wrong. */
gboolean volume_parse (const char *text, RecipeVolume *said, GError **error);
/* Gives the step what is said, unless it has its own. */
void volume_apply (Step *step, RecipeVolume said);
/* Whether that would change the step. */
gboolean volume_changes (const Step *step, RecipeVolume said);
/* Whether slices can be measured as one volume: there are several, with a known distance. */
gboolean volume_is_known (const ImageInfo *info);

#endif

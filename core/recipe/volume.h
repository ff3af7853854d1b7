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

/* "volume=yes"; NULL: not set. */
const char *volume_text (RecipeVolume said);
/* Parses a part of a recipe that is not a step: TRUE if it is such a setting, or should be; then with *error if it
 * is invalid. */
gboolean volume_parse (const char *text, RecipeVolume *said, GError **error);
/* Applies the setting to the step, unless it has its own. */
void volume_apply (Step *step, RecipeVolume said);
/* Whether that would change the step. */
gboolean volume_changes (const Step *step, RecipeVolume said);
/* Whether slices can be measured as one volume: there are several, with a known distance. */
gboolean volume_is_known (const ImageInfo *info);

#endif

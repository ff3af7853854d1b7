/* SPDX-License-Identifier: MIT
 *
 * The pixel size set by the user, which overrides the file's.
 */
#ifndef CORE_RECIPE_CALIBRATION_H
#define CORE_RECIPE_CALIBRATION_H

#include "core/data/image_info.h"
#include "core/recipe/recipe.h"

/* A recipe like it in which a first step `calibrate` sets the size of a pixel along z, y, x, and its unit, "" for none; no such step where the source
 * has the same. NULL with *error. */
Recipe *recipe_with_calibration (const Recipe *recipe, const Modules *modules, const ImageInfo *source,
                                 const double spacing[3], const char *unit, GError **error);

#endif

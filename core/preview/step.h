/* SPDX-License-Identifier: MIT
 *
 * A step for a part of an image, perhaps halved: lengths in pixels shrink with it, and how often it looks around, and selections move.
 */
#ifndef CORE_PREVIEW_STEP_H
#define CORE_PREVIEW_STEP_H

#include "core/recipe/step.h"
#include "core/preview/part.h"

/* A new one. */
Step *preview_step (const Step *step, guint level, const ImageRegion *region);

#endif

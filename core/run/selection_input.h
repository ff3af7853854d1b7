/* SPDX-License-Identifier: MIT
 *
 * The image of an input that is a selection or a file of selections.
 */
#ifndef CORE_RUN_SELECTION_INPUT_H
#define CORE_RUN_SELECTION_INPUT_H

#include "core/data/image.h"
#include "core/recipe/step.h"

/* What selection_input_draw() makes; of a file that cannot be read the same as of one selection. The strings are those of `like`. */
ImageInfo selection_input_info (const Step *step, guint input, Image *like);
/* Labels where the input takes labels, otherwise a mask, of the size of `like`. NULL with *error. */
Image *selection_input_draw (const Step *step, guint input, Image *like, GError **error);

#endif

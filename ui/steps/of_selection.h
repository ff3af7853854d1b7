/* SPDX-License-Identifier: MIT
 *
 * New steps that take what is selected.
 */
#ifndef UI_STEPS_OF_SELECTION_H
#define UI_STEPS_OF_SELECTION_H

#include "core/selection/selection.h"
#include "ui/view/view.h"

/* The step of the operation with the selection among its arguments: crop with the box around an area, kymograph and profile with a line,
 * radial_profile about a point. Operations that measure the pixels of a mask get an area as that mask. NULL: the two have nothing to do with each
 * other. Free with g_free(). */
char *step_of_selection (const View *view, const Modules *modules, const char *key, const Selection *selection);

#endif

/* SPDX-License-Identifier: MIT
 *
 * A step as a person means it who chooses an operation from a menu.
 */
#ifndef UI_STEPS_NEW_STEP_H
#define UI_STEPS_NEW_STEP_H

#include "ui/view/view.h"

/* Adds the operation, or a step with arguments, below the one that is looked at, as one change. What finds or measures objects
 * takes one channel: where there are several, a step that takes the one looked at, or the clearest, comes before it, and *note says so.
 * What can measure intensities gets the image to measure, unless there are arguments. *note: NULL, or to be freed with g_free().
 * FALSE with *error. */
gboolean new_step_add (View *view, const Modules *modules, const char *step, char **note, GError **error);

#endif

/* SPDX-License-Identifier: MIT
 *
 * The step that the user expects after choosing an operation from a menu.
 */
#ifndef UI_STEPS_NEW_STEP_H
#define UI_STEPS_NEW_STEP_H

#include "ui/view/view.h"

/* Adds the operation, or a step with arguments, below the one that is looked at, as one change. What finds or measures objects
 * takes one channel: where there are several, a step that takes the one looked at, or the clearest, comes before it, and *note says so.
 * What can measure intensities gets the image to measure, unless there are arguments. *note: NULL, or to be freed with g_free().
 * FALSE with *error. */
gboolean new_step_add (View *view, const Modules *modules, const char *step, char **note, GError **error);

/* Makes these the steps, as one change. Where the image has several channels and they take none, a first step takes one, as above. What is
 * looked at is the first step after a channel's, with the outlines of what the others find. */
gboolean new_steps_begin (View *view, const Modules *modules, const Recipe *steps, char **note, GError **error);

#endif

/* SPDX-License-Identifier: MIT
 *
 * What is done with a step as a whole: the one that is looked at. Each is one change to undo.
 */
#ifndef UI_STEPS_STEP_COMMANDS_H
#define UI_STEPS_STEP_COMMANDS_H

#include "ui/view/view.h"

/* NULL: the opened image is looked at. Valid until the steps change. */
const Step *step_command_step (const View *view);
/* Whether the step is not the first (by -1), or the last (by 1). */
gboolean step_command_can_move (const View *view, int by);

/* FALSE with *error and no change if another step would lose an input. The step stays selected. */
gboolean step_command_move (View *view, int by, GError **error);
gboolean step_command_delete (View *view, GError **error);
/* The same once more, after it and without its names. */
gboolean step_command_duplicate (View *view, GError **error);
/* All its parameters as they are in a new step; what it takes stays. */
gboolean step_command_reset (View *view, GError **error);
void step_command_skip (View *view, gboolean skip);

#endif

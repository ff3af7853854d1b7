/* SPDX-License-Identifier: MIT
 *
 * The actions of a window that are about one step: the one that is looked at.
 */
#ifndef UI_APP_STEP_ACTIONS_H
#define UI_APP_STEP_ACTIONS_H

#include "ui/shell/shell.h"

void step_actions_add (Shell *shell);
/* Those that make no sense now are switched off. */
/* The devices that the selected step can run on, as a menu. To be unref'd. */
GMenuModel *step_actions_devices (Shell *shell);
void step_actions_update (Shell *shell);

#endif

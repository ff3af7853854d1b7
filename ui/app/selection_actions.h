/* SPDX-License-Identifier: MIT
 *
 * The actions of a window that are about selections, and measure them.
 */
#ifndef UI_APP_SELECTION_ACTIONS_H
#define UI_APP_SELECTION_ACTIONS_H

#include "ui/shell/shell.h"

void selection_actions_add (Shell *shell);
/* Those that make no sense now are switched off. */
void selection_actions_update (Shell *shell);

#endif

/* SPDX-License-Identifier: MIT
 *
 * The actions of a window. Only here do the user's wishes become changes of a document or a view.
 */
#ifndef UI_APP_ACTIONS_H
#define UI_APP_ACTIONS_H

#include "ui/shell/shell.h"

void actions_add (Shell *shell);
/* Those that make no sense now are switched off. */
void actions_update (Shell *shell);

#endif

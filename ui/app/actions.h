/* SPDX-License-Identifier: MIT
 *
 * The actions of a window: the one place where what the user wants becomes a change of a document or a view.
 */
#ifndef UI_APP_ACTIONS_H
#define UI_APP_ACTIONS_H

#include "ui/app/window.h"

void window_actions_add (Window *window);
/* Those that make no sense now are switched off. */
void window_actions_update (Window *window);

#endif

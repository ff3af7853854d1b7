/* SPDX-License-Identifier: MIT
 *
 * The actions of a window that are about the image: to save it, to make another of it, how it is shown, what it is.
 */
#ifndef UI_APP_IMAGE_ACTIONS_H
#define UI_APP_IMAGE_ACTIONS_H

#include "ui/shell/shell.h"

void image_actions_add (Shell *shell);
/* Those that make no sense now are switched off. */
void image_actions_update (Shell *shell);

#endif

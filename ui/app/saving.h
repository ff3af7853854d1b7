/* SPDX-License-Identifier: MIT
 *
 * Saving the image that is looked at, in a dialog that asks where and how.
 */
#ifndef UI_APP_SAVING_H
#define UI_APP_SAVING_H

#include "ui/shell/shell.h"
#include "ui/view/view.h"

void saving_ask (Shell *shell, const View *view);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Asks about code of this machine that a step carries and that nobody has allowed: shows it, and runs the steps when it is allowed.
 */
#ifndef UI_APP_NATIVE_DIALOG_H
#define UI_APP_NATIVE_DIALOG_H

#include "ui/shell/shell.h"

/* The step of the document at that place has such code. Nothing when it is asked already. */
void native_dialog_ask (Shell *shell, Document *document, guint place);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Process ▸ Image Calculator… and Image ▸ Color ▸ Merge Channels…, as ImageJ has them.
 */
#ifndef UI_SEVERAL_DIALOGS_H
#define UI_SEVERAL_DIALOGS_H

#include "ui/shell/shell.h"

/* Shows the dialog of that operation, if it has one; FALSE: it has none. There has to be an image. */
gboolean several_dialog_show (Shell *shell, const char *op);

#endif

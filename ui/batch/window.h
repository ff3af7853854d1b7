/* SPDX-License-Identifier: MIT
 *
 * Macros ▸ Batch: the steps of the page in front on many images.
 */
#ifndef UI_BATCH_WINDOW_H
#define UI_BATCH_WINDOW_H

#include "ui/shell/shell.h"

/* Shows the window. Closed while a batch runs it is only hidden, and what was entered stays. */
void batch_window_show (Shell *shell);
/* The same with the images of that folder, unless a batch runs. */
void batch_window_show_folder (Shell *shell, const char *folder);
/* Whether there is one, shown or not. */
gboolean batch_window_is_there (Shell *shell);

#endif

/* SPDX-License-Identifier: MIT
 *
 * File ▸ Open Folder…: the images of a folder. A selected one opens with the steps of the front image and replaces
 * the one opened before.
 */
#ifndef UI_FOLDER_WINDOW_H
#define UI_FOLDER_WINDOW_H

#include "ui/shell/shell.h"

/* Asks for a folder, and shows it. */
void folder_window_ask (Shell *shell);
void folder_window_show (Shell *shell, const char *folder);
/* Whether a folder was opened, be the window closed or not. */
gboolean folder_window_is_there (Shell *shell);
/* Opens its next image (by 1), or the one before (-1). */
void folder_window_move (Shell *shell, int by);

#endif

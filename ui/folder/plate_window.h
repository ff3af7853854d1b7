/* SPDX-License-Identifier: MIT
 *
 * The wells of a plate that was opened, with a small picture of one field each. A click opens that field.
 */
#ifndef UI_FOLDER_PLATE_WINDOW_H
#define UI_FOLDER_PLATE_WINDOW_H

#include "ui/shell/shell.h"

/* path: of a data set with wells, as the image was opened. */
void plate_window_show (Shell *shell, const char *path);

#endif

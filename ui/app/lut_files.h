/* SPDX-License-Identifier: MIT
 *
 * Look-up tables from files and into files.
 */
#ifndef UI_APP_LUT_FILES_H
#define UI_APP_LUT_FILES_H

#include "ui/shell/shell.h"

/* Asks for a file; the channel that is looked at is shown with it, and it stays among the look-up tables. */
void lut_files_open (Shell *shell);
/* The same with that file; without an image it is only kept. */
void lut_files_open_path (Shell *shell, const char *path);
/* Asks where the table of the channel that is looked at is to be saved. */
void lut_files_save (Shell *shell);

#endif

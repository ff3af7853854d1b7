/* SPDX-License-Identifier: MIT
 *
 * Files without a header: a form says what their pixels are.
 */
#ifndef UI_APP_RAW_IMPORT_H
#define UI_APP_RAW_IMPORT_H

#include "ui/shell/shell.h"

/* Asks for a file, and then what its pixels are. */
void raw_import_ask (Shell *shell);
/* Asks what the pixels of a file are, with a guess, and opens it. */
void raw_import_show (Shell *shell, const char *path);

#endif

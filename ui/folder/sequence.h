/* SPDX-License-Identifier: MIT
 *
 * A folder of numbered images: a form says how they are opened together, and shows the result.
 */
#ifndef UI_FOLDER_SEQUENCE_H
#define UI_FOLDER_SEQUENCE_H

#include "ui/shell/shell.h"

/* Looks at the names in a folder: of a sequence the form is shown, of other images the folder. */
void sequence_offer (Shell *shell, const char *folder);
/* Shows the form for any folder. */
void sequence_show (Shell *shell, const char *folder);
/* Asks for a folder, and shows the form. */
void sequence_ask (Shell *shell);

#endif

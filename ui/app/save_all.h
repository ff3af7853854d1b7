/* SPDX-License-Identifier: MIT
 *
 * Saving all that was made by hand in some images, in one folder: steps, selections and measurements, a file for each.
 */
#ifndef UI_APP_SAVE_ALL_H
#define UI_APP_SAVE_ALL_H

#include "ui/shell/shell.h"

typedef void (*SaveAllSaved) (GObject *listener);

/* Asks for a folder; no file there is replaced. saved is called when all is written; the window says what fails. */
void save_all_ask (Shell *shell, const GPtrArray *documents, SaveAllSaved saved, GObject *listener);

#endif

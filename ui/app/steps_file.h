/* SPDX-License-Identifier: MIT
 *
 * Saving steps to text files and opening them, each with its dialog.
 */
#ifndef UI_APP_STEPS_FILE_H
#define UI_APP_STEPS_FILE_H

#include "ui/shell/shell.h"

typedef void (*StepsFileSaved) (GObject *listener);

/* Asks for a file, or for a folder when there are several documents. saved (may be NULL) is called when all is written; the
 * window says what fails. */
void steps_file_save (Shell *shell, const GPtrArray *documents, StepsFileSaved saved, GObject *listener);
/* Asks for a file and makes its steps those of the document. */
void steps_file_open (Shell *shell, Document *document);

#endif

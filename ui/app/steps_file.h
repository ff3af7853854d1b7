/* SPDX-License-Identifier: MIT
 *
 * Saving steps to text files and opening them, each with its dialog.
 */
#ifndef UI_APP_STEPS_FILE_H
#define UI_APP_STEPS_FILE_H

#include "ui/shell/shell.h"

typedef void (*StepsFileSaved) (GObject *listener);

/* Asks for a file, or for a folder when there are several documents. The dialog starts in that folder, or, if it is NULL, in that of the image. saved
 * (may be NULL) is called when all is written; the window shows errors. */
void steps_file_save (Shell *shell, const GPtrArray *documents, const char *folder, StepsFileSaved saved,
                      GObject *listener);
/* Asks for a file and makes its steps those of the document. */
void steps_file_open (Shell *shell, Document *document);
/* Makes the steps of a recipe those of the document, as they suit its image: see new_steps_begin(). */
void steps_file_begin (Shell *shell, Document *document, const char *path);

#endif

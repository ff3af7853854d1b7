/* SPDX-License-Identifier: MIT
 *
 * Saving steps to text files and opening them, each with its dialog.
 */
#ifndef UI_APP_STEPS_FILE_H
#define UI_APP_STEPS_FILE_H

#include "ui/app/window.h"

typedef void (*StepsFileSaved) (GObject *hearer);

/* Asks for a file, or for a folder when there are several documents. saved (may be NULL) is called when all is written; the
 * window says what fails. */
void steps_file_save (Window *window, const GPtrArray *documents, StepsFileSaved saved, GObject *hearer);
/* Asks for a file and makes its steps those of the document. */
void steps_file_open (Window *window, Document *document);

#endif

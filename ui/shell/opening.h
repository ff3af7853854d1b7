/* SPDX-License-Identifier: MIT
 *
 * Opening image files: they are read on a thread, then the window shows them.
 */
#ifndef UI_SHELL_OPENING_H
#define UI_SHELL_OPENING_H

#include "ui/shell/shell.h"

/* Image n of the file, with what is seen first read. Not for the main loop. NULL with *error. */
Image *opening_read (const char *path, guint n, GError **error);
/* Reads the file in the background and shows it in a new tab, or a macro in its window; the window says what hindered it. The image of a
 * URL is fetched and has no file. */
void opening_open (Shell *shell, const char *path);
void opening_open_file (Shell *shell, GFile *file);
/* The same with these steps. The path is NULL for an image without a file, which the first of them makes. `done` is called with the document, or with
 * the error as `fault`. */
typedef void (*OpeningDone) (GObject *listener, Document *document, const char *fault);
void opening_open_with (Shell *shell, const char *path, const char *steps, OpeningDone done, GObject *listener);

/* What is dropped on the shell is opened. */
void opening_take_drops (Shell *shell);

#endif

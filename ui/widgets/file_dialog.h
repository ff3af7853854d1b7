/* SPDX-License-Identifier: MIT
 *
 * Dialogs that save something of an image: where they start, and what the file is called.
 */
#ifndef UI_WIDGETS_FILE_DIALOG_H
#define UI_WIDGETS_FILE_DIALOG_H

#include <gtk/gtk.h>

/* "Save Steps of nuclei.tif", free with g_free(); name: of the image. */
char *file_dialog_title (const char *action, const char *name);
/* In the folder of the image, when it is of a file in a folder where files can be made. path: or NULL. */
void file_dialog_start_at (GtkFileChooser *chooser, const char *path);
/* The chosen name, with `ending` (".steps") appended if it has none. NULL with *error if the appended name is an
 * existing file, since the dialog did not ask about replacing it. Free with g_free(). */
char *file_dialog_path (GtkFileChooser *chooser, const char *ending, GError **error);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Which files a file chooser shows.
 */
#ifndef UI_WIDGETS_FILE_FILTERS_H
#define UI_WIDGETS_FILE_FILTERS_H

#include <gtk/gtk.h>

/* Files of those endings ("tif", ...; the list ends with NULL), and as a second choice all files. */
void file_filters_add (GtkFileChooser *chooser, const char *name, const char *const *endings);
/* The same for images of all formats, and for files of the endings in `more`, which may be NULL. */
void file_filters_add_images (GtkFileChooser *chooser, const char *name, const char *const *more);

#endif

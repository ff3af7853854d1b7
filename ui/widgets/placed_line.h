/* SPDX-License-Identifier: MIT
 *
 * The line between two panes stands where the program finds it best until the user drags it.
 */
#ifndef UI_WIDGETS_PLACED_LINE_H
#define UI_WIDGETS_PLACED_LINE_H

#include <gtk/gtk.h>

/* How large the first pane is to be when both together have this size, each across the line. */
typedef int (*PlacedLine) (gpointer data, int size);

/* From now on the line is placed, and again whenever the size of the paned changes. data must live as long. */
void placed_line_watch (GtkPaned *paned, PlacedLine first_size, gpointer data);
/* What it depends on has changed. */
void placed_line_update (GtkPaned *paned);
/* The user sets the size of the pane that does not grow with the window. It is saved in the settings under this key,
 * which must outlive the line, and restored at the next start. Set another key when the panes have been swapped;
 * with NULL, the size is not saved. */
void placed_line_keep (GtkPaned *paned, const char *key);

#endif

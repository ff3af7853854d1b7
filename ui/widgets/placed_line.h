/* SPDX-License-Identifier: MIT
 *
 * The line between two panes, one above the other, stands where the program finds it best until the user drags it.
 */
#ifndef UI_WIDGETS_PLACED_LINE_H
#define UI_WIDGETS_PLACED_LINE_H

#include <gtk/gtk.h>

/* How high the upper pane is to be when both together have this height. */
typedef int (*PlacedLine) (gpointer data, int height);

/* From now on the line of the vertical paned is placed, and again whenever its height changes. data must live as long. */
void placed_line_watch (GtkPaned *paned, PlacedLine place, gpointer data);
/* What it depends on has changed. */
void placed_line_again (GtkPaned *paned);

#endif

/* SPDX-License-Identifier: MIT
 *
 * A part of the window that is redrawn as a whole when anything in it changes. GTK draws only the changed
 * rectangles, but with more than thirty it draws their bounding box, so changing numbers in a table would redraw the
 * image.
 */
#ifndef UI_WIDGETS_REDRAW_WHOLE_H
#define UI_WIDGETS_REDRAW_WHOLE_H

#include <gtk/gtk.h>

/* In the snapshot of the widget, before all else. */
void redraw_whole (GtkWidget *widget, GtkSnapshot *snapshot);

#endif

/* SPDX-License-Identifier: MIT
 *
 * A part of the window that is drawn as a whole when anything in it has changed. GTK draws only what has changed, but when that
 * is more than thirty rectangles it takes all that is around them: numbers that change in a table would draw the image anew.
 */
#ifndef UI_WIDGETS_REDRAW_WHOLE_H
#define UI_WIDGETS_REDRAW_WHOLE_H

#include <gtk/gtk.h>

/* In the snapshot of the widget, before all else. */
void redraw_whole (GtkWidget *widget, GtkSnapshot *snapshot);

#endif

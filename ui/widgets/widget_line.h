/* SPDX-License-Identifier: MIT
 *
 * A line of widgets, and its number entries.
 */
#ifndef UI_WIDGETS_WIDGET_LINE_H
#define UI_WIDGETS_WIDGET_LINE_H

#include <gtk/gtk.h>

/* The widgets one after the other, up to a NULL. */
GtkWidget *widget_line_new (GtkWidget *first, ...) G_GNUC_NULL_TERMINATED;
/* An entry `chars` wide with buttons for less and more. name: for those who hear and do not see it; tip: its tooltip. Calls changed (object), while the
 * object is there. */
GtkSpinButton *number_entry_new (double min, double max, double step, int chars, const char *name, const char *tip,
                                 GCallback changed, gpointer object);

#endif

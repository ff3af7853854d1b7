/* SPDX-License-Identifier: MIT
 *
 * What GTK's theme does not know of this program, and where it is too pale.
 */
#ifndef UI_WIDGETS_STYLE_H
#define UI_WIDGETS_STYLE_H

#include <gtk/gtk.h>

/* For all windows. */
void style_add (void);
/* The widget has the class of styles, or has it no more. */
void style_set_class (GtkWidget *widget, const char *class, gboolean on);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Names of widgets for those who hear and do not see them. A drop-down, a menu button or a bar of GTK has buttons inside that get
 * the focus and have no names.
 */
#ifndef UI_WIDGETS_NAMING_H
#define UI_WIDGETS_NAMING_H

#include <gtk/gtk.h>

/* The widget and the buttons that it is made of. */
void naming_set (GtkWidget *widget, const char *name);

#endif

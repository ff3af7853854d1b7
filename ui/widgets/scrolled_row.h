/* SPDX-License-Identifier: MIT
 *
 * A row or column of tools or buttons that scrolls when there is not enough room, so that every window fits on a
 * small screen.
 */
#ifndef UI_WIDGETS_SCROLLED_ROW_H
#define UI_WIDGETS_SCROLLED_ROW_H

#include <gtk/gtk.h>

GtkWidget *scrolled_row_new (GtkWidget *row);
GtkWidget *scrolled_column_new (GtkWidget *column);

#endif

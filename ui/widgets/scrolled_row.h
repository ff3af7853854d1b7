/* SPDX-License-Identifier: MIT
 *
 * A row or a column of tools or buttons that is scrolled where there is no room for it, so that no window is too large for a small
 * screen.
 */
#ifndef UI_WIDGETS_SCROLLED_ROW_H
#define UI_WIDGETS_SCROLLED_ROW_H

#include <gtk/gtk.h>

GtkWidget *scrolled_row_new (GtkWidget *row);
GtkWidget *scrolled_column_new (GtkWidget *column);

#endif

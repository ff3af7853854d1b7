/* SPDX-License-Identifier: MIT
 *
 * A row of tools or buttons that is scrolled sideways where there is no room for it, so that no window is too wide for a small
 * screen.
 */
#ifndef UI_WIDGETS_SCROLLED_ROW_H
#define UI_WIDGETS_SCROLLED_ROW_H

#include <gtk/gtk.h>

GtkWidget *scrolled_row_new (GtkWidget *row);

#endif

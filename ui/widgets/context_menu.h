/* SPDX-License-Identifier: MIT
 *
 * A menu of what can be done with what is under the pointer, at a right click; or with what has the focus, at the key Menu or Shift+F10.
 */
#ifndef UI_WIDGETS_CONTEXT_MENU_H
#define UI_WIDGETS_CONTEXT_MENU_H

#include <gtk/gtk.h>

/* The menu for the target at *point of the widget (under the pointer, or the focus when opened by key), which is
 * selected. The menu opens at *point, which can be changed. NULL: no menu here. (transfer full) */
typedef GMenuModel *(*ContextMenu) (gpointer object, gboolean pointed, GdkRectangle *box);

/* Actions of the menus are looked for from the widget upwards. object lives as long as the widget. The menu comes when the button is let
 * go, so that it can be held to drag. */
void context_menu_add (GtkWidget *widget, ContextMenu menu, gpointer object);

#endif

/* SPDX-License-Identifier: MIT
 *
 * A menu of what can be done with what is under the pointer, at a right click; or with what has the focus, at the key Menu or Shift+F10.
 */
#ifndef UI_WIDGETS_CONTEXT_MENU_H
#define UI_WIDGETS_CONTEXT_MENU_H

#include <gtk/gtk.h>

/* The menu for what is at a place of the widget, which is chosen with it: under the pointer, or by key what has the focus. The menu stands
 * at *place, which can be changed. NULL: there is none here. (transfer full) */
typedef GMenuModel *(*ContextMenu) (gpointer object, gboolean pointed, GdkRectangle *place);

/* Actions of the menus are looked for from the widget upwards. object lives as long as the widget. The menu comes when the button is let
 * go, so that it can be held to drag. */
void context_menu_add (GtkWidget *widget, ContextMenu menu, gpointer object);

#endif

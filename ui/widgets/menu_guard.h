/* SPDX-License-Identifier: MIT
 *
 * Prevents menus of a window's menu bar from opening by themselves.
 *
 * When an entry is chosen, GTK picks the widget under the pointer after the menu has closed. It uses the pointer's
 * position in the menu as if it were one in the window, which is often a title in the bar, and opens that menu. The
 * bar therefore cannot be a target while the pointer is in a menu.
 */
#ifndef UI_WIDGETS_MENU_GUARD_H
#define UI_WIDGETS_MENU_GUARD_H

#include <gtk/gtk.h>

void menu_guard_add (GtkWidget *window);

#endif

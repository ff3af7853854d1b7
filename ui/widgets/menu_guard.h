/* SPDX-License-Identifier: MIT
 *
 * No menu of a window's menu bar opens by itself.
 *
 * When an entry is chosen, GTK looks what is under the pointer now that the menu has gone, with the place that the pointer had in
 * the menu taken for one in the window: often that is a title in the bar, whose menu it opens. While the pointer is in a menu, the
 * bar is nothing that a pointer can be on.
 */
#ifndef UI_WIDGETS_MENU_GUARD_H
#define UI_WIDGETS_MENU_GUARD_H

#include <gtk/gtk.h>

void menu_guard_add (GtkWidget *window);

#endif

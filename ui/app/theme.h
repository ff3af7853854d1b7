/* SPDX-License-Identifier: MIT
 *
 * View ▸ Colors: dark, light or as the system says, kept from one start to the next.
 */
#ifndef UI_APP_THEME_H
#define UI_APP_THEME_H

#include <gtk/gtk.h>

/* Adds the action app.theme, a string "system", "light" or "dark", as the user's settings say. */
void theme_add (GtkApplication *application);
/* The menu with the three. */
GMenuModel *theme_menu_new (void);

#endif

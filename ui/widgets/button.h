/* SPDX-License-Identifier: MIT
 *
 * Buttons as the window has them everywhere.
 */
#ifndef UI_WIDGETS_BUTTON_H
#define UI_WIDGETS_BUTTON_H

#include <gtk/gtk.h>

/* Without a frame. help: its tooltip, and its name for those who hear and do not see it. */
GtkWidget *button_with_icon (const char *icon, const char *help);
/* label: with a mnemonic; help: or NULL. Calls clicked (object), while the object is there. */
GtkWidget *button_with_text (const char *label, const char *help, GCallback clicked, gpointer object);

#endif

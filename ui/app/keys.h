/* SPDX-License-Identifier: MIT
 *
 * Keys without Ctrl or Alt, as in ImageJ: they work wherever the focus is, unless text is typed there.
 */
#ifndef UI_APP_KEYS_H
#define UI_APP_KEYS_H

#include <gtk/gtk.h>

/* To a window with the actions that the keys activate. */
void window_keys_add (GtkWidget *window);
/* Control+Shift+D and Control+Shift+I belong to the program: GTK would open its inspector there. For all windows, once. */
void window_keys_take_inspectors (void);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Buttons for what is done most, the tools of the pointer, and the choice of the device.
 */
#ifndef UI_APP_TOOLBAR_H
#define UI_APP_TOOLBAR_H

#include <gtk/gtk.h>

/* device: the choice, which the toolbar takes. */
GtkWidget *toolbar_new (GtkWidget *device);

#endif

/* SPDX-License-Identifier: MIT
 *
 * A column of buttons beside the image: what is done most, and the tools of the pointer.
 */
#ifndef UI_SHELL_TOOLBAR_H
#define UI_SHELL_TOOLBAR_H

#include <gtk/gtk.h>

/* Its buttons activate actions of the window. */
GtkWidget *toolbar_new (void);

#endif

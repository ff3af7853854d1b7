/* SPDX-License-Identifier: MIT
 *
 * A column of buttons beside the image: what is done most, and the tools of the pointer.
 */
#ifndef UI_SHELL_TOOLBAR_H
#define UI_SHELL_TOOLBAR_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

/* Its buttons activate actions of the window; from that which saves, the image of the view can be dragged to another program. */
GtkWidget *toolbar_new (View *view);

#endif

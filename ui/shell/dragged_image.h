/* SPDX-License-Identifier: MIT
 *
 * The image that is looked at, dragged out of the window as a file: the opened one itself, or what the steps made of it, which is written when it
 * is dropped.
 */
#ifndef UI_SHELL_DRAGGED_IMAGE_H
#define UI_SHELL_DRAGGED_IMAGE_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

/* From now on it can be dragged from that widget. */
void dragged_image_from (GtkWidget *widget, View *view);

#endif

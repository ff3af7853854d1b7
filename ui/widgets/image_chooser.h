/* SPDX-License-Identifier: MIT
 *
 * The dialog that chooses an image file.
 */
#ifndef UI_WIDGETS_IMAGE_CHOOSER_H
#define UI_WIDGETS_IMAGE_CHOOSER_H

#include <gtk/gtk.h>

typedef void (*ImageChosen) (gpointer widget, const char *path);

/* Calls chosen (widget, path) if a file is chosen and the widget is still in a window. start: a file beside which to begin, or NULL. */
void image_chooser_ask (GtkWidget *widget, const char *start, ImageChosen chosen);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Image ▸ Properties: what is known of the image that a view shows, kept current while it changes.
 */
#ifndef UI_LOOK_IMAGE_PROPERTIES_H
#define UI_LOOK_IMAGE_PROPERTIES_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

/* Its button Set Scale… activates win.set-scale of the window. */
void image_properties_show (GtkWindow *window, View *view);

#endif

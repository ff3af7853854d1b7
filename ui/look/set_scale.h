/* SPDX-License-Identifier: MIT
 *
 * Analyze ▸ Set Scale: how large a pixel is, from a distance that is known or typed directly.
 */
#ifndef UI_LOOK_SET_SCALE_H
#define UI_LOOK_SET_SCALE_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

/* distance: pixels along the line that is selected; 0: none. */
void set_scale_show (GtkWindow *window, View *view, double distance);

#endif

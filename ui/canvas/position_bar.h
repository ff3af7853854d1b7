/* SPDX-License-Identifier: MIT
 *
 * Sliders for channel, slice and frame of an image, as far as there is more than one, in one line.
 */
#ifndef UI_CANVAS_POSITION_BAR_H
#define UI_CANVAS_POSITION_BAR_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

#define POSITION_BAR_TYPE (position_bar_get_type ())
G_DECLARE_FINAL_TYPE (PositionBar, position_bar, FOVEA, POSITION_BAR, GtkBox)

GtkWidget *position_bar_new (void);
/* Shows the positions of this page from now on and stops playback. NULL clears the bar. */
void position_bar_set_view (PositionBar *bar, View *view);

#endif

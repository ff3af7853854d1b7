/* SPDX-License-Identifier: MIT
 *
 * How values become colors: histogram and contrast limits, gamma, look-up table, composite, opacity of outlines.
 */
#ifndef UI_LOOK_DISPLAY_PANEL_H
#define UI_LOOK_DISPLAY_PANEL_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

#define DISPLAY_PANEL_TYPE (display_panel_get_type ())
G_DECLARE_FINAL_TYPE (DisplayPanel, display_panel, FOVEA, DISPLAY_PANEL, GtkBox)

GtkWidget *display_panel_new (View *view);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Beside the image: the steps, and below them the form of the chosen one and how the image is displayed.
 */
#ifndef UI_SHELL_SIDE_PANEL_H
#define UI_SHELL_SIDE_PANEL_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

#define SIDE_PANEL_TYPE (side_panel_get_type ())
/* Signal: "failed" (text). */
G_DECLARE_FINAL_TYPE (SidePanel, side_panel, FOVEA, SIDE_PANEL, GtkBox)

GtkWidget *side_panel_new (View *view);
/* Its panes that can have the focus, from above: "steps", "form", "display". */
enum { SIDE_STEPS, SIDE_FORM, SIDE_DISPLAY, SIDE_PANES };
GtkWidget *side_panel_pane (SidePanel *self, int pane);

#endif

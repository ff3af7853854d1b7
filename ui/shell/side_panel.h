/* SPDX-License-Identifier: MIT
 *
 * Beside the image or below it, as tabs: the steps with the form of the chosen one, how the image is displayed, and the list of selections.
 */
#ifndef UI_SHELL_SIDE_PANEL_H
#define UI_SHELL_SIDE_PANEL_H

#include "ui/selection/selections.h"
#include "ui/view/view.h"

#include <gtk/gtk.h>

#define SIDE_PANEL_TYPE (side_panel_get_type ())
/* Signal: "failed" (text). */
G_DECLARE_FINAL_TYPE (SidePanel, side_panel, FOVEA, SIDE_PANEL, GtkBox)

GtkWidget *side_panel_new (View *view, Selections *selections);
/* Its panes that can have the focus, from above; those of a tab behind are not mapped. */
enum { SIDE_TABS, SIDE_STEPS, SIDE_FORM, SIDE_DISPLAY, SIDE_SELECTIONS, SIDE_PANES };
GtkWidget *side_panel_pane (SidePanel *self, int pane);
/* Below the image, the panel is low and wide: the form is beside the steps. */
void side_panel_set_low (SidePanel *self, gboolean low);
/* The tab of a pane comes to the front. */
void side_panel_bring (SidePanel *self, int pane);

#endif

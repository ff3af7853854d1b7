/* SPDX-License-Identifier: MIT
 *
 * The kept selections as a list, with files; and exact numbers of the current one.
 */
#ifndef UI_SELECTION_PANEL_H
#define UI_SELECTION_PANEL_H

#include "ui/selection/selections.h"
#include "ui/view/view.h"

#include <gtk/gtk.h>

#define SELECTION_PANEL_TYPE (selection_panel_get_type ())
/* Signal: "failed" (text). */
G_DECLARE_FINAL_TYPE (SelectionPanel, selection_panel, FOVEA, SELECTION_PANEL, GtkBox)

GtkWidget *selection_panel_new (View *view, Selections *selections);
/* The focus goes to the name of the chosen one. */
void selection_panel_rename (SelectionPanel *panel);

#endif

/* SPDX-License-Identifier: MIT
 *
 * The list of steps beside the image: what each does, what it gave, how long it took; switched off, moved and deleted here. The form of the
 * chosen one can open under its row.
 */
#ifndef UI_STEPS_STEPS_PANEL_H
#define UI_STEPS_STEPS_PANEL_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

#define STEPS_PANEL_TYPE (steps_panel_get_type ())
/* Signal: "failed" (text) when a change of the steps is refused. */
G_DECLARE_FINAL_TYPE (StepsPanel, steps_panel, FOVEA, STEPS_PANEL, GtkWidget)

GtkWidget *steps_panel_new (View *view);
/* The form of the chosen step, which stands under its row from now on; NULL: it stands elsewhere. */
void steps_panel_set_form (StepsPanel *panel, GtkWidget *form);

#endif

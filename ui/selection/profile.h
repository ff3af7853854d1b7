/* SPDX-License-Identifier: MIT
 *
 * Values of the plane that is looked at along the selected line, drawn live as it moves.
 */
#ifndef UI_SELECTION_PROFILE_H
#define UI_SELECTION_PROFILE_H

#include "ui/selection/selections.h"
#include "ui/view/view.h"

#include <gtk/gtk.h>

#define PROFILE_TYPE (profile_get_type ())
/* Works only while it is visible. Signal: "close" when the user has enough of it. */
G_DECLARE_FINAL_TYPE (Profile, profile, FOVEA, PROFILE, GtkBox)

/* worker must live longer. */
GtkWidget *profile_new (View *view, Selections *selections, Worker *worker);
/* What there is to do with it and what it says of itself, to stand below it. The profile's. */
GtkWidget *profile_foot (Profile *self);

#endif

/* SPDX-License-Identifier: MIT
 *
 * The pane of results: the last table that a step has made, live.
 */
#ifndef UI_RESULTS_VIEW_H
#define UI_RESULTS_VIEW_H

#include "view.h"

#include <gtk/gtk.h>

#define RESULTS_VIEW_TYPE (results_view_get_type ())
G_DECLARE_FINAL_TYPE (ResultsView, results_view, FOVEA, RESULTS_VIEW, GtkBox)

GtkWidget *results_view_new (View *view);

#endif

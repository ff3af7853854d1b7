/* SPDX-License-Identifier: MIT
 *
 * A pane with a table: sorted, filtered, summed up, copied, exported.
 */
#ifndef UI_RESULTS_VIEW_H
#define UI_RESULTS_VIEW_H

#include "core/data/table.h"
#include "ui/view/view.h"

#include <gtk/gtk.h>

#define RESULTS_VIEW_TYPE (results_view_get_type ())
/* Signal: "wanted" when the user wants to see it, as by the button that sums it up. */
G_DECLARE_FINAL_TYPE (ResultsView, results_view, FOVEA, RESULTS_VIEW, GtkBox)

/* title: what the table is, "Results". Its objects, where it has a column "label", are those of the view. */
GtkWidget *results_view_new (View *view, const char *title);
/* What there is to do with it and what it says of itself, to stand below it. The view's. */
GtkWidget *results_view_foot (ResultsView *self);
/* In a narrow panel, the plots are below the table instead of beside it. */
void results_view_set_high (ResultsView *self, gboolean high);
/* NULL: no rows. */
void results_view_set_table (ResultsView *self, Table *table);
/* While resting (hidden) the view has no widgets for rows. */
void results_view_rest (ResultsView *self, gboolean resting);
/* Whether the newest table is shown. */
gboolean results_view_settled (const ResultsView *view);

#endif

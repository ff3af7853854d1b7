/* SPDX-License-Identifier: MIT
 *
 * The rows of a table go to the clipboard, or to a file that the user chooses.
 */
#ifndef UI_RESULTS_EXPORT_H
#define UI_RESULTS_EXPORT_H

#include "ui/results/model.h"
#include "ui/view/view.h"

#include <gtk/gtk.h>

#define RESULTS_EXPORT_TYPE (results_export_get_type ())
/* Signals, while the pane is shown: "said" (text) what is being done, or was; "failed" (text). */
G_DECLARE_FINAL_TYPE (ResultsExport, results_export, FOVEA, RESULTS_EXPORT, GObject)

/* pane: shows the model's table, of the view. name: what the table is; a literal. */
ResultsExport *results_export_new (GtkWidget *pane, View *view, ResultsModel *model, const char *name);
/* The selected rows, or all, as text. */
void results_export_copy (ResultsExport *self);
/* Asks where, and writes the rows shown as CSV. */
void results_export_ask (ResultsExport *self);

#endif

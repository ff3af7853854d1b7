/* SPDX-License-Identifier: MIT
 *
 * The rows and columns of a table of results: its cells, headers and sorting.
 */
#ifndef UI_RESULTS_GRID_H
#define UI_RESULTS_GRID_H

#include "ui/results/model.h"

#include <gtk/gtk.h>

#define RESULTS_GRID_TYPE (results_grid_get_type ())
G_DECLARE_FINAL_TYPE (ResultsGrid, results_grid, FOVEA, RESULTS_GRID, GObject)

ResultsGrid *results_grid_new (ResultsModel *model);
/* The widget; the grid's. */
GtkColumnView *results_grid_list (const ResultsGrid *grid);
/* The model has other values, perhaps in other columns. */
void results_grid_update (ResultsGrid *grid);

#endif

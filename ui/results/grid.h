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
/* The target at a point of a widget above the list: a cell, or the header of a column if position is
 * GTK_INVALID_LIST_POSITION. FALSE: neither. */
typedef struct {
  guint position, column;
} ResultsTarget;
gboolean results_grid_find (const ResultsGrid *grid, GtkWidget *widget, double x, double y, ResultsTarget *target);
/* By a column; key: NULL for as they come. */
void results_grid_sort (ResultsGrid *grid, const char *key, gboolean descending);
/* Hidden columns are only out of sight: tables that are saved have them. */
void results_grid_hide (ResultsGrid *grid, const char *key);
void results_grid_show_all (ResultsGrid *grid);
gboolean results_grid_hides (const ResultsGrid *grid);
/* The table is hidden: it has no widgets for rows. */
void results_grid_rest (ResultsGrid *grid, gboolean resting);
/* The model has other values, perhaps in other columns. */
void results_grid_update (ResultsGrid *grid);

#endif

/* SPDX-License-Identifier: MIT
 *
 * What the second button of the mouse gives over a table: on a row, and on the header of a column.
 */
#ifndef UI_RESULTS_MENU_H
#define UI_RESULTS_MENU_H

#include "ui/results/grid.h"

/* To the pane in which the grid is. actions: those of the pane's group "table", which gets more; it has "copy", "export", "filter" and
 * "distribution" (key of the column). */
void results_menu_add (GtkWidget *pane, GActionMap *actions, ResultsGrid *grid, ResultsModel *model);

#endif

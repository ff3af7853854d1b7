/* SPDX-License-Identifier: MIT
 *
 * The histogram of a column of the results, or the scatter plot of two, live beside the table; dragging over it filters.
 */
#ifndef UI_RESULTS_DISTRIBUTION_H
#define UI_RESULTS_DISTRIBUTION_H

#include "ui/results/model.h"

#define DISTRIBUTION_TYPE (distribution_get_type ())
/* Signals: "said" and "failed" (text): what became of a plot that was saved. */
G_DECLARE_FINAL_TYPE (Distribution, distribution, FOVEA, DISTRIBUTION, GtkBox)

GtkWidget *distribution_new (ResultsModel *model);
/* The histogram of that column. */
void distribution_choose (Distribution *self, const char *key);

#endif

/* SPDX-License-Identifier: MIT
 *
 * The summary of each column of the results, beside the table.
 */
#ifndef UI_RESULTS_STATISTICS_H
#define UI_RESULTS_STATISTICS_H

#include "ui/results/model.h"

/* Follows the summaries of the model. */
GtkWidget *results_statistics_new (ResultsModel *model);

#endif

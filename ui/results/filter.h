/* SPDX-License-Identifier: MIT
 *
 * A lower and an upper limit for each column of the results; every change filters at once.
 */
#ifndef UI_RESULTS_FILTER_H
#define UI_RESULTS_FILTER_H

#include "ui/results/model.h"

/* For the current columns and limits. */
GtkWidget *results_filter_new (ResultsModel *model);

#endif

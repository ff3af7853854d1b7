/* SPDX-License-Identifier: MIT
 *
 * Objects whose rows the filter of the results drops fade in the image.
 */
#ifndef UI_RESULTS_FADE_H
#define UI_RESULTS_FADE_H

#include "ui/results/model.h"
#include "ui/view/view.h"

/* Tells the view which objects of the slice that it shows are kept; FALSE, and nothing is told, when all of them are. */
gboolean results_fade (const ResultsModel *model, View *view);

#endif

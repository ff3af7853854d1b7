/* SPDX-License-Identifier: MIT
 *
 * Objects whose rows the filter of the results drops fade in the image.
 */
#ifndef UI_RESULTS_FADE_H
#define UI_RESULTS_FADE_H

#include "ui/results/model.h"
#include "ui/view/view.h"

/* Sets which objects of its slice the view shows as kept. FALSE, without a change, when all of them are. */
gboolean results_fade (const ResultsModel *model, View *view);

#endif

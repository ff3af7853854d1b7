/* SPDX-License-Identifier: MIT
 *
 * The scatter plot of the two channels that `colocalize` compares: how many pixels have which pair of values, in colors by the logarithm,
 * with the regression line and the thresholds that it found.
 */
#ifndef UI_RESULTS_SCATTER_H
#define UI_RESULTS_SCATTER_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

#define SCATTER_TYPE (scatter_get_type ())
/* Works only while it is mapped. */
G_DECLARE_FINAL_TYPE (Scatter, scatter, FOVEA, SCATTER, GtkBox)

/* worker must live longer. */
GtkWidget *scatter_new (View *view, Worker *worker);
/* What there is to do with it and what it says of itself, to stand below it. The plot's. */
GtkWidget *scatter_foot (Scatter *self);
/* Whether a step makes something to see. */
gboolean scatter_pays (const Scatter *self);

#endif

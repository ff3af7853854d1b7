/* SPDX-License-Identifier: MIT
 *
 * Axes of a plot, and the text beside them.
 */
#ifndef UI_PLOT_PLOT_AXIS_H
#define UI_PLOT_PLOT_AXIS_H

#include "core/view/range.h"

#include <gtk/gtk.h>

typedef struct PlotAxis {
  Range values;    /* at the ends */
  double from, to; /* positions there */
} PlotAxis;

double plot_axis_position (const PlotAxis *axis, double value);
/* Ticks with their values. plot: whose letters they have. beside: where the axis runs; upright: it is the one at the left. */
void plot_axis_draw (GtkWidget *plot, cairo_t *cr, const PlotAxis *axis, double beside, gboolean upright);
/* at: 0 begins there, 0.5 is centered, 1 ends there; the same downwards. */
void plot_text (GtkWidget *plot, cairo_t *cr, const char *text, double x, double y, double at, double at_y);

#endif

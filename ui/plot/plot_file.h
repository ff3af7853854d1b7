/* SPDX-License-Identifier: MIT
 *
 * Saving a plot, in a dialog that asks where: as SVG, with lines and letters, black on white; or its data as CSV.
 */
#ifndef UI_PLOT_PLOT_FILE_H
#define UI_PLOT_PLOT_FILE_H

#include <gtk/gtk.h>

/* Draws the plot on paper. */
typedef void (*PlotDraw) (cairo_t *cr, int width, int height, gpointer data);

/* What became of it. */
typedef void (*PlotSaid) (gpointer data, const char *text, gboolean good);

/* The current plot, in the size of its widget; takes csv. name: of the proposed file, without an ending. owner: what draw() and said() are given, an
 * object that is kept as long. A popover that the plot is in goes. */
void plot_file_ask (GtkWidget *plot, const char *name, PlotDraw draw, PlotSaid said, gpointer owner, char *csv);

#endif

/* SPDX-License-Identifier: MIT
 *
 * What every plot below the image has: where it is drawn, and a line at its foot.
 */
#ifndef UI_PLOT_PLOT_PARTS_H
#define UI_PLOT_PLOT_PARTS_H

#include <gtk/gtk.h>

/* An area that fills its allocation, at least this high, drawn by `draw` for its owner. name: for screen readers,
 * translated. */
GtkWidget *plot_area_new (const char *name, int height, GtkDrawingAreaDrawFunc draw, gpointer owner);
/* A title, translated, and a note, which is set later. Buttons follow by plot_foot_add(). */
GtkWidget *plot_foot_new (const char *title, GtkLabel **note);
void plot_foot_add (GtkWidget *foot, GtkWidget *button);

#endif

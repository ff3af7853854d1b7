/* SPDX-License-Identifier: MIT
 *
 * The wells of a plate, in rows and columns, with a picture or a color each. A click chooses one; so do the arrow keys with Enter.
 */
#ifndef UI_PLOT_PLATE_GRID_H
#define UI_PLOT_PLATE_GRID_H

#include "core/view/lut_file.h"

#include <gtk/gtk.h>

#define PLATE_GRID_TYPE (plate_grid_get_type ())
/* Signal: "chosen" (row, column: int), of a well that plate_grid_set_well() has named. */
G_DECLARE_FINAL_TYPE (PlateGrid, plate_grid, FOVEA, PLATE_GRID, GtkWidget)

/* A cell is that wide and high at least. */
GtkWidget *plate_grid_new (int width, int height);
/* How many rows and columns there are; all wells are empty. */
void plate_grid_set_size (PlateGrid *grid, int rows, int columns);
/* Says that the plate has this well. about: what the tooltip says below its name, or NULL. */
void plate_grid_set_well (PlateGrid *grid, int row, int column, const char *about);
/* Its picture, or NULL. */
void plate_grid_set_picture (PlateGrid *grid, int row, int column, GdkPaintable *picture);
/* Colors instead of pictures: a number for each cell, row by row, NaN: none, from low to high in the colors of the table. NULL: pictures. */
void plate_grid_set_values (PlateGrid *grid, const double *values, double low, double high, const Lut *lut);
/* Marks a well; row -1: none. */
void plate_grid_mark (PlateGrid *grid, int row, int column);

#endif

/* SPDX-License-Identifier: MIT
 *
 * What explains a figure: scale bar, text, time, and beside the image the colors and their values.
 */
#ifndef CORE_FIGURE_MARKS_H
#define CORE_FIGURE_MARKS_H

#include "core/figure/scene.h"

/* Draws annotations in the image. FALSE with *error: they do not fit. */
gboolean figure_marks_draw (const FigureScene *scene, cairo_t *cr, GError **error);
/* How wide the color bars are, with the room before them; 0: there are none. */
double figure_bars_width (const FigureScene *scene);
/* Draws them, from x on. FALSE with *error. */
gboolean figure_bars_draw (const FigureScene *scene, cairo_t *cr, double x, Progress *progress, GError **error);

#endif

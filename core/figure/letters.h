/* SPDX-License-Identifier: MIT
 *
 * Words in a figure, in its font and size, and its colors.
 */
#ifndef CORE_FIGURE_LETTERS_H
#define CORE_FIGURE_LETTERS_H

#include "core/figure/scene.h"

/* The room that words take. */
void figure_letters_size (const FigureScene *scene, const char *words, double *width, double *height);
/* Draws them in the source that is set, x, y being their upper left corner. */
void figure_letters_draw (const FigureScene *scene, cairo_t *cr, const char *words, double x, double y);
/* Sets the source to a color by its name or as #rrggbb, which is known to be one. */
void figure_letters_color (cairo_t *cr, const char *color);

#endif

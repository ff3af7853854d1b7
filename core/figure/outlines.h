/* SPDX-License-Identifier: MIT
 *
 * Outlines of objects as lines, each within its object, so that those that touch have both their colors.
 */
#ifndef CORE_FIGURE_OUTLINES_H
#define CORE_FIGURE_OUTLINES_H

#include "core/figure/scene.h"

/* Draws those of the scene's labels. FALSE with *error. */
gboolean figure_outlines_draw (const FigureScene *scene, cairo_t *cr, Progress *progress, GError **error);

#endif

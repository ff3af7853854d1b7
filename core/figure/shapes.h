/* SPDX-License-Identifier: MIT
 *
 * Selections in a figure, as lines.
 */
#ifndef CORE_FIGURE_SHAPES_H
#define CORE_FIGURE_SHAPES_H

#include "core/figure/scene.h"

/* Draws those that the choices say. FALSE with *error. */
gboolean figure_shapes_draw (const FigureScene *scene, cairo_t *cr, GError **error);

#endif

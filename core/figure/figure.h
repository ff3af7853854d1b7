/* SPDX-License-Identifier: MIT
 *
 * Figures: an image as it is shown, with its objects and what explains it, for people to print, paste and publish.
 */
#ifndef CORE_FIGURE_FIGURE_H
#define CORE_FIGURE_FIGURE_H

#include "core/figure/scene.h"

/* Whether the name is one of a format: .png, .tif, .tiff, .svg, .pdf. FALSE with *error. */
gboolean figure_can_save (const char *path, GError **error);
/* Writes it. PNG and TIFF have the dots, and how many there are per inch; in SVG and PDF lines and letters are drawn at any size, and
 * pixels are squares unless they are to be smooth. The file appears whole or not at all. Any thread. FALSE with *error. */
gboolean figure_save (const FigureInputs *inputs, const FigureChoices *choices, const char *path, Progress *progress,
                      GError **error);
/* Its dots, opaque. NULL with *error. Free with cairo_surface_destroy(). */
cairo_surface_t *figure_picture (const FigureInputs *inputs, const FigureChoices *choices, Progress *progress,
                                 GError **error);

#endif

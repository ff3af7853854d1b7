/* SPDX-License-Identifier: MIT
 *
 * The whole of a figure: its scene, or the panels of a montage in rows.
 */
#ifndef CORE_FIGURE_PAGE_H
#define CORE_FIGURE_PAGE_H

#include "core/figure/scene.h"

typedef struct FigurePage {
  GPtrArray *panels; /* FigureScene, all of one size; at least one */
  int columns;
  double gap, width, height, point; /* in dots; point: dots for each */
} FigurePage;

/* vector: for a surface that can be drawn larger. NULL with *error. */
FigurePage *figure_page_new (const FigureInputs *inputs, const FigureChoices *choices, gboolean vector,
                             Progress *progress, GError **error);
void figure_page_free (FigurePage *page);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FigurePage, figure_page_free)
/* Draws it in dots. FALSE with *error. */
gboolean figure_page_draw (const FigurePage *page, cairo_t *cr, Progress *progress, GError **error);
/* How large it is in dots, without color bars. FALSE with *error. */
gboolean figure_page_size (Image *image, const FigureChoices *choices, double *width, double *height, GError **error);

#endif

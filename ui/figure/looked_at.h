/* SPDX-License-Identifier: MIT
 *
 * Of what a figure is, as a page shows it, and how figures looked the last time.
 */
#ifndef UI_FIGURE_LOOKED_AT_H
#define UI_FIGURE_LOOKED_AT_H

#include "core/figure/choices.h"
#include "ui/shell/page.h"

typedef enum FigurePart { FIGURE_WHOLE, FIGURE_SEEN, FIGURE_SELECTED } FigurePart;

/* As the last time, of what the page shows now. Free with g_free(). */
FigureChoices *looked_at_choices (const Page *page);
/* Whether that choice says what of the image is looked at, which the page shows, and not how the figure looks. */
gboolean looked_at_has (const fv_param *param);
/* Keeps for the next time how figures look. */
void looked_at_keep (const FigureChoices *choices);
/* Step, position and looks are what the page shows. */
void looked_at_take (FigureChoices *choices, const Page *page);
/* The part of the image. FALSE: nothing is selected; it is the whole image then. */
gboolean looked_at_take_part (FigureChoices *choices, const Page *page, FigurePart part);
/* The selections that are seen, or none of them. FALSE: there are so many that not all are in the figure. */
gboolean looked_at_take_selections (FigureChoices *choices, const Page *page, gboolean any);

#endif

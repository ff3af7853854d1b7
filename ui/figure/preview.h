/* SPDX-License-Identifier: MIT
 *
 * A figure as it will be, as large as there is room.
 */
#ifndef UI_FIGURE_PREVIEW_H
#define UI_FIGURE_PREVIEW_H

#include "core/figure/figure.h"

#include <gtk/gtk.h>

#define FIGURE_PREVIEW_TYPE (figure_preview_get_type ())
/* Signal: "drawn" (text): why it could not be drawn, or "". */
G_DECLARE_FINAL_TYPE (FigurePreview, figure_preview, FOVEA, FIGURE_PREVIEW, GtkWidget)

GtkWidget *figure_preview_new (void);
/* Shows it soon; takes references of the images. */
void figure_preview_show (FigurePreview *preview, const FigureInputs *inputs, const FigureChoices *choices);

#endif

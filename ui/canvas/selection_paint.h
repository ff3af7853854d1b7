/* SPDX-License-Identifier: MIT
 *
 * Draws selections over the image: the current one with handles, the kept ones of this slice with their names.
 */
#ifndef UI_CANVAS_SELECTION_PAINT_H
#define UI_CANVAS_SELECTION_PAINT_H

#include "ui/canvas/paint_area.h"
#include "ui/selection/selections.h"
#include "ui/view/view.h"

#include <gtk/gtk.h>

/* area: what the widget shows, in its own pixels. */
void selection_paint (const Selections *selections, const View *view, GtkWidget *widget, const PaintArea *area,
                      GtkSnapshot *snapshot);
/* A selection that is still being drawn, without handles. */
void selection_paint_stroke (const Selection *selection, const PaintArea *area, GtkSnapshot *snapshot);

#endif

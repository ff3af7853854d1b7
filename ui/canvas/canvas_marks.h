/* SPDX-License-Identifier: MIT
 *
 * What is drawn on the picture and is not of the image: words, the scale bar, a frame.
 */
#ifndef UI_CANVAS_CANVAS_MARKS_H
#define UI_CANVAS_CANVAS_MARKS_H

#include "core/data/image.h"
#include "ui/canvas/paint_area.h"

#include <gtk/gtk.h>

/* A word at the top that says what is seen. align: 0: it begins at x; 1: it ends there. */
void canvas_marks_word (GtkWidget *canvas, GtkSnapshot *snapshot, const char *word, double x, double align);
/* shown: what the canvas shows of the image, in its own pixels. */
void canvas_marks_scale_bar (GtkWidget *canvas, GtkSnapshot *snapshot, const ImageInfo *info, const PaintArea *shown);
/* A frame around an object, in pixels of the image, that is so small that its outline is hardly seen. */
void canvas_marks_object (GtkSnapshot *snapshot, const graphene_rect_t *object, const PaintArea *shown);

#endif

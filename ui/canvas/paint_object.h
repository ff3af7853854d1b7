/* SPDX-License-Identifier: MIT
 *
 * The object that is picked, in the picture of any step: its outline in two tones, bright inside and black outside, so that it is
 * seen on any image.
 */
#ifndef UI_CANVAS_PAINT_OBJECT_H
#define UI_CANVAS_PAINT_OBJECT_H

#include "core/data/image.h"
#include "ui/canvas/paint_area.h"

#include <graphene.h>

/* Which one. */
typedef struct PaintObject {
  Image *labels;
  gint64 slice, frame;
  gint32 label;
} PaintObject;

/* Where it is in its slice, in image pixels; when it is not there and all slices are to be looked through, in the slice of the frame
 * where it comes first, and *slice says which. FALSE when it is nowhere. */
gboolean paint_object_find (const PaintObject *object, gboolean all, gint64 *slice, graphene_rect_t *box);
/* Draws its outline on the picture of an area: rows of R, G, B, A. box: as found. */
void paint_object_draw (const PaintObject *object, const graphene_rect_t *box, const PaintArea *area, guchar *pixels);

#endif

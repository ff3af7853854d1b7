/* SPDX-License-Identifier: MIT
 *
 * The object that is picked, in the picture of any step: its outline in two tones, bright inside and black outside, so that it is
 * seen on any image.
 */
#ifndef UI_CANVAS_PAINT_OBJECT_H
#define UI_CANVAS_PAINT_OBJECT_H

#include "core/data/image.h"
#include "ui/canvas/paint_area.h"

/* Which one. */
typedef struct PaintObject {
  Image *labels;
  gint64 slice, frame;
  gint32 label;
} PaintObject;

/* Draws its outline on the picture of an area: rows of R, G, B, A. box: of the object in the slice. FALSE with *error. */
gboolean paint_object_draw (const PaintObject *object, const ImageRegion *box, const PaintArea *area, guchar *pixels,
                            GError **error);

#endif

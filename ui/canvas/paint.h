/* SPDX-License-Identifier: MIT
 *
 * A picture of a part of an image.
 */
#ifndef UI_CANVAS_PAINT_H
#define UI_CANVAS_PAINT_H

#include "core/data/image.h"
#include "ui/canvas/paint_area.h"

#include <gtk/gtk.h>

typedef struct Paint {
  PaintArea area;
  gint64 asked;             /* when, by g_get_monotonic_time() */
  GdkTexture *texture;      /* for a GPU that draws */
  cairo_surface_t *surface; /* the same, for drawing without one */
  int object;               /* the picked object, or 0 */
  graphene_rect_t box;      /* where it is, in image pixels */
  gint64 object_slice;      /* and in which slice */
  gboolean provisional;     /* of the part alone: results are on their way */
} Paint;

/* Makes texture and surface of an image of R, G, B, A, as large as the area, whose pixels they change and keep. */
void paint_set_pixels (Paint *paint, Image *pixels);
void paint_free (Paint *paint);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Paint, paint_free)

#endif

/* SPDX-License-Identifier: MIT
 *
 * The picture of what a view shows, made by `display` on a thread of its own, so that looking never waits for computing.
 */
#ifndef UI_CANVAS_PAINT_H
#define UI_CANVAS_PAINT_H

#include "ui/canvas/paint_area.h"
#include "ui/view/view.h"

#include <gtk/gtk.h>

typedef struct Paint {
  PaintArea area;
  gint64 asked;             /* when, by g_get_monotonic_time() */
  GdkTexture *texture;      /* for a graphics card */
  cairo_surface_t *surface; /* the same, for drawing without one */
  int object;               /* the picked object, or 0 */
  graphene_rect_t box;      /* where it is, in image pixels */
  gint64 object_slice;      /* and in which slice */
  gboolean provisional;     /* of the part alone: results are on their way */
} Paint;

void paint_free (Paint *paint);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Paint, paint_free)

#define PAINTER_TYPE (painter_get_type ())
G_DECLARE_FINAL_TYPE (Painter, painter, FOVEA, PAINTER, GObject)

/* Called in the main context with each new picture, which is then the caller's; or with an error and no picture. */
typedef void (*PainterReady) (gpointer data, Paint *paint, const GError *error);
Painter *painter_new (Modules *modules, PainterReady ready, gpointer data);
/* Asks for a picture; the newest request wins. While results of changed steps are on their way it is a preview of them, unless they
 * are likely to be there at once. */
void painter_ask (Painter *painter, const View *view, const PaintArea *area);
/* Asks for a picture only if it is such a preview, or another one is on its way: nothing else has changed. */
void painter_ask_preview (Painter *painter, const View *view, const PaintArea *area);
/* The same part of view_before(), with the same contrast where the types are the same; nothing when there is none. */
void painter_ask_before (Painter *painter, const View *view, const PaintArea *area);
/* Whether a preview is on its way; and whether no picture is. */
gboolean painter_previews (const Painter *painter);
gboolean painter_idle (const Painter *painter);
/* No more calls of `ready`. */
void painter_stop (Painter *painter);

#endif

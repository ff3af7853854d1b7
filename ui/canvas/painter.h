/* SPDX-License-Identifier: MIT
 *
 * Makes pictures of what a view shows, with `display`, on a thread of its own, so that looking never waits for computing.
 */
#ifndef UI_CANVAS_PAINTER_H
#define UI_CANVAS_PAINTER_H

#include "ui/canvas/paint.h"
#include "ui/view/view.h"

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
/* While resting, no picture is handed over, and the caches for the next one are freed. */
void painter_rest (Painter *painter, gboolean resting);
/* No more calls of `ready`. */
void painter_stop (Painter *painter);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Which part of the image the canvas shows, and how large.
 */
#ifndef UI_CANVAS_VIEWPORT_H
#define UI_CANVAS_VIEWPORT_H

#include "ui/canvas/paint_area.h"

#include <glib-object.h>

#define VIEWPORT_TYPE (viewport_get_type ())
/* Signals: "moved" when another part is seen, or the same one larger or smaller; "zoomed" when the magnification was set. */
G_DECLARE_FINAL_TYPE (Viewport, viewport, FOVEA, VIEWPORT, GObject)

Viewport *viewport_new (void);
/* For a widget of that size; it is 0 x 0 until then. */
void viewport_set_size (Viewport *viewport, int width, int height);
/* In pixels of the screen, `scale` of which make one of the widget; 1: in those of the widget. */
PaintArea viewport_area (const Viewport *viewport, int scale);

/* Fits an image of that size into the widget. FALSE if it is fitted already, or has no widget yet. */
gboolean viewport_fit (Viewport *viewport, gint64 columns, gint64 rows);
/* Whether that is still wanted, for an image or a widget of another size, too. */
gboolean viewport_fitted (const Viewport *viewport);
/* What is under x, y of the widget stays there. */
void viewport_zoom_about (Viewport *viewport, double zoom, double x, double y);
/* What is in the middle stays there, but that pixels of the image begin with those of the widget. */
void viewport_set_zoom (Viewport *viewport, double zoom);
/* x, y of the image comes to the upper left corner. */
void viewport_move (Viewport *viewport, double x, double y);
/* x, y of the image comes to the middle, unless it is seen already. */
void viewport_seek (Viewport *viewport, double x, double y);
/* A box of the image comes to the middle and takes half of the width or the height. */
void viewport_show (Viewport *viewport, double x, double y, double columns, double rows);

#endif

/* SPDX-License-Identifier: MIT
 *
 * The image: zoom about the pointer, pan, crisp pixels, outlines of labels, the picked object, selections, a scale bar.
 */
#ifndef UI_CANVAS_CANVAS_H
#define UI_CANVAS_CANVAS_H

#include "ui/canvas/edit_tool.h"
#include "ui/canvas/paint_area.h"
#include "ui/selection/tools.h"
#include "ui/view/view.h"

#include <gtk/gtk.h>

#define CANVAS_TYPE (canvas_get_type ())
/* Signals: "pointer" when it moves over the image or leaves; "zoomed" when the magnification has changed; "failed" (text). */
G_DECLARE_FINAL_TYPE (Canvas, canvas, FOVEA, CANVAS, GtkWidget)

/* worker must live longer. */
GtkWidget *canvas_new (Modules *modules, View *view, Selections *selections, Worker *worker);
void canvas_set_tool (Canvas *canvas, Tool tool);
/* With TOOL_OBJECTS. */
EditTool *canvas_edit_tool (Canvas *canvas);
/* Screen pixels for each image pixel. */
double canvas_zoom (const Canvas *canvas);
/* What is seen of the image, in pixels of the widget. */
PaintArea canvas_area (const Canvas *canvas);
/* About the middle of what is visible. */
void canvas_zoom_by (Canvas *canvas, double factor);
void canvas_set_zoom (Canvas *canvas, double zoom);
/* The whole image, as large as it can be. */
void canvas_fit (Canvas *canvas);
/* The object under the pointer is picked, or none. */
void canvas_pick (Canvas *canvas);
/* The picked object comes to the middle, so large that it takes a good part of what is seen. */
void canvas_zoom_to_object (Canvas *canvas);
/* The canvas is hidden: it frees the picture and requests none until it is shown again. */
void canvas_rest (Canvas *canvas, gboolean resting);
/* Whether the newest picture is drawn. */
gboolean canvas_settled (const Canvas *canvas);
/* The image pixel under the pointer; FALSE outside. */
gboolean canvas_pointer (const Canvas *canvas, gint64 *x, gint64 *y);

#endif

/* SPDX-License-Identifier: MIT
 *
 * What pointer, touch and keys do on the canvas: they move and magnify the image, divide before from after, pick an object, or are
 * the tool's.
 */
#ifndef UI_CANVAS_GESTURES_H
#define UI_CANVAS_GESTURES_H

#include "ui/canvas/compare.h"
#include "ui/canvas/edit_tool.h"
#include "ui/canvas/viewport.h"
#include "ui/selection/tools.h"

#define GESTURES_TYPE (gestures_get_type ())
G_DECLARE_FINAL_TYPE (Gestures, gestures, FOVEA, GESTURES, GObject)

/* All of these must live longer. The canvas emits its signal "pointer" when the pointer moves over it or leaves. */
Gestures *gestures_new (GtkWidget *canvas, View *view, Selections *selections, Viewport *viewport, Compare *compare,
                        EditTool *edit, Worker *worker);
void gestures_set_tool (Gestures *gestures, Tool tool);
/* The image pixel under the pointer; FALSE outside. */
gboolean gestures_pointer (const Gestures *gestures, gint64 *x, gint64 *y);
/* Picks the object under the pointer, or none; not while objects are edited. */
void gestures_pick (Gestures *gestures);

#endif

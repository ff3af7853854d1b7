/* SPDX-License-Identifier: MIT
 *
 * Pointer and keys while objects are edited by hand. A click selects an object with any tool.
 */
#ifndef UI_CANVAS_EDIT_TOOL_H
#define UI_CANVAS_EDIT_TOOL_H

#include "core/base/worker.h"
#include "ui/canvas/paint_area.h"
#include "ui/selection/tools.h"
#include "ui/view/view.h"

#define EDIT_TOOL_TYPE (edit_tool_get_type ())
/* Signals: "hint" when edit_tool_hint() has changed; "failed" (text). */
G_DECLARE_FINAL_TYPE (EditTool, edit_tool, FOVEA, EDIT_TOOL, GObject)

/* canvas and worker must live longer; the canvas and those in it have its actions, as "edit". */
EditTool *edit_tool_new (GtkWidget *canvas, View *view, Worker *worker);
/* "edit.tool" (a name), "edit.delete", "edit.merge", "edit.fill", enabled where there is what they change. */
GActionGroup *edit_tool_actions (EditTool *tool);
/* What the hand can do now, or what is missing. Free with g_free(). */
char *edit_tool_hint (const EditTool *tool);

/* Whether a drag moves the image. */
gboolean edit_tool_moves (const EditTool *tool);
void edit_tool_press (EditTool *tool, const ToolPointer *pointer);
void edit_tool_drag (EditTool *tool, const ToolPointer *pointer);
void edit_tool_release (EditTool *tool);
/* FALSE: the key means nothing here. */
gboolean edit_tool_key (EditTool *tool, guint key, GdkModifierType keys);
/* Whether these keys choose one more object. */
gboolean edit_tool_chooses_more (GdkModifierType keys);
/* What is being drawn is forgotten. */
void edit_tool_abandon (EditTool *tool);
void edit_tool_paint (const EditTool *tool, const PaintArea *area, GtkSnapshot *snapshot);

#endif

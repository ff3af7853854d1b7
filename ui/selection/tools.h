/* SPDX-License-Identifier: MIT
 *
 * What the pointer and the keys do to the current selection, with each tool. The canvas says where the pointer is.
 */
#ifndef UI_SELECTION_TOOLS_H
#define UI_SELECTION_TOOLS_H

#include "ui/selection/selections.h"
#include "ui/view/view.h"

#include <gtk/gtk.h>

typedef enum {
  TOOL_HAND, /* moves the image: never a selection */
  TOOL_RECTANGLE,
  TOOL_OVAL,
  TOOL_POLYGON,
  TOOL_FREEHAND,
  TOOL_LINE,
  TOOL_POINT,
  TOOL_WAND,
  TOOL_OBJECTS, /* edits objects: never a selection */
  TOOLS
} Tool;

typedef struct ToolInfo {
  const char *name, *icon, *help;
} ToolInfo;

/* By Tool. */
extern const ToolInfo tool_infos[TOOLS];

/* Where the pointer is, in image pixels, of which a screen pixel is `pixel` large. */
typedef struct ToolPointer {
  double x, y, pixel;
  GdkModifierType keys;
} ToolPointer;

typedef struct SelectionTools SelectionTools;

/* worker must live longer. */
SelectionTools *selection_tools_new (View *view, Selections *selections, Worker *worker);
void selection_tools_free (SelectionTools *tools);
Tool selection_tools_tool (const SelectionTools *tools);
/* A polygon that is being drawn is closed. */
void selection_tools_set_tool (SelectionTools *tools, Tool tool);

void selection_tools_press (SelectionTools *tools, const ToolPointer *pointer);
void selection_tools_drag (SelectionTools *tools, const ToolPointer *pointer);
void selection_tools_release (SelectionTools *tools);
/* The pointer moves without a button. The name of the shape that it should have. */
const char *selection_tools_motion (SelectionTools *tools, const ToolPointer *pointer);
/* FALSE: the key means nothing here. */
gboolean selection_tools_key (SelectionTools *tools, guint key, GdkModifierType keys);

#endif

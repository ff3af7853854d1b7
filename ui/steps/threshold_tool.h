/* SPDX-License-Identifier: MIT
 *
 * A threshold beside the values that it is of: their histogram with both limits to drag, how much of the plane it takes, and how that is
 * seen on the image.
 */
#ifndef UI_STEPS_THRESHOLD_TOOL_H
#define UI_STEPS_THRESHOLD_TOOL_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

#define THRESHOLD_TOOL_TYPE (threshold_tool_get_type ())
/* Signal: "failed" (text) when a change is refused. */
G_DECLARE_FINAL_TYPE (ThresholdTool, threshold_tool, FOVEA, THRESHOLD_TOOL, GtkBox)

/* Seen while the step that is looked at is a threshold. */
GtkWidget *threshold_tool_new (View *view);

#endif

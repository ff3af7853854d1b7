/* SPDX-License-Identifier: MIT
 *
 * A threshold on the histogram of its values, with both limits to drag, the share of the plane that is foreground, and the choice of how
 * the image shows it.
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

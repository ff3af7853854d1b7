/* SPDX-License-Identifier: MIT
 *
 * A small bar over the image while objects are edited by hand: what the hand draws, what it does to the chosen ones, and a hint.
 */
#ifndef UI_CANVAS_EDIT_BAR_H
#define UI_CANVAS_EDIT_BAR_H

#include "ui/canvas/edit_tool.h"

/* tool must live longer. */
GtkWidget *edit_bar_new (EditTool *tool);

#endif

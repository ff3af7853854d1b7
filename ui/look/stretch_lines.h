/* SPDX-License-Identifier: MIT
 *
 * How brightness grows from the lower limit of the contrast to the upper one, and rules that set these limits by the values of the plane.
 */
#ifndef UI_LOOK_STRETCH_LINES_H
#define UI_LOOK_STRETCH_LINES_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

GtkWidget *stretch_lines_new (View *view);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Before and after a step: the picture of what it took, and the line that divides the two on the canvas.
 */
#ifndef UI_CANVAS_COMPARE_H
#define UI_CANVAS_COMPARE_H

#include "ui/canvas/painter.h"

typedef struct Compare Compare;

/* Redraws `canvas` when a picture comes. */
Compare *compare_new (GtkWidget *canvas, Modules *modules, View *view);
void compare_free (Compare *compare);
/* Asks for the picture when it is wanted. */
void compare_ask (Compare *compare, const PaintArea *area);
/* Lets the picture go until it is asked for again, and what was kept to draw it. */
void compare_rest (Compare *compare, gboolean resting);
/* The picture to be drawn left of the line, or NULL. */
const Paint *compare_paint (const Compare *compare);

/* Where the line is, in pixels of the canvas. */
double compare_line (const Compare *compare);
void compare_move (Compare *compare, double x);
/* Whether the line can be grasped at x. */
gboolean compare_grasps (const Compare *compare, double x);
void compare_draw_line (const Compare *compare, GtkSnapshot *snapshot);

#endif

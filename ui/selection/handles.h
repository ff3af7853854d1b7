/* SPDX-License-Identifier: MIT
 *
 * Where a selection can be taken hold of, and what becomes of it when it is pulled there.
 */
#ifndef UI_SELECTION_HANDLES_H
#define UI_SELECTION_HANDLES_H

#include "core/selection/selection.h"

enum { SELECTION_HANDLES = 64 };

/* At most SELECTION_HANDLES points: the ends of a line, the corners of a polygon, points; else eight around the box, from the
 * upper left clockwise. How many. */
guint selection_handles (const Selection *s, SelectionPoint *handles);
/* Moves a handle. even: a box becomes square, a line takes a multiple of 45°. */
void selection_pull (Selection *s, guint handle, SelectionPoint to, gboolean even);
/* Stretches it so that the corners of its box come to lie at a and b. */
void selection_stretch (Selection *s, SelectionPoint a, SelectionPoint b);
/* The name of the pointer's shape over a handle. */
const char *selection_handle_cursor (const Selection *s, guint handle);
/* The nearest valid position for a point of such a shape: corners of pixels, or centers of pixels for lines and
 * points. It is finer when a screen pixel is only `pixel` of an image pixel. */
SelectionPoint selection_snap (SelectionShape shape, SelectionPoint p, double pixel);

#endif

/* SPDX-License-Identifier: MIT
 *
 * What a hand has drawn, as the pixels that a command of the operation `edit` names.
 */
#ifndef UI_CANVAS_STROKE_H
#define UI_CANVAS_STROKE_H

#include "core/selection/selection.h"

/* Adds a point of that slice and frame to a command. Coordinates that equal the previous point's are omitted. */
void stroke_append (GString *command, gint64 x, gint64 y, gint64 slice, gint64 frame);

/* Of a trail (element-type SelectionPoint) of one point at least: "x,y,z,frame x,y x,y", without those that lie within 3/4 of a pixel of
 * the line between others. Free with g_free(). */
char *stroke_points (const GArray *trail, gint64 slice, gint64 frame);

#endif

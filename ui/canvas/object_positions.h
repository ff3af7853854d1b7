/* SPDX-License-Identifier: MIT
 *
 * A position in each selected object, as the commands of the operation `edit` name them.
 */
#ifndef UI_CANVAS_OBJECT_POSITIONS_H
#define UI_CANVAS_OBJECT_POSITIONS_H

#include "core/base/worker.h"
#include "ui/view/view.h"

/* positions: of n objects, "x,y,z,frame x,y", or "" when none of them is in the shown slice; NULL with error. */
typedef void (*ObjectPositionsFound) (gpointer data, const char *positions, guint n, const GError *error);

/* Searches view_objects(), which must not be NULL, on the worker, then calls found (data) once in the main loop.
 * Objects may have another shape when earlier steps change, so a position lies well inside its object. */
void object_positions_find (View *view, Worker *worker, ObjectPositionsFound found, gpointer data);

#endif

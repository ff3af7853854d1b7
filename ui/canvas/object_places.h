/* SPDX-License-Identifier: MIT
 *
 * A place in each object that is picked, as the commands of the operation `edit` name them.
 */
#ifndef UI_CANVAS_OBJECT_PLACES_H
#define UI_CANVAS_OBJECT_PLACES_H

#include "core/base/worker.h"
#include "ui/view/view.h"

/* places: of n objects, "x,y,z,frame x,y", or "" when none of them is in the slice that is seen; NULL with error. */
typedef void (*ObjectPlacesFound) (gpointer data, const char *places, guint n, const GError *error);

/* Looks for them in view_objects(), which there must be, on the worker, and then calls found (data) in the main loop, once. Objects
 * may have another shape when the steps before change, which is why a place lies well inside its object. */
void object_places_find (View *view, Worker *worker, ObjectPlacesFound found, gpointer data);

#endif

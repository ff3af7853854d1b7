/* SPDX-License-Identifier: MIT
 *
 * A click picks the object under it.
 */
#ifndef UI_CANVAS_PICK_H
#define UI_CANVAS_PICK_H

#include "core/base/worker.h"
#include "ui/view/view.h"

/* Looks in the view's objects at that pixel of the image, on the worker since they may be on a GPU or in a file, and picks what is
 * there: an object, or none; with more, what is there is picked besides those that are, or no longer. Nothing but that pixel is brought
 * or read. */
void pick_object (View *view, Worker *worker, gint64 x, gint64 y, gboolean more);

#endif

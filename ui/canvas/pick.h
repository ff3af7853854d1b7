/* SPDX-License-Identifier: MIT
 *
 * A click picks the object under it.
 */
#ifndef UI_CANVAS_PICK_H
#define UI_CANVAS_PICK_H

#include "core/base/worker.h"
#include "ui/view/view.h"

/* Looks up that pixel in the view's objects and selects the object there, or none. It runs on the worker, since the
 * objects may be on a GPU or in a file; only that pixel is copied or read. With `more`, the object is added to the
 * selection or removed from it. */
void pick_object (View *view, Worker *worker, gint64 x, gint64 y, gboolean more);

#endif

/* SPDX-License-Identifier: MIT
 *
 * A click picks the object under it.
 */
#ifndef UI_CANVAS_PICK_H
#define UI_CANVAS_PICK_H

#include "core/ops/module.h"
#include "ui/view/view.h"

/* Looks in the view's objects at that pixel of the image, on the worker since they may still be on a GPU, and picks what is there:
 * an object, or none. */
void pick_object (View *view, Modules *modules, Worker *worker, gint64 x, gint64 y);

#endif

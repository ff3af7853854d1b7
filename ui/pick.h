/* SPDX-License-Identifier: MIT
 *
 * A click picks the object under it.
 */
#ifndef UI_PICK_H
#define UI_PICK_H

#include "module.h"
#include "view.h"

/* Looks in the view's objects at that pixel of the image, on the worker since they may still be on a GPU, and picks what is there:
 * an object, or none. */
void pick_object (View *view, Modules *modules, Worker *worker, gint64 x, gint64 y);

#endif

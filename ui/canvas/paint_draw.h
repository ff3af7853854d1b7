/* SPDX-License-Identifier: MIT
 *
 * A picture as it is asked for: `display`, objects that fade, a threshold's red, the picked object.
 */
#ifndef UI_CANVAS_PAINT_DRAW_H
#define UI_CANVAS_PAINT_DRAW_H

#include "core/base/progress.h"
#include "ui/canvas/paint_request.h"

/* Makes the request's paint, and says in it what is missing. On a worker's thread. FALSE with *error. */
gboolean paint_draw (PaintRequest *request, Progress *progress, GError **error);

#endif

/* SPDX-License-Identifier: MIT
 *
 * A plane whose values the wand asks for again and again: they are read when it first does, and kept. The tolerance is a part of the
 * range of the plane's values, 0 ... 1.
 */
#ifndef CORE_SELECTION_WAND_PLANE_H
#define CORE_SELECTION_WAND_PLANE_H

#include "core/data/plane.h"
#include "core/selection/selection.h"

typedef struct WandPlane WandPlane;

WandPlane *wand_plane_new (Image *image, PlanePosition position);
WandPlane *wand_plane_ref (WandPlane *plane);
void wand_plane_unref (WandPlane *plane);
/* What to begin with: none in labels and masks. */
double wand_plane_tolerance (const WandPlane *plane);
/* The outline of the connected pixels that differ from the one at (x, y), inside the plane, by at most the tolerance. That is a fraction of the range
 * of the plane's values (of a large file estimated). NULL: that pixel has no value, or with *error, also when they go on too far in a plane that is
 * not in memory. In one thread at a time. */
Selection *wand_plane_trace (WandPlane *plane, gint64 x, gint64 y, double tolerance, GError **error);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Values of a plane as numbers, whatever its type. In any thread.
 */
#ifndef UI_VIEW_PLANE_VALUES_H
#define UI_VIEW_PLANE_VALUES_H

#include "ui/view/view.h"

typedef struct PlanePlace {
  gint64 channel, slice, frame;
} PlanePlace;

/* A part of a plane, in pixels, inside it. */
typedef struct PlanePart {
  gint64 x, y, width, height;
} PlanePart;

/* Where the plane is that is looked at. */
PlanePlace plane_place (const View *view);
/* Pixel i of a plane in host memory. */
double plane_value (const void *plane, fv_type type, gint64 i);
/* Row after row; of a colour image the mean of red, green and blue, rounded, as in ImageJ. NULL with *error. Free with
 * g_free(). */
double *plane_values (Image *image, const PlanePlace *place, const PlanePart *part, GError **error);

#endif

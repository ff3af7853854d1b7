/* SPDX-License-Identifier: MIT
 *
 * One plane of an image as numbers, for any type. Any thread.
 */
#ifndef CORE_DATA_PLANE_H
#define CORE_DATA_PLANE_H

#include "core/data/image.h"

typedef struct PlanePosition {
  gint64 channel, slice, frame;
} PlanePosition;

/* A part of a plane, in pixels, inside it. */
typedef struct PlanePart {
  gint64 x, y, width, height;
} PlanePart;

/* How large a pixel is, both ways in one unit; "px" where it is unknown. */
typedef struct PlaneScale {
  double width, height;
  const char *unit; /* the image's */
} PlaneScale;

/* Which of the image's planes that is. */
gint64 plane_number (const ImageInfo *info, PlanePosition position);
/* The nearest position in a similar image, perhaps with fewer planes. */
PlanePosition plane_within (const ImageInfo *info, PlanePosition position);
PlaneScale plane_scale (const ImageInfo *info);
/* Row after row; of a color image the mean of red, green and blue, rounded, as in ImageJ. Only that part is read. NULL with
 * *error. Free with g_free(). */
double *plane_values (Image *image, PlanePosition position, const PlanePart *part, GError **error);

#endif

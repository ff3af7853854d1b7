/* SPDX-License-Identifier: MIT
 *
 * One slice of an image as an image of its own, with all its channels, and smaller versions of it for looking from afar. What was
 * made last is kept.
 */
#ifndef UI_CANVAS_PLANES_H
#define UI_CANVAS_PLANES_H

#include "core/data/image.h"

typedef struct Planes Planes;

Planes *planes_new (void);
void planes_free (Planes *planes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Planes, planes_free)

/* The slice at half its size `level` times: means of 2 x 2 pixels, for labels the first of them. Not the caller's; valid until
 * the next call. NULL with *error. */
Image *planes_get (Planes *planes, Image *image, gint64 frame, gint64 slice, guint level, GError **error);
/* Least and greatest finite value of a channel of the full slice, by the last planes_get(). */
void planes_range (Planes *planes, gint64 channel, double *low, double *high);

#endif

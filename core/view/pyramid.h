/* SPDX-License-Identifier: MIT
 *
 * One slice of an image as an image of its own, with all its channels, and smaller versions of it for looking from afar. What was
 * made last is kept.
 */
#ifndef CORE_VIEW_PYRAMID_H
#define CORE_VIEW_PYRAMID_H

#include "core/data/image.h"

typedef struct Pyramid Pyramid;

Pyramid *pyramid_new (void);
void pyramid_free (Pyramid *pyramid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Pyramid, pyramid_free)

/* How often the slice may be halved so that a screen pixel still covers at least one of its pixels. zoom: screen pixels for each pixel
 * of the full slice. */
guint pyramid_level_for (double zoom);
/* A slice of an image. */
typedef struct PyramidSlice {
  Image *image;
  gint64 frame, slice;
  gboolean numbers; /* its values are object numbers, which cannot be averaged, regardless of its role */
} PyramidSlice;

/* The slice at half its size `level` times: means of 2 x 2 pixels, for labels the first of them. Not the caller's; valid until
 * the next call. NULL with *error. */
Image *pyramid_level (Pyramid *pyramid, const PyramidSlice *of, guint level, GError **error);

#endif

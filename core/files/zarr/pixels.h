/* SPDX-License-Identifier: MIT
 *
 * Pixels of an image of a Zarr hierarchy: chunks are read and decoded on all cores, those alone that a region touches.
 */
#ifndef CORE_FILES_ZARR_PIXELS_H
#define CORE_FILES_ZARR_PIXELS_H

#include "core/data/image.h"
#include "core/files/zarr/image.h"

/* Takes the image. NULL with *error. */
Image *zarr_pixels_image (ZarrImage *image, GError **error);

#endif

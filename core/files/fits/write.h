/* SPDX-License-Identifier: MIT
 *
 * Writes an image as the primary part of a FITS file, values as they are: slices, channels and frames are NAXIS3 to NAXIS5, what is unsigned
 * has a BZERO, 16-bit floats become 32-bit ones. Of the header that the image came with all goes there that still holds; a pixel
 * size of the image's is written unless that header has coordinates of its own (CTYPE1). Names and colors of channels are not kept.
 */
#ifndef CORE_FILES_FITS_WRITE_H
#define CORE_FILES_FITS_WRITE_H

#include "core/data/image.h"

/* options: none. */
gboolean files_fits_save (Image *image, const char *path, gconstpointer options, GError **error);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Images of FITS files. Rows keep the order that they have in the file: row 0 is the first, as in astropy and SEP (programs that show the sky
 * draw it at the bottom). NAXIS3 are slices, NAXIS4 channels, NAXIS5 and what follows frames.
 *
 * Files come from anywhere, so no library that trusts them is used. Sizes are checked before use, pixels are read by position, from several threads,
 * and the network is never accessed.
 */
#ifndef CORE_FILES_FITS_FITS_H
#define CORE_FILES_FITS_FITS_H

#include "core/data/image.h"
#include "core/files/fits/layout.h"

/* What the headers say of image n of a FilesFitsLayout. Clear with image_info_clear(). *depends stays. Never fails. */
gboolean files_fits_describe (gpointer layout, guint n, ImageInfo *info, const char **depends, GError **error);
/* Image n of the file. */
Image *files_fits_open (gpointer layout, guint n, GError **error);

#endif

/* SPDX-License-Identifier: MIT
 *
 * What a FITS header says about an image but for its pixels.
 */
#ifndef CORE_FILES_FITS_INFO_H
#define CORE_FILES_FITS_INFO_H

#include "core/data/image_info.h"
#include "core/files/fits/values.h"

/* Of image n. Clear with image_info_clear(). */
void files_fits_info (const FilesFitsLayout *layout, guint n, const FilesFitsValues *values, ImageInfo *info);

#endif

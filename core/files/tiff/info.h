/* SPDX-License-Identifier: MIT
 *
 * What is known about an image of a TIFF file without its pixels: from tags and texts to an ImageInfo.
 */
#ifndef CORE_FILES_TIFF_INFO_H
#define CORE_FILES_TIFF_INFO_H

#include "core/data/image.h"
#include "core/files/tiff/convert.h"
#include "core/files/tiff/layout.h"

/* page: its first; samples: of a pixel, those that are read. Texts and
 * arrays belong to info: image_info_clear(). */
void files_tiff_info (const FilesTiffLayout *layout, const FilesTiffSeries *series, const FilesTiffPage *page,
                      const FilesTiffFormat *format, guint samples, ImageInfo *info);

#endif

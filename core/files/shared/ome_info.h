/* SPDX-License-Identifier: MIT
 *
 * What OME-XML says of an image, as an image says it.
 */
#ifndef CORE_FILES_SHARED_OME_INFO_H
#define CORE_FILES_SHARED_OME_INFO_H

#include "core/data/image_info.h"
#include "core/files/shared/ome.h"

/* Sizes of pixels, where they are known; the others stay. */
void files_ome_calibrate (const FilesOmeImage *ome, ImageInfo *info);
/* Names and colors of channels, where there are any. kept: the file's numbers of the channels (gint64), NULL: all, in their order. */
void files_ome_name_channels (const FilesOmeImage *ome, const GArray *kept, ImageInfo *info);

#endif

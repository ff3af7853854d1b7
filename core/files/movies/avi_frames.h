/* SPDX-License-Identifier: MIT
 */
#ifndef CORE_FILES_MOVIES_AVI_FRAMES_H
#define CORE_FILES_MOVIES_AVI_FRAMES_H

#include "core/data/image.h"
#include "core/files/movies/avi_layout.h"

/* The image, which reads frames when they are needed and refers to the layout. NULL with *error. */
Image *files_avi_image (FilesAviLayout *layout, const ImageInfo *info, GError **error);

#endif

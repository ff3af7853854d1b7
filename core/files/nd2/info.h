/* SPDX-License-Identifier: MIT
 */
#ifndef CORE_FILES_ND2_INFO_H
#define CORE_FILES_ND2_INFO_H

#include "core/files/nd2/layout.h"

/* Whether the components of a pixel are blue, green and red. */
gboolean files_nd2_is_rgb (const FilesNd2Layout *layout);
/* What is known of image n without its pixels. Clear with image_info_clear(). */
void files_nd2_info (const FilesNd2Layout *layout, guint n, ImageInfo *info);

#endif

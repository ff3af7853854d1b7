/* SPDX-License-Identifier: MIT
 */
#ifndef CORE_FILES_LIF_INFO_H
#define CORE_FILES_LIF_INFO_H

#include "core/files/lif/layout.h"

/* What is known of image n without its pixels. Clear with image_info_clear(). */
void files_lif_info (const FilesLifLayout *layout, guint n, ImageInfo *info);

#endif

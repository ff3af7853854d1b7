/* SPDX-License-Identifier: MIT
 *
 * What is known of an image of a CZI file without its pixels.
 */
#ifndef CORE_FILES_CZI_INFO_H
#define CORE_FILES_CZI_INFO_H

#include "core/data/image_info.h"
#include "core/files/czi/layout.h"

/* Of image n. Clear with image_info_clear(). */
void files_czi_info (const FilesCziLayout *layout, guint n, ImageInfo *info);

#endif

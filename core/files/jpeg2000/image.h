/* SPDX-License-Identifier: MIT
 *
 * The pixels of a file of JPEG 2000, decoded when they are needed. Its resolutions are the levels of the image.
 */
#ifndef CORE_FILES_JPEG2000_IMAGE_H
#define CORE_FILES_JPEG2000_IMAGE_H

#include "core/data/image.h"
#include "core/files/jpeg2000/layout.h"

/* Alpha that is opaque everywhere is left out: the pixels are read if there is any. NULL with *error. */
Image *files_jp2_image (FilesJp2 *layout, GError **error);

#endif

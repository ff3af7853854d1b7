/* SPDX-License-Identifier: MIT
 *
 * JPEG files whose pixels are lossless JPEG.
 */
#ifndef CORE_FILES_PICTURES_LOSSLESS_PICTURE_H
#define CORE_FILES_PICTURES_LOSSLESS_PICTURE_H

#include "core/data/image.h"
#include "core/files/shared/lossless_jpeg.h"

/* NULL with *error. */
Image *files_lossless_picture_open (const char *path, const guint8 *bytes, gsize size, const FilesLosslessJpeg *header,
                                    GError **error);
/* What its image will be, of a file of so many bytes; FALSE with *error. */
gboolean files_lossless_picture_describe (const char *path, gsize size, const FilesLosslessJpeg *header,
                                          ImageInfo *info, GError **error);

#endif

/* SPDX-License-Identifier: MIT
 *
 * The data of a sub-block: what its segment holds, and its pixels.
 */
#ifndef CORE_FILES_CZI_BLOCK_H
#define CORE_FILES_CZI_BLOCK_H

#include "core/files/czi/levels.h"

/* Where a sub-block has its metadata, which are XML, and its pixels. */
typedef struct FilesCziData {
  guint64 metadata, metadata_bytes, at, bytes;
} FilesCziData;

/* FALSE with *error when the segment is not a sub-block within the file. */
gboolean files_czi_block_find (FilesBytes *bytes, const FilesCziBlock *block, FilesCziData *data, GError **error);
/* Whether pixels compressed that way can be read. FALSE with *error, which says what would work. */
gboolean files_czi_block_known (const FilesBytes *bytes, const FilesCziBlock *block, GError **error);
/* Bytes of the pixels of a sub-block. */
gsize files_czi_block_bytes (const FilesCziBlock *block, const FilesCziPixel *pixel);
/* All its pixels, dense, each with its samples one behind the other, colors as blue, green, red. NULL with *error. Free with g_free(). Any thread. */
guint8 *files_czi_block_decode (FilesBytes *bytes, const FilesCziBlock *block, const FilesCziPixel *pixel,
                                GError **error);

#endif
